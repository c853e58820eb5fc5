package io.escapement.server;

import java.util.Arrays;

/**
 * One figure of a process over time, and whether the figure stays flat. The first hour is warm-up, or the first third
 * of a shorter run. The samples after the warm-up have an earlier and a later half. A curve is flat if the median of
 * the later half is at most the median of the earlier half, plus a share of it, plus a few units.
 */
final class Curve
{
    /** A median of fewer samples is a sample. */
    static final int MIN_SAMPLES = 9;

    private static final long HOUR_SECONDS = 3_600;
    private static final int WARM_UP_PARTS = 3;
    private static final double PERCENT = 100;

    private final String name;
    private final double percent;
    private final long units;
    private final long minSeconds;
    private long[] seconds = new long[MIN_SAMPLES];
    private long[] values = new long[MIN_SAMPLES];
    private int count;

    /** A curve that any run judges. */
    Curve(final String name, final double percent, final long units)
    {
        this(name, percent, units, 0);
    }

    /**
     * A curve.
     *
     * @param name       with its unit.
     * @param percent    of the earlier median that the later median may be above it.
     * @param units      that the later median may be above it in addition.
     * @param minSeconds length of the shortest run that judges the curve.
     */
    Curve(final String name, final double percent, final long units, final long minSeconds)
    {
        this.name = name;
        this.percent = percent;
        this.units = units;
        this.minSeconds = minSeconds;
    }

    String name()
    {
        return name;
    }

    long last()
    {
        return values[count - 1];
    }

    /** Add a sample, later than all before. */
    void add(final long atSeconds, final long value)
    {
        if (count == values.length)
        {
            seconds = Arrays.copyOf(seconds, 2 * count);
            values = Arrays.copyOf(values, 2 * count);
        }
        seconds[count] = atSeconds;
        values[count] = value;
        count++;
    }

    /** The growth of the curve in one line with its samples, or null if the curve is flat. */
    String growth()
    {
        if (count < MIN_SAMPLES)
        {
            throw new IllegalStateException(name + ": " + count + " samples, fewer than " + MIN_SAMPLES);
        }
        if (seconds[count - 1] < minSeconds)
        {
            return null;
        }
        final int first = settled();
        final int middle = first + (count - first) / 2;
        final long earlier = median(first, middle);
        final long later = median(middle, count);
        final long limit = earlier + (long)(earlier * percent / PERCENT) + units;
        return later <= limit ? null : name + " grew: median " + later + " of the last " + (count - middle) +
            " samples is above " + limit + ", which is the median " + earlier + " of the " + (middle - first) +
            " samples before them, plus " + percent + " % and " + units + ": " +
            Arrays.toString(Arrays.copyOf(values, count));
    }

    /** The first sample after the warm-up. */
    private int settled()
    {
        final long length = seconds[count - 1] - seconds[0];
        final long end = seconds[0] + Math.min(HOUR_SECONDS, length / WARM_UP_PARTS);
        int first = 0;
        while (seconds[first] < end)
        {
            first++;
        }
        return first;
    }

    private long median(final int from, final int to)
    {
        final long[] sorted = Arrays.copyOfRange(values, from, to);
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
