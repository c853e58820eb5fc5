package io.escapement.perf.report;

import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** The ratios of pairs of runs: each run is divided by the other run of its pair. */
public final class Ratios
{
    /** Standing of the first side: better, and by more than the noise. */
    public static final String AHEAD = "ahead of";
    /** Standing: the ratio is in the range of the null, or the ratios of the pairs are on both sides of 1. */
    public static final String LEVEL = "level with";
    /** Standing: worse, and by more than the noise. */
    public static final String BEHIND = "behind";
    /** Standing: nothing shows the noise. */
    public static final String UNDECIDED = "undecided against";

    /** Smaller ratios have more than two decimals. */
    private static final double SMALL = 0.1;

    private final double[] sorted;

    private Ratios(final double[] sorted)
    {
        this.sorted = sorted;
    }

    /** Divide pair by pair. A run without a partner is ignored, and so is a pair with NaN or a divisor of 0. */
    public static Ratios of(final List<Double> of, final List<Double> over)
    {
        return new Ratios(IntStream.range(0, Math.min(of.size(), over.size())).filter((i) -> 0 != over.get(i))
            .mapToDouble((i) -> of.get(i) / over.get(i)).filter((ratio) -> !Double.isNaN(ratio)).sorted().toArray());
    }

    /** The median, NaN without a pair. */
    public double median()
    {
        return median(sorted);
    }

    /** The least, NaN without a pair. */
    public double least()
    {
        return 0 == sorted.length ? Double.NaN : sorted[0];
    }

    /** The greatest, NaN without a pair. */
    public double most()
    {
        return 0 == sorted.length ? Double.NaN : sorted[sorted.length - 1];
    }

    /** The median of numbers, NaN without any. */
    public static double median(final List<Double> values)
    {
        return median(values.stream().mapToDouble(Double::doubleValue).sorted().toArray());
    }

    /**
     * Whether these may be the ratios of two equal things: the median is within the range of the null, which always
     * includes 1. False without a pair on either side.
     *
     * @param nullRatios of two runs of the same thing.
     */
    public boolean isNoise(final Ratios nullRatios)
    {
        // Without a pair these are NaN.
        return median() >= nullRatios.leastWithOne() && median() <= nullRatios.mostWithOne();
    }

    /**
     * How the side that is divided stands against the other.
     *
     * @param nullRatios   of two runs of the same thing.
     * @param isMoreBetter whether a greater figure is better.
     */
    public String standing(final Ratios nullRatios, final boolean isMoreBetter)
    {
        if (0 == sorted.length || 1 == sorted.length && 0 == nullRatios.sorted.length)
        {
            return UNDECIDED;
        }
        if (isNoise(nullRatios) || least() <= 1 && most() >= 1)
        {
            return LEVEL;
        }
        return isMoreBetter == median() > 1 ? AHEAD : BEHIND;
    }

    /** The reasons of {@link #standing}: the median, and the ranges of the pairs and of the null. */
    public String evidence(final Ratios nullRatios)
    {
        final String pairs = sorted.length > 1 ? "pairs " + text(least()) + " to " + text(most()) : "one pair";
        return (0 == sorted.length ? "no pair" : text(median()) + ", " + pairs) + ", " +
            (0 == nullRatios.sorted.length ? "no null" : "null " + nullRatios.rangeWithOne());
    }

    /** Median and range, and how they compare with the null, if both have a pair. */
    public String against(final Ratios nullRatios)
    {
        if (0 == sorted.length || 0 == nullRatios.sorted.length)
        {
            return toString();
        }
        return this + (isNoise(nullRatios) ? ", noise: the null is " : ", null ") + nullRatios.rangeWithOne();
    }

    /** Median and range. */
    @Override
    public String toString()
    {
        return 0 == sorted.length ? "no pair" :
            "median " + text(median()) + " (" + text(sorted[0]) + " to " + text(sorted[sorted.length - 1]) + ")";
    }

    private String rangeWithOne()
    {
        return text(leastWithOne()) + " to " + text(mostWithOne());
    }

    private double leastWithOne()
    {
        return Math.min(1, least());
    }

    private double mostWithOne()
    {
        return Math.max(1, most());
    }

    private static String text(final double ratio)
    {
        return String.format(Locale.ROOT, ratio < SMALL ? "%.5f" : "%.2f", ratio);
    }

    private static double median(final double[] sorted)
    {
        if (0 == sorted.length)
        {
            return Double.NaN;
        }
        final int middle = sorted.length / 2;
        return 0 == sorted.length % 2 ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle];
    }
}
