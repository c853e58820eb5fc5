package io.escapement.perf.report;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The ratios of pairs of runs. A pair's two runs stood side by side, so each is divided by its own neighbour. */
public final class Ratios
{
    /** Two decimals would say little of it. */
    private static final double SMALL = 0.1;

    private final double[] sorted;

    private Ratios(final double[] sorted)
    {
        this.sorted = sorted;
    }

    /**
     * Divide, pair by pair.
     *
     * @param of   runs of one thing.
     * @param over runs of the other, in the same order. A run without a partner is left out.
     * @return the ratios.
     */
    public static Ratios of(final List<Double> of, final List<Double> over)
    {
        final double[] ratios = new double[Math.min(of.size(), over.size())];
        for (int i = 0; i < ratios.length; i++)
        {
            ratios[i] = of.get(i) / over.get(i);
        }
        Arrays.sort(ratios);
        return new Ratios(ratios);
    }

    /**
     * The one in the middle.
     *
     * @return the median, not a number when there is no pair.
     */
    public double median()
    {
        return median(sorted);
    }

    /**
     * The median of some numbers.
     *
     * @param values in any order.
     * @return the median, not a number when there is none.
     */
    public static double median(final List<Double> values)
    {
        final double[] sorted = new double[values.size()];
        for (int i = 0; i < sorted.length; i++)
        {
            sorted[i] = values.get(i);
        }
        Arrays.sort(sorted);
        return median(sorted);
    }

    /** For people: the median and the range. */
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
