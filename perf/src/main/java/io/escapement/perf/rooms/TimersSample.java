package io.escapement.perf.rooms;

import io.escapement.perf.rig.Measurements;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** The cost of operations of one kind on some timers. */
public final class TimersSample
{
    /** The histogram holds the cost of this many operations, since one is too short for whole nanoseconds. */
    public static final long SCALE = 1_000;

    private final Histogram histogram = new Histogram(1, TimeUnit.MINUTES.toNanos(1), 3);
    long operations;
    /** Time of all operations, including that of another thread. */
    long ns;
    /** Allocated by all operations. */
    long bytes;
    /** Timers that were due and did not fire. */
    long lost;

    TimersSample()
    {
        histogram.setStartTimeStamp(System.currentTimeMillis());
    }

    void add(final long count, final long tookNs)
    {
        if (count > 0)
        {
            operations += count;
            ns += tookNs;
            final long scaled = Math.max(1, tookNs * SCALE / count);
            histogram.recordValue(Math.min(histogram.getHighestTrackableValue(), scaled));
        }
    }

    Measurements measurements(final String kind, final String operation, final int round)
    {
        histogram.setEndTimeStamp(System.currentTimeMillis());
        return new Measurements()
            .put(TimersPlan.key(kind, operation, round, "operations"), operations)
            .put(TimersPlan.key(kind, operation, round, "ns"), ns)
            .put(TimersPlan.key(kind, operation, round, "bytes"), bytes)
            .put(TimersPlan.key(kind, operation, round, "lost"), lost)
            .add(TimersPlan.series(kind, operation), histogram);
    }
}
