package io.escapement.perf.rig;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import org.HdrHistogram.Histogram;

/**
 * Records values in histograms of equal intervals, for a percentile curve and for the course over time. One thread. All
 * memory is allocated up front. The change of an interval therefore does not allocate.
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
    /** The last interval that may hold values. */
    private int last;

    /**
     * Create with {@link #DEFAULT_INTERVALS}.
     *
     * @param plannedNs length of the recording. The last interval takes everything later.
     */
    public IntervalRecorder(final long plannedNs)
    {
        this(plannedNs, DEFAULT_INTERVALS);
    }

    /** Create with a number of intervals. */
    public IntervalRecorder(final long plannedNs, final int count)
    {
        intervals = new Histogram[count];
        Arrays.setAll(intervals, (i) -> new Histogram(1, HIGHEST, DIGITS));
        intervalNs = Math.max(1, plannedNs / count);
    }

    /** Start, or discard the recording and restart, at a time of {@link System#nanoTime()}. */
    public void start(final long nowNs)
    {
        startNs = nowNs;
        startMs = System.currentTimeMillis();
        for (int i = 0; i <= last; i++)
        {
            intervals[i].reset();
        }
        last = 0;
        nextNs = nowNs + intervalNs;
    }

    /** Record a value now, clamped to 1 ns to a minute. */
    public void record(final long nowNs, final long value)
    {
        record(nowNs, value, 1);
    }

    /** Record a value a number of times. */
    public void record(final long nowNs, final long value, final long times)
    {
        while (nowNs >= nextNs && last + 1 < intervals.length)
        {
            last++;
            nextNs += intervalNs;
        }
        intervals[last].recordValueWithCount(Math.max(1, Math.min(HIGHEST, value)), times);
    }

    /** Record a value in the interval of a time that need not be in order. */
    public void recordAt(final long timeNs, final long value)
    {
        final int interval = (int)Math.max(0, Math.min(intervals.length - 1, (timeNs - startNs) / intervalNs));
        last = Math.max(last, interval);
        intervals[interval].recordValue(Math.max(1, Math.min(HIGHEST, value)));
    }

    /**
     * From the start to the first window of whole intervals that fulfils a condition.
     *
     * @param isGood for the values of a window and its length.
     * @return nanoseconds, or -1 if there is no such window.
     */
    public long nsUntil(final long windowNs, final BiPredicate<Histogram, Long> isGood)
    {
        final int length = (int)Math.max(1, Math.min(intervals.length, windowNs / intervalNs));
        for (int first = 0; first + length <= intervals.length; first++)
        {
            final Histogram total = new Histogram(1, HIGHEST, DIGITS);
            Arrays.stream(intervals, first, first + length).forEach(total::add);
            if (isGood.test(total, length * intervalNs))
            {
                return first * intervalNs;
            }
        }
        return -1;
    }

    /** The intervals that hold values, with the wall times of their start and end. */
    public Histogram[] stop(final long endNs)
    {
        for (int i = 0; i < intervals.length; i++)
        {
            final long fromNs = i * intervalNs;
            final long toNs = fromNs + intervalNs;
            intervals[i].setStartTimeStamp(startMs + TimeUnit.NANOSECONDS.toMillis(fromNs));
            intervals[i].setEndTimeStamp(startMs + TimeUnit.NANOSECONDS.toMillis(
                i + 1 == intervals.length ? Math.max(endNs - startNs, toNs) : toNs));
        }
        return Arrays.stream(intervals).filter((interval) -> 0 != interval.getTotalCount()).toArray(Histogram[]::new);
    }
}
