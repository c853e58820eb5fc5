package io.escapement.perf.rig;

import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/** The turns of an engine's loops in a measured part, and how long commands waited for them. */
public final class LoopMeter
{
    /** Turns that ran commands. */
    public static final String TURNS = "turns";
    /** Series: time of a command in the ring until its turn. */
    public static final String RING_WAIT = "ringWait";
    /** Series: time of a turn from its proposal until it runs, of durable loops. */
    public static final String COMMIT_WAIT = "commitWait";

    private final LoopIntervals intervals;
    private final int loops;

    /** Nobody else may take these intervals, but the lateness of frames. */
    public LoopMeter(final LoopIntervals intervals, final int loops)
    {
        this.intervals = intervals;
        this.loops = loops;
    }

    /** Discard what was recorded before this part. */
    public void start()
    {
        for (int loop = 0; loop < loops; loop++)
        {
            intervals.take(loop, LoopIntervals.TURN_COMMANDS);
            intervals.take(loop, LoopIntervals.RING_WAIT);
            intervals.take(loop, LoopIntervals.COMMIT_WAIT);
        }
    }

    /** The results of this part. */
    public Measurements stop()
    {
        final Measurements measurements = new Measurements().put(TURNS, IntStream.range(0, loops)
            .mapToLong((loop) -> intervals.take(loop, LoopIntervals.TURN_COMMANDS).getTotalCount()).sum());
        for (int loop = 0; loop < loops; loop++)
        {
            add(measurements, RING_WAIT, intervals.take(loop, LoopIntervals.RING_WAIT));
            add(measurements, COMMIT_WAIT, intervals.take(loop, LoopIntervals.COMMIT_WAIT));
        }
        return measurements;
    }

    private static void add(final Measurements measurements, final String series, final Histogram interval)
    {
        if (0 != interval.getTotalCount())
        {
            measurements.add(series, interval);
        }
    }
}
