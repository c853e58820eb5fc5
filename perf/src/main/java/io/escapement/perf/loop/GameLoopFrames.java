package io.escapement.perf.loop;

import io.escapement.perf.peers.GameLoopThread;
import io.escapement.perf.rig.IntervalRecorder;
import io.escapement.perf.rig.Measurements;
import io.escapement.perf.rig.ProcessMeter;
import io.escapement.perf.rig.WarmUpParts;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Measures the frames of actions on a game loop thread, between the work of a frame and the sleep after it.
 *
 * <p>An action owns memory if the plan says so, and reads and writes every cache line of it in each frame. The rooms of
 * the engine get none in addition: each has about that much already, of which a frame touches a part. The thread
 * without such memory costs less than one with rooms does, and the one with it at least as much.
 */
public final class GameLoopFrames
{
    private static final long SECOND_MS = 1_000;
    private static final int CACHE_LINE = 64;

    private final FramesPlan plan;
    private final ProcessMeter meter;
    private final FramePace pace = new FramePace();
    private final FrameAction[] actions;
    private FrameDeadlines deadlines;
    private IntervalRecorder lateness;
    private IntervalRecorder cost;
    private GameLoopThread loop;
    private long recordedFrames;
    private long durationNs;
    private long startedNs;
    private long fastUntilNs;

    /** Create for one run, in whose measured part a meter runs. */
    public GameLoopFrames(final FramesPlan plan, final ProcessMeter meter)
    {
        this.plan = plan;
        this.meter = meter;
        actions = new FrameAction[plan.rooms];
    }

    /** Run warm-up and measured part. */
    public Measurements measure()
    {
        Arrays.setAll(actions, (i) -> new FrameAction(0 == i));
        WarmUpParts.run(plan, this::warmUp);
        prepare(plan.measureMs);
        // Collect here, so that no collection of warm-up garbage falls into the measured part.
        System.gc();
        final Measurements measurements = record(plan.measureMs);
        final long countedFrames = Stream.of(actions).mapToLong(FrameAction::frames).sum();
        return measurements
            .put(FramesPlan.ROOMS_PER_FRAME, plan.rooms)
            .put(FramesPlan.CHECKSUM_DIFFERENCE, countedFrames - recordedFrames)
            .put(FramesPlan.DRIFT_PPB, pace.driftPpb(plan.hz));
    }

    /** A round, which ends as the measured part does, so that the code of that is compiled too. */
    private void warmUp()
    {
        fastUntilNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(plan.fastMs());
        run(SECOND_MS / FramesPlan.FAST_HZ, this::onFastFrame);
        prepare(plan.paceMs());
        record(plan.paceMs());
    }

    private void prepare(final int durationMs)
    {
        durationNs = TimeUnit.MILLISECONDS.toNanos(durationMs);
        deadlines = new FrameDeadlines(plan.hz);
        lateness = new IntervalRecorder(durationNs);
        cost = new IntervalRecorder(durationNs);
    }

    private Measurements record(final int durationMs)
    {
        meter.start(durationMs);
        run(SECOND_MS / plan.hz, this::onFrame);
        final Measurements measurements = meter.stop();
        final long nowNs = System.nanoTime();
        return measurements
            .put(FramesPlan.DUE, deadlines.due * plan.rooms)
            .put(FramesPlan.MISSED, deadlines.missed * plan.rooms)
            .add(FramesPlan.LATENESS, lateness.stop(nowNs))
            .add(FramesPlan.COST, cost.stop(nowNs));
    }

    /** Such loops sleep a whole number of milliseconds. The monitor ends the loop. */
    private void run(final long sleepMs, final GameLoopThread.Monitor monitor)
    {
        loop = new GameLoopThread(Math.max(1, sleepMs), monitor);
        for (final FrameAction action : actions)
        {
            loop.nextFrame(action);
        }
        loop.run();
    }

    private void onFastFrame(final int count, final long startNs, final long endNs)
    {
        recordedFrames += count;
        if (endNs >= fastUntilNs)
        {
            loop.close();
        }
    }

    private void onFrame(final int count, final long startNs, final long endNs)
    {
        recordedFrames += count;
        if (!lateness.isStarted())
        {
            startedNs = startNs;
            deadlines.start(startNs);
            lateness.start(startNs);
            cost.start(startNs);
            pace.start();
            return;
        }
        cost.record(endNs, (endNs - startNs) / count);
        final long newlyDue = deadlines.serve(startNs);
        if (0 != newlyDue)
        {
            lateness.record(endNs, endNs - deadlines.lastNs(), newlyDue * count);
        }
        if (startNs - startedNs >= durationNs)
        {
            pace.stop();
            loop.close();
        }
    }

    /** An action, and what it owns, which counts the frames in each of its cache lines. */
    private final class FrameAction implements Runnable
    {
        private final boolean isFirst;
        private final byte[] owned = new byte[plan.ownedBytes()];
        private long frames;

        FrameAction(final boolean isFirst)
        {
            this.isFirst = isFirst;
        }

        @Override
        public void run()
        {
            frames++;
            if (isFirst)
            {
                pace.onFrame(frames);
            }
            for (int i = 0; i < owned.length; i += CACHE_LINE)
            {
                owned[i]++;
            }
            plan.work();
            loop.nextFrame(this);
        }

        /** The frames that it ran, none if a cache line says otherwise. */
        long frames()
        {
            for (int i = 0; i < owned.length; i += CACHE_LINE)
            {
                if ((byte)frames != owned[i])
                {
                    return 0;
                }
            }
            return frames;
        }
    }
}
