package io.escapement.perf.report;

import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleUnaryOperator;

/** An axis of a picture: the place of a value as a share of its length, and its ticks. */
final class Axis
{
    /** A tick and its label. */
    record Tick(double value, String label)
    {
    }

    private static final int[] STEPS = {1, 2, 5};
    private static final int[] DECADES = {1};
    /** Decades that have room for more than one tick each. */
    private static final int FEW_DECADES = 4;
    private static final int LINEAR_STEPS = 5;
    private static final int TEN = 10;

    private final DoubleUnaryOperator scale;
    private final double low;
    private final double high;
    final List<Tick> ticks;

    private Axis(final DoubleUnaryOperator scale, final double low, final double high, final List<Tick> ticks)
    {
        this.scale = scale;
        this.low = low;
        this.high = high;
        this.ticks = ticks;
    }

    /** From 0 to the first even step that is not below a value. */
    static Axis linear(final double most)
    {
        final double top = most > 0 ? most : 1;
        final double least = top / LINEAR_STEPS;
        final double unit = Math.pow(TEN, Math.floor(Math.log10(least)));
        double step = TEN * unit;
        for (int i = STEPS.length - 1; i >= 0 && STEPS[i] * unit >= least; i--)
        {
            step = STEPS[i] * unit;
        }
        final List<Tick> ticks = new ArrayList<>();
        final int count = (int)Math.ceil(top / step);
        for (int i = 0; i <= count; i++)
        {
            ticks.add(tick(i * step));
        }
        return new Axis(DoubleUnaryOperator.identity(), 0, count * step, ticks);
    }

    /** Between two ticks around values that are positive. It has no 0, whose place is the low end. */
    static Axis logarithmic(final double least, final double most)
    {
        final int[] steps = Math.log10(most / least) > FEW_DECADES ? DECADES : STEPS;
        final List<Tick> ticks = new ArrayList<>();
        for (int exponent = (int)Math.floor(Math.log10(least)) - 1; ticks.isEmpty() || last(ticks) <= most; exponent++)
        {
            for (int i = 0; i < steps.length && (ticks.isEmpty() || last(ticks) <= most); i++)
            {
                final Tick tick = tick(steps[i] * Math.pow(TEN, exponent));
                if (tick.value <= least)
                {
                    ticks.clear();
                }
                ticks.add(tick);
            }
        }
        return new Axis(Math::log10, Math.log10(ticks.get(0).value), Math.log10(last(ticks)), ticks);
    }

    /** Of percentiles by the number of their nines: 1 is 90 %, 2 is 99 %. */
    static Axis nines(final double most)
    {
        final List<Tick> ticks = new ArrayList<>();
        for (int nines = 0; nines <= Math.max(1, most); nines++)
        {
            ticks.add(new Tick(nines, tick(100 - 100 * Math.pow(TEN, -nines)).label + "%"));
        }
        return new Axis(DoubleUnaryOperator.identity(), 0, Math.max(1, most), ticks);
    }

    /** From 0 to 1; a value beyond an end is at the end. */
    double share(final double value)
    {
        return Math.max(0, Math.min(1, (scale.applyAsDouble(value) - low) / (high - low)));
    }

    private static double last(final List<Tick> ticks)
    {
        return ticks.get(ticks.size() - 1).value;
    }

    private static Tick tick(final double value)
    {
        return new Tick(value,
            new DecimalFormat("#,##0.############", DecimalFormatSymbols.getInstance(Locale.ROOT)).format(value));
    }
}
