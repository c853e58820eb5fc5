package io.escapement.perf.rig;

import io.escapement.engine.Engine;
import io.escapement.engine.monitor.LoopRecorder;
import java.util.List;
import java.util.stream.IntStream;
import org.HdrHistogram.SingleWriterRecorder;

/** The turns of an engine's loops in a measured part, and how long commands waited for them. */
public final class LoopMeter
{
    /** Turns that ran commands. */
    public static final String TURNS = "turns";
    /** Series: time of a command in the ring until its turn. */
    public static final String RING_WAIT = "ringWait";
    /** Series: time of a turn from its proposal until it runs, of durable loops. */
    public static final String COMMIT_WAIT = "commitWait";

    private final List<LoopRecorder> loops;

    /** Nobody else may read the recorders of these loops, but for the lateness of frames. */
    public LoopMeter(final Engine engine, final int loopCount)
    {
        loops = IntStream.range(0, loopCount).mapToObj(engine::recorder).toList();
    }

    /** Discard what was recorded before this part. */
    public void start()
    {
        for (final LoopRecorder loop : loops)
        {
            loop.turnCommands().getIntervalHistogram();
            loop.ringWait().getIntervalHistogram();
            loop.commitWait().getIntervalHistogram();
        }
    }

    /** The results of this part. */
    public Measurements stop()
    {
        final Measurements measurements = new Measurements().put(TURNS, loops.stream()
            .mapToLong((loop) -> loop.turnCommands().getIntervalHistogram().getTotalCount()).sum());
        for (final LoopRecorder loop : loops)
        {
            add(measurements, RING_WAIT, loop.ringWait());
            add(measurements, COMMIT_WAIT, loop.commitWait());
        }
        return measurements;
    }

    private static void add(final Measurements measurements, final String series, final SingleWriterRecorder recorder)
    {
        final var interval = recorder.getIntervalHistogram();
        if (0 != interval.getTotalCount())
        {
            measurements.add(series, interval);
        }
    }
}
