package io.escapement.perf.report;

import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.Collection;
import java.util.Locale;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;

/**
 * An axis of a picture.
 *
 * @param scale          under which equal distances are equal.
 * @param low            end, on the scale.
 * @param high           end, on the scale.
 * @param labelByTickMap its ticks by value.
 */
record Axis(DoubleUnaryOperator scale, double low, double high, NavigableMap<Double, String> labelByTickMap)
{
    private static final int[] STEPS = {1, 2, 5};
    private static final int[] DECADES = {1};
    /** Decades that have room for more than one tick each. */
    private static final int FEW_DECADES = 4;
    private static final int LINEAR_STEPS = 5;
    private static final int TEN = 10;

    /** From 0 to the first even step that is not below a value. */
    static Axis linear(final double most)
    {
        final double top = most > 0 ? most : 1;
        final double step = steps(top / LINEAR_STEPS, top, STEPS).ceiling(top / LINEAR_STEPS);
        final int count = (int)Math.ceil(top / step);
        return axis(DoubleUnaryOperator.identity(),
            IntStream.rangeClosed(0, count).mapToObj((i) -> i * step).toList());
    }

    /** Between two ticks around values that are positive. It has no 0, whose place is the low end. */
    static Axis logarithmic(final double least, final double most)
    {
        final NavigableSet<Double> steps =
            steps(least, most, Math.log10(most / least) > FEW_DECADES ? DECADES : STEPS);
        return axis(Math::log10, steps.subSet(steps.floor(least), true, steps.higher(most), true));
    }

    /** Of percentiles by the number of their nines: 1 is 90 %, 2 is 99 %. */
    static Axis nines(final double most)
    {
        final double high = Math.max(1, most);
        final NavigableMap<Double, String> ticks = new TreeMap<>();
        for (int nines = 0; nines <= high; nines++)
        {
            ticks.put((double)nines, label(100 - 100 * Math.pow(TEN, -nines)) + "%");
        }
        return new Axis(DoubleUnaryOperator.identity(), 0, high, ticks);
    }

    /** From 0 to 1; a value beyond an end is at the end. */
    double share(final double value)
    {
        return Math.max(0, Math.min(1, (scale.applyAsDouble(value) - low) / (high - low)));
    }

    private static Axis axis(final DoubleUnaryOperator scale, final Collection<Double> values)
    {
        final NavigableMap<Double, String> ticks = new TreeMap<>();
        values.forEach((value) -> ticks.put(value, label(value)));
        return new Axis(
            scale, scale.applyAsDouble(ticks.firstKey()), scale.applyAsDouble(ticks.lastKey()), ticks);
    }

    /** The even steps from below a value to above another. */
    private static NavigableSet<Double> steps(final double least, final double most, final int[] ofDecade)
    {
        final NavigableSet<Double> steps = new TreeSet<>();
        for (int exponent = (int)Math.floor(Math.log10(least)) - 1; exponent <= Math.log10(most) + 1; exponent++)
        {
            for (final int step : ofDecade)
            {
                steps.add(step * Math.pow(TEN, exponent));
            }
        }
        return steps;
    }

    private static String label(final double value)
    {
        return new DecimalFormat("#,##0.############", DecimalFormatSymbols.getInstance(Locale.ROOT)).format(value);
    }
}
