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
    /** Standing: no series shows the noise. */
    public static final String UNDECIDED = "undecided against";

    /** Smaller ratios have more than two decimals. */
    private static final double SMALL = 0.1;

    private final List<Double> sorted;

    private Ratios(final List<Double> sorted)
    {
        this.sorted = sorted;
    }

    /** Divide pair by pair. A run without a partner is ignored, and so is a pair with NaN or a divisor of 0. */
    public static Ratios of(final List<Double> of, final List<Double> over)
    {
        return new Ratios(IntStream.range(0, Math.min(of.size(), over.size())).filter((i) -> 0 != over.get(i))
            .mapToObj((i) -> of.get(i) / over.get(i)).filter((ratio) -> !ratio.isNaN()).sorted().toList());
    }

    /** The median of numbers, NaN without any. */
    public static double median(final List<Double> values)
    {
        final double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        final int middle = sorted.length / 2;
        return 0 == sorted.length ? Double.NaN :
            0 == sorted.length % 2 ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle];
    }

    /** The median, NaN without a pair. */
    public double median()
    {
        return median(sorted);
    }

    private double least()
    {
        return sorted.isEmpty() ? Double.NaN : sorted.get(0);
    }

    private double most()
    {
        return sorted.isEmpty() ? Double.NaN : sorted.get(sorted.size() - 1);
    }

    /**
     * Whether these may be the ratios of two equal things: the median is within the range of the null, which always
     * includes 1. False without a pair on either side, because these figures are NaN then.
     *
     * @param nullRatios of two runs of the same thing.
     */
    private boolean isNoise(final Ratios nullRatios)
    {
        return median() >= Math.min(1, nullRatios.least()) && median() <= Math.max(1, nullRatios.most());
    }

    /**
     * How the divided side compares with the other.
     *
     * @param nullRatios   of two runs of the same thing.
     * @param isMoreBetter whether a greater figure is better.
     */
    public String standing(final Ratios nullRatios, final boolean isMoreBetter)
    {
        if (sorted.isEmpty() || 1 == sorted.size() && nullRatios.sorted.isEmpty())
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
        final String pairs = sorted.size() > 1 ? "pairs " + range(least(), most()) : "one pair";
        return (sorted.isEmpty() ? "no pair" : text(median()) + ", " + pairs) +
            (nullRatios.sorted.isEmpty() ? ", no null" : ", null " + nullRatios.rangeWithOne());
    }

    /** Median and range, and how they compare with the null, if both have a pair. */
    public String against(final Ratios nullRatios)
    {
        return sorted.isEmpty() || nullRatios.sorted.isEmpty() ? toString() :
            this + (isNoise(nullRatios) ? ", noise: the null is " : ", null ") + nullRatios.rangeWithOne();
    }

    /** Put median and range, NaN without a pair. */
    public Json putTo(final Json json, final String key)
    {
        return json.put(key, median()).put(key + "Least", least()).put(key + "Most", most());
    }

    /** Median and range. */
    @Override
    public String toString()
    {
        return sorted.isEmpty() ? "no pair" : "median " + text(median()) + " (" + range(least(), most()) + ")";
    }

    private String rangeWithOne()
    {
        return range(Math.min(1, least()), Math.max(1, most()));
    }

    private static String range(final double least, final double most)
    {
        return text(least) + " to " + text(most);
    }

    private static String text(final double ratio)
    {
        return String.format(Locale.ROOT, ratio < SMALL ? "%.5f" : "%.2f", ratio);
    }
}
