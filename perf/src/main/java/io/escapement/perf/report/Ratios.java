package io.escapement.perf.report;

import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** The ratios of pairs of runs: each run is divided by the other run of its pair. */
public final class Ratios
{
    /** Smaller ratios have more than two decimals. */
    private static final double SMALL = 0.1;

    private final double[] sorted;

    private Ratios(final double[] sorted)
    {
        this.sorted = sorted;
    }

    /** Divide pair by pair; a run without a partner is ignored. */
    public static Ratios of(final List<Double> of, final List<Double> over)
    {
        return new Ratios(IntStream.range(0, Math.min(of.size(), over.size()))
            .mapToDouble((i) -> of.get(i) / over.get(i)).sorted().toArray());
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

    /** Median and range. */
    @Override
    public String toString()
    {
        return 0 == sorted.length ? "no pair" :
            "median " + text(median()) + " (" + text(sorted[0]) + " to " + text(sorted[sorted.length - 1]) + ")";
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
