package io.escapement.perf.loop;

import io.escapement.engine.monitor.LoopRecorder;
import io.escapement.perf.rig.IntervalRecorder;
import io.escapement.perf.rig.Measurements;
import io.escapement.perf.rig.ProcessMeter;
import io.escapement.perf.rig.WarmUpParts;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * A thread that runs the frames of rooms at one rate and records them until it is closed. Another thread measures it.
 *
 * <p>Each stretch of a run has a fresh one. The rounds of the warm-up run at {@link FramesPlan#FAST_HZ} first and then
 * at the measured rate: code compiled at one rate is deoptimised when it takes an untaken branch at the other, and
 * recompiled for both in the next round.
 */
public abstract class FramesUnderTest implements AutoCloseable
{
    private static final long SECOND_NS = 1_000_000_000L;
    private static final int FRAMES_AFTER_COLLECTION = 4;

    final FramesPlan plan;
    final int hz;
    private volatile boolean isRecording;
    private long firstFrame = -1;
    private long firstNs;
    private long lastFrame;
    private long lastNs;
    private long recordedFrames;

    FramesUnderTest(final FramesPlan plan, final int hz)
    {
        this.plan = plan;
        this.hz = hz;
    }

    /** Lateness and work of the frames. */
    abstract LoopRecorder recorder();

    /** Room-frames that never ran so far. */
    abstract long missed();

    /** Throw if the thread has thrown. */
    abstract void check();

    /** End the thread, and wait for it. */
    @Override
    public abstract void close();

    /** Frames that the rooms counted. After the thread has stopped. */
    abstract long countedFrames();

    /** A room's first frame or a later frame runs. Called for the same room each time, in its thread. */
    final void onFrame(final long frame)
    {
        if (isRecording)
        {
            lastFrame = frame;
            lastNs = System.nanoTime();
            if (firstFrame < 0)
            {
                firstFrame = frame;
                firstNs = lastNs;
            }
        }
    }

    /** Run warm-up and measured part, in which a meter runs. */
    public static Measurements measure(final FramesPlan plan, final ProcessMeter meter)
    {
        WarmUpParts.run(plan, () ->
        {
            run(plan, meter, FramesPlan.FAST_HZ, plan.fastMs());
            run(plan, meter, plan.hz, plan.paceMs());
        });
        final Measurements run = run(plan, meter, plan.hz, plan.measureMs);
        if (!run.has(FramesPlan.DRIFT_PPB))
        {
            throw new IllegalStateException("too short: fewer than two frames");
        }
        return run;
    }

    private static Measurements run(
        final FramesPlan plan, final ProcessMeter meter, final int hz, final int durationMs)
    {
        final FramesUnderTest frames =
            FramesPlan.isEngine(plan.subject) ? new LoopFrames(plan, hz) : new GameLoopFrames(plan, hz);
        final Measurements run;
        try (frames)
        {
            // Collect here, so that no collection of warm-up garbage falls into the measured part.
            System.gc();
            park(FRAMES_AFTER_COLLECTION * SECOND_NS / hz);
            run = frames.record(meter, durationMs);
            frames.check();
        }
        frames.takeCost();
        if (frames.lastFrame > frames.firstFrame && frames.firstFrame >= 0)
        {
            run.put(FramesPlan.DRIFT_PPB, frames.driftPpb());
        }
        return run.put(FramesPlan.ROOMS_PER_FRAME, plan.roomsPerFrame())
            .put(FramesPlan.CHECKSUM_DIFFERENCE, frames.countedFrames() - frames.recordedFrames);
    }

    private Measurements record(final ProcessMeter meter, final int durationMs)
    {
        takeCost();
        recorder().frameLateness().getIntervalHistogram();
        final Measurements measurements = new Measurements();
        final long missedBefore = missed();
        meter.start(durationMs);
        isRecording = true;
        long due = 0;
        for (int i = 0; i < IntervalRecorder.DEFAULT_INTERVALS; i++)
        {
            park(TimeUnit.MILLISECONDS.toNanos(durationMs) / IntervalRecorder.DEFAULT_INTERVALS);
            final Histogram lateness = recorder().frameLateness().getIntervalHistogram();
            due += lateness.getTotalCount();
            add(measurements, FramesPlan.LATENESS, lateness);
            add(measurements, FramesPlan.COST, takeCost());
        }
        isRecording = false;
        return measurements.addAll(meter.stop())
            .put(FramesPlan.DUE, due).put(FramesPlan.MISSED, missed() - missedBefore);
    }

    private Histogram takeCost()
    {
        final Histogram cost = recorder().frameWork().getIntervalHistogram();
        recordedFrames += cost.getTotalCount();
        return cost;
    }

    private long driftPpb()
    {
        final double periodNs = (lastNs - firstNs) / (double)(lastFrame - firstFrame);
        return Math.round((periodNs * hz / SECOND_NS - 1) * SECOND_NS);
    }

    private static void add(final Measurements measurements, final String name, final Histogram interval)
    {
        if (0 != interval.getTotalCount())
        {
            measurements.add(name, interval);
        }
    }

    private static void park(final long ns)
    {
        final long endNs = System.nanoTime() + ns;
        for (long leftNs = ns; leftNs > 0; leftNs = endNs - System.nanoTime())
        {
            LockSupport.parkNanos(leftNs);
        }
    }
}
