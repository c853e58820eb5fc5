package io.escapement.perf.process;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * Records values in intervals of equal length, for a percentile distribution and for what it looked like over time.
 * One thread. All its memory is there from the start, so that changing from one interval to the next costs nothing.
 */
public final class IntervalRecorder
{
    /** Intervals of a run unless it is said otherwise. */
    public static final int DEFAULT_INTERVALS = 40;

    private static final long LONGEST = TimeUnit.MINUTES.toNanos(1);
    private static final int DIGITS = 3;

    private final Histogram[] intervals;
    private final long intervalNs;
    private long startNs;
    private long startMs;
    private long nextNs = Long.MAX_VALUE;
    private int current;

    /**
     * Make one.
     *
     * @param plannedNs how long the recording is meant to be; what comes later falls into the last interval.
     * @param count     of intervals.
     */
    public IntervalRecorder(final long plannedNs, final int count)
    {
        intervals = new Histogram[count];
        for (int i = 0; i < count; i++)
        {
            intervals[i] = new Histogram(1, LONGEST, DIGITS);
        }
        intervalNs = Math.max(1, plannedNs / count);
    }

    /**
     * Begin, or begin again without what was recorded.
     *
     * @param nowNs of {@link System#nanoTime()}.
     */
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

    /**
     * Whether {@link #start} was called.
     *
     * @return whether it records.
     */
    public boolean isStarted()
    {
        return 0 != startMs;
    }

    /**
     * Record a value.
     *
     * @param nowNs when it was taken.
     * @param value of it, made to fit from 1 to a minute of nanoseconds.
     */
    public void record(final long nowNs, final long value)
    {
        record(nowNs, value, 1);
    }

    /**
     * Record a value that was taken several times.
     *
     * @param nowNs when it was taken.
     * @param value of it, made to fit from 1 to a minute of nanoseconds.
     * @param times that it was taken.
     */
    public void record(final long nowNs, final long value, final long times)
    {
        while (nowNs >= nextNs && current + 1 < intervals.length)
        {
            current++;
            nextNs += intervalNs;
        }
        intervals[current].recordValueWithCount(Math.max(1, Math.min(LONGEST, value)), times);
    }

    /**
     * The intervals that hold anything, with the wall time of their beginning and end.
     *
     * @param endNs of the recording.
     * @return the first of them is the earliest.
     */
    public Histogram[] stop(final long endNs)
    {
        int count = 0;
        final Histogram[] filled = new Histogram[intervals.length];
        for (int i = 0; i < intervals.length; i++)
        {
            if (0 != intervals[i].getTotalCount())
            {
                final long fromNs = i * intervalNs;
                final long toNs = i + 1 == intervals.length ?
                    Math.max(endNs - startNs, fromNs + intervalNs) : fromNs + intervalNs;
                intervals[i].setStartTimeStamp(startMs + TimeUnit.NANOSECONDS.toMillis(fromNs));
                intervals[i].setEndTimeStamp(startMs + TimeUnit.NANOSECONDS.toMillis(toNs));
                filled[count++] = intervals[i];
            }
        }
        return Arrays.copyOf(filled, count);
    }
}
