package io.escapement.perf.rooms;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** What a number of operations of one kind cost. */
final class TimersSample
{
    /** Costs are kept for so many operations: a single one is too short for whole nanoseconds. */
    static final long SCALE = 1_000;

    private final Histogram histogram = new Histogram(1, TimeUnit.MINUTES.toNanos(1), 3);
    private long operations;
    private long ns;
    private long bytes;
    private long lost;

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

    /** Time of another thread for all of the operations. */
    void addNs(final long tookNs)
    {
        ns += tookNs;
    }

    void bytes(final long allocated)
    {
        bytes += allocated;
    }

    void lost(final long count)
    {
        lost += count;
    }

    long operations()
    {
        return operations;
    }

    long ns()
    {
        return ns;
    }

    long bytes()
    {
        return bytes;
    }

    long lost()
    {
        return lost;
    }

    Histogram histogram()
    {
        histogram.setEndTimeStamp(System.currentTimeMillis());
        return histogram;
    }
}
