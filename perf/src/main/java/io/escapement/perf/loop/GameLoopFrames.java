package io.escapement.perf.loop;

import io.escapement.perf.peers.GameLoopThread;
import io.escapement.perf.rig.Control;
import io.escapement.perf.rig.IntervalRecorder;
import io.escapement.perf.rig.Measurements;
import java.util.Arrays;
import java.util.stream.Stream;

/** Measures the frames of actions on a game loop thread, between the work of a frame and the sleep after it. */
public final class GameLoopFrames
{
    private static final long SECOND_MS = 1_000;

    private final FramesPlan plan;
    private final FramePace pace = new FramePace();
    private final FrameDeadlines deadlines;
    private final FrameAction[] actions;
    private final IntervalRecorder lateness;
    private final IntervalRecorder cost;
    private GameLoopThread loop;
    private long recordedFrames;
    private long startedNs;
    private long warmUntilNs;

    /** Create for one run. */
    public GameLoopFrames(final FramesPlan plan)
    {
        this.plan = plan;
        deadlines = new FrameDeadlines(plan.hz);
        lateness = new IntervalRecorder(plan.measureNs());
        cost = new IntervalRecorder(plan.measureNs());
        actions = new FrameAction[plan.rooms];
    }

    /** Run warm-up and measured part. */
    public Measurements measure()
    {
        Arrays.setAll(actions, (i) -> new FrameAction(0 == i));
        for (int round = 0; round < FramesPlan.WARM_UP_ROUNDS; round++)
        {
            warmUp(FramesPlan.FAST_HZ, plan.fastNs());
            pace.start();
            warmUp(plan.hz, plan.paceNs());
            pace.stop();
        }
        // Collect here, so that no collection of warm-up garbage falls into the measured part.
        System.gc();
        final long compiledMs = Control.compiledMs();
        run(SECOND_MS / plan.hz, this::onFrame);
        final long compiledUntilMs = Control.compiledMs();
        final long countedFrames = Stream.of(actions).mapToLong((action) -> action.frames).sum();
        final long nowNs = System.nanoTime();
        return new Measurements()
            .put(FramesPlan.CHECKSUM_DIFFERENCE, countedFrames - recordedFrames)
            .put(FramesPlan.DUE, deadlines.due * plan.rooms)
            .put(FramesPlan.MISSED, deadlines.missed * plan.rooms)
            .put(FramesPlan.COMPILED_MS, compiledUntilMs - compiledMs)
            .put(FramesPlan.DRIFT_PPB, pace.driftPpb(plan.hz))
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

    private void warmUp(final int hz, final long ns)
    {
        warmUntilNs = System.nanoTime() + ns;
        run(SECOND_MS / hz, this::onWarmUpFrame);
    }

    private void onWarmUpFrame(final int count, final long startNs, final long endNs)
    {
        recordedFrames += count;
        if (endNs >= warmUntilNs)
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
        if (startNs - startedNs >= plan.measureNs())
        {
            pace.stop();
            loop.close();
        }
    }

    private final class FrameAction implements Runnable
    {
        private final boolean isFirst;
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
            plan.work();
            loop.nextFrame(this);
        }
    }
}
