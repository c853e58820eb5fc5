package io.escapement.perf.rig;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * Records values in histograms of equal intervals, for a percentile curve and for the course over time. One thread. All
 * memory is allocated up front, so the change of an interval costs nothing.
 */
public final class IntervalRecorder
{
    /** Default number of intervals of a run. */
    public static final int DEFAULT_INTERVALS = 40;

    private static final long HIGHEST = TimeUnit.MINUTES.toNanos(1);
    private static final int DIGITS = 3;

    private final Histogram[] intervals;
    private final long intervalNs;
    private long startNs;
    private long startMs;
    private long nextNs = Long.MAX_VALUE;
    private int current;

    /**
     * Create with {@link #DEFAULT_INTERVALS}.
     *
     * @param plannedNs length of the recording; the last interval takes everything later.
     */
    public IntervalRecorder(final long plannedNs)
    {
        this(plannedNs, DEFAULT_INTERVALS);
    }

    IntervalRecorder(final long plannedNs, final int count)
    {
        intervals = new Histogram[count];
        for (int i = 0; i < count; i++)
        {
            intervals[i] = new Histogram(1, HIGHEST, DIGITS);
        }
        intervalNs = Math.max(1, plannedNs / count);
    }

    /** Start, or discard the recording and start again, at a time of {@link System#nanoTime()}. */
    public void start(final long nowNs)
    {
        startNs = nowNs;
        startMs = System.currentTimeMillis();
        for (int i = 0; i <= current; i++)
        {
            intervals[i].reset();
        }
        current = 0;
        nextNs = nowNs + intervalNs;
    }

    /** Whether {@link #start} was called. */
    public boolean isStarted()
    {
        return 0 != startMs;
    }

    /** Record a value, clamped to 1 ns to a minute. */
    public void record(final long nowNs, final long value)
    {
        record(nowNs, value, 1);
    }

    /** Record a value a number of times. */
    public void record(final long nowNs, final long value, final long times)
    {
        while (nowNs >= nextNs && current + 1 < intervals.length)
        {
            current++;
            nextNs += intervalNs;
        }
        intervals[current].recordValueWithCount(Math.max(1, Math.min(HIGHEST, value)), times);
    }

    /** The intervals that hold values, with the wall times of their start and end. */
    public Histogram[] stop(final long endNs)
    {
        final List<Histogram> filled = new ArrayList<>();
        for (int i = 0; i < intervals.length; i++)
        {
            if (0 != intervals[i].getTotalCount())
            {
                final long fromNs = i * intervalNs;
                final long toNs = i + 1 == intervals.length ?
                    Math.max(endNs - startNs, fromNs + intervalNs) : fromNs + intervalNs;
                intervals[i].setStartTimeStamp(startMs + TimeUnit.NANOSECONDS.toMillis(fromNs));
                intervals[i].setEndTimeStamp(startMs + TimeUnit.NANOSECONDS.toMillis(toNs));
                filled.add(intervals[i]);
            }
        }
        return filled.toArray(new Histogram[0]);
    }
}
