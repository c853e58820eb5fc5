package io.escapement.console;

import io.escapement.engine.monitor.MonitorContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import org.HdrHistogram.IntCountsHistogram;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;

/**
 * Frame lateness of each loop over the last 10 seconds, the last 5 minutes and since the start, and one column of a
 * heat map per second. The other measurements cover the last 10 seconds. The monitor's thread adds to it, once per
 * interval.
 *
 * <p>Windows are made of parts: ten parts of one second each, and thirty of ten seconds each. Two significant digits
 * take 15 KB per part and 0.6 MB per loop.
 */
final class LatencyHistory implements MonitorContext.IntervalListener
{
    /** Columns of the heat map: five minutes. */
    static final int COLUMNS = 300;
    /** Rows of the heat map: powers of two, from 1 us. */
    static final int ROWS = 24;
    /** Points of a curve: x = 1 / (1 - q) is 10 to the power of i / 4. */
    static final int POINTS = 25;

    private static final long MAX_NS = TimeUnit.MINUTES.toNanos(1);
    private static final int DIGITS = 2;
    private static final int SHORT_PARTS = 10;
    private static final int LONG_PARTS = 30;
    private static final int LONG_SECONDS = 10;
    private static final long NS_A_US = 1_000;
    private static final double POINTS_A_DECADE = 4;
    private static final String LATENESS = "frameLateness";
    private static final List<String> OTHERS = List.of("frameWork", "ringWait", "commandWork", "commitWait");

    /** A percentile curve's window. */
    enum Window
    {
        SHORT, LONG, ALL
    }

    private final NanoClock clock;
    private final List<Loop> loops = new ArrayList<>();

    /** The histograms of a loop. */
    private static final class Loop
    {
        private final Parts shortParts = new Parts(SHORT_PARTS);
        private final Parts longParts = new Parts(LONG_PARTS);
        private final Histogram all = newHistogram();
        private final int[][] columns = new int[COLUMNS][ROWS];
        private final List<Parts> others = List.of(
            new Parts(SHORT_PARTS), new Parts(SHORT_PARTS), new Parts(SHORT_PARTS), new Parts(SHORT_PARTS));
    }

    /** A sliding window of histograms. */
    private static final class Parts
    {
        private final IntCountsHistogram[] parts;
        private final Histogram sum = newHistogram();

        Parts(final int count)
        {
            parts = new IntCountsHistogram[count];
            for (int i = 0; i < count; i++)
            {
                parts[i] = new IntCountsHistogram(MAX_NS, DIGITS);
            }
        }

        Histogram sum()
        {
            sum.reset();
            for (final IntCountsHistogram part : parts)
            {
                if (0 != part.getTotalCount())
                {
                    sum.add(part);
                }
            }
            return sum;
        }
    }

    private long second = -1;

    LatencyHistory()
    {
        this(SystemNanoClock.INSTANCE);
    }

    LatencyHistory(final NanoClock clock)
    {
        this.clock = clock;
    }

    @Override
    public synchronized void onInterval(final int number, final String measurement, final Histogram interval)
    {
        advance();
        while (loops.size() <= number)
        {
            loops.add(new Loop());
        }
        final Loop loop = loops.get(number);
        if (0 == interval.getTotalCount())
        {
            return;
        }
        if (LATENESS.equals(measurement))
        {
            loop.shortParts.parts[(int)(second % SHORT_PARTS)].add(interval);
            loop.longParts.parts[(int)(second / LONG_SECONDS % LONG_PARTS)].add(interval);
            loop.all.add(interval);
            final int[] column = loop.columns[(int)(second % COLUMNS)];
            for (final HistogramIterationValue value : interval.recordedValues())
            {
                column[row(value.getValueIteratedTo())] += (int)value.getCountAddedInThisIterationStep();
            }
        }
        else if (OTHERS.contains(measurement))
        {
            loop.others.get(OTHERS.indexOf(measurement)).parts[(int)(second % SHORT_PARTS)].add(interval);
        }
    }

    /** The second of the newest column, by an arbitrary origin. */
    synchronized long second()
    {
        advance();
        return second;
    }

    /**
     * The percentile curve of a loop's frame lateness.
     *
     * @return us at each point that the number of frames reaches. Empty without frames.
     */
    synchronized double[] curve(final int number, final Window window)
    {
        if (number >= loops.size())
        {
            return new double[0];
        }
        advance();
        final Loop loop = loops.get(number);
        final Histogram histogram = switch (window)
        {
            case SHORT -> loop.shortParts.sum();
            case LONG -> loop.longParts.sum();
            case ALL -> loop.all;
        };
        final long count = histogram.getTotalCount();
        int points = 0;
        while (points < POINTS && Math.pow(10, points / POINTS_A_DECADE) <= count)
        {
            points++;
        }
        final double[] us = new double[points];
        for (int i = 0; i < points; i++)
        {
            us[i] = us(histogram.getValueAtPercentile(100 - 100 / Math.pow(10, i / POINTS_A_DECADE)));
        }
        return us;
    }

    /**
     * The median, the 99th percentile and the maximum of the last 10 seconds.
     *
     * @param other 0 for work a frame, 1 for the wait in the ring, 2 for work a command, 3 for the wait for the
     *              log.
     * @return us.
     */
    synchronized double[] summary(final int number, final int other)
    {
        if (number >= loops.size())
        {
            return new double[3];
        }
        advance();
        final Histogram histogram = loops.get(number).others.get(other).sum();
        return new double[]{us(histogram.getValueAtPercentile(50)), us(histogram.getValueAtPercentile(99)),
            us(histogram.getMaxValue())};
    }

    /**
     * A column of the heat map of a loop.
     *
     * @param ofSecond as {@link #second()} counts, at most {@link #COLUMNS} - 1 before it.
     * @return frames per row.
     */
    synchronized int[] column(final int number, final long ofSecond)
    {
        advance();
        final boolean isKept = number < loops.size() && ofSecond >= 0 && ofSecond <= second &&
            ofSecond > second - COLUMNS;
        return isKept ? loops.get(number).columns[(int)(ofSecond % COLUMNS)].clone() : new int[ROWS];
    }

    /** The row of a lateness: row i starts at 2^i us, the first at 0. */
    static int row(final long ns)
    {
        final long us = Math.max(1, ns / NS_A_US);
        return Math.min(ROWS - 1, Long.SIZE - 1 - Long.numberOfLeadingZeros(us));
    }

    /** Clear the parts of the seconds that have started since. */
    private void advance()
    {
        final long now = secondOf(clock.nanoTime());
        if (second < 0)
        {
            second = now;
        }
        for (long i = Math.max(second + 1, now - (long)LONG_PARTS * LONG_SECONDS); i <= now; i++)
        {
            clear(i);
        }
        second = Math.max(second, now);
    }

    private void clear(final long next)
    {
        for (final Loop loop : loops)
        {
            loop.shortParts.parts[(int)(next % SHORT_PARTS)].reset();
            loop.others.forEach((other) -> other.parts[(int)(next % SHORT_PARTS)].reset());
            Arrays.fill(loop.columns[(int)(next % COLUMNS)], 0);
            if (0 == next % LONG_SECONDS)
            {
                loop.longParts.parts[(int)(next / LONG_SECONDS % LONG_PARTS)].reset();
            }
        }
    }

    /** The second of a time. The clock's origin is arbitrary, its time may be negative. */
    static long secondOf(final long ns)
    {
        return TimeUnit.NANOSECONDS.toSeconds(ns - Long.MIN_VALUE / 2);
    }

    private static double us(final long ns)
    {
        return ns / (double)NS_A_US;
    }

    private static Histogram newHistogram()
    {
        return new Histogram(MAX_NS, DIGITS);
    }
}
