package io.escapement.perf.report;

import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.Collection;
import java.util.Locale;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.DoubleFunction;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;

/** An axis of a picture, from its first tick to its last: ticks by value, and a scale on which it is even. */
record Axis(NavigableMap<Double, String> labelByTickMap, DoubleUnaryOperator scale)
{
    private static final int[] STEPS = {1, 2, 5};
    private static final int[] DECADES = {1};
    /** Decades that have room for more than one tick each. */
    private static final int FEW_DECADES = 4;
    private static final int LINEAR_STEPS = 5;
    private static final int TEN = 10;

    private Axis(final Collection<Double> ticks, final DoubleFunction<String> label, final DoubleUnaryOperator scale)
    {
        this(new TreeMap<>(), scale);
        ticks.forEach((tick) -> labelByTickMap.put(tick, label.apply(tick)));
    }

    /** From 0 to the first even step that is not below a value. */
    static Axis linear(final double most)
    {
        final double top = most > 0 ? most : 1;
        final double step = steps(top / LINEAR_STEPS, top, STEPS).ceiling(top / LINEAR_STEPS);
        return new Axis(IntStream.rangeClosed(0, (int)Math.ceil(top / step)).mapToObj((i) -> i * step).toList(),
            Axis::label, DoubleUnaryOperator.identity());
    }

    /** Between two ticks around values that are positive. It has no 0. A 0 is drawn at the low end. */
    static Axis logarithmic(final double least, final double most)
    {
        final NavigableSet<Double> steps =
            steps(least, most, Math.log10(most / least) > FEW_DECADES ? DECADES : STEPS);
        return new Axis(steps.subSet(steps.floor(least), true, steps.higher(most), true), Axis::label, Math::log10);
    }

    /** Of percentiles by the number of their nines: 1 is 90 %, 2 is 99 %. */
    static Axis nines(final double most)
    {
        return new Axis(IntStream.rangeClosed(0, (int)Math.max(1, Math.ceil(most))).mapToObj(Double::valueOf).toList(),
            (nines) -> label(100 - 100 * Math.pow(TEN, -nines)) + "%", DoubleUnaryOperator.identity());
    }

    /** From 0 to 1; a value beyond an end is at the end. */
    double share(final double value)
    {
        final double low = scale.applyAsDouble(labelByTickMap.firstKey());
        final double high = scale.applyAsDouble(labelByTickMap.lastKey());
        return Math.max(0, Math.min(1, (scale.applyAsDouble(value) - low) / (high - low)));
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
