package io.escapement.perf.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/** Draws series as SVG for embedding in a page. */
final class ChartPainter
{
    private static final int TICKS_PER_HALF = 5;
    private static final double MS = 1_000.0;
    private static final double MEDIAN = 50;
    private static final double TAIL = 99;

    private ChartPainter()
    {
    }

    /** Value by percentile, on an axis of nines. A curve ends where fewer values than one are beyond it. */
    static String percentiles(final Chart chart, final List<Series> all)
    {
        final List<Picture.Data> drawn = new ArrayList<>();
        for (int i = 0; i < all.size(); i++)
        {
            final Histogram total = all.get(i).total();
            final double mostNines = Math.log10(Math.max(1, total.getTotalCount()));
            final List<Picture.Point> points = new ArrayList<>();
            for (final HistogramIterationValue step : total.percentiles(TICKS_PER_HALF))
            {
                final double nines = -Math.log10(1 - step.getPercentileLevelIteratedTo() / 100);
                points.add(new Picture.Point(
                    Math.min(mostNines, nines), step.getValueIteratedTo() / chart.scale()));
            }
            drawn.add(new Picture.Data(all.get(i).name(), i, Picture.Mark.LINE, points));
        }
        return Picture.svg("percentile", yTitle(chart), Axis.nines(most(drawn, Picture.Point::x)),
            logarithmic(chart, drawn), drawn);
    }

    /**
     * Values of every interval by the time of its end: the median and the 99th percentile, or the only value in a chart
     * of such.
     */
    static String overTime(final Chart chart, final List<Series> all)
    {
        final long startMs = all.stream().flatMap((series) -> series.intervals().stream())
            .mapToLong(Histogram::getStartTimeStamp).min().orElse(0);
        final List<Picture.Data> drawn = new ArrayList<>();
        for (int i = 0; i < all.size(); i++)
        {
            final Series series = all.get(i);
            if (chart.isOverTime())
            {
                drawn.add(new Picture.Data(
                    series.name(), i, Picture.Mark.LINE, points(series, startMs, Histogram::getMaxValue)));
            }
            else
            {
                drawn.add(percentile(series, i, startMs, MEDIAN, Picture.Mark.DOT));
                drawn.add(percentile(series, i, startMs, TAIL, Picture.Mark.TRIANGLE));
            }
        }
        return Picture.svg("seconds", yTitle(chart), Axis.linear(most(drawn, Picture.Point::x)),
            chart.isOverTime() ? Axis.linear(most(drawn, Picture.Point::y)) : logarithmic(chart, drawn), drawn);
    }

    private static Picture.Data percentile(
        final Series series, final int color, final long startMs, final double percentile, final Picture.Mark mark)
    {
        return new Picture.Data(String.format(Locale.ROOT, "%s p%.0f", series.name(), percentile), color, mark,
            points(series, startMs, (interval) -> interval.getValueAtPercentile(percentile)));
    }

    private static List<Picture.Point> points(
        final Series series, final long startMs, final ToDoubleFunction<Histogram> value)
    {
        return series.intervals().stream().filter((interval) -> 0 != interval.getTotalCount())
            .map((interval) -> new Picture.Point((interval.getEndTimeStamp() - startMs) / MS,
                value.applyAsDouble(interval) / series.chart().scale())).toList();
    }

    /** Around the positive values; if there are none, around the least that a histogram can hold. */
    private static Axis logarithmic(final Chart chart, final List<Picture.Data> drawn)
    {
        final double least = drawn.stream().flatMap((data) -> data.points().stream())
            .mapToDouble(Picture.Point::y).filter((y) -> y > 0).min().orElse(1 / chart.scale());
        return Axis.logarithmic(least, Math.max(least, most(drawn, Picture.Point::y)));
    }

    private static double most(final List<Picture.Data> drawn, final ToDoubleFunction<Picture.Point> coordinate)
    {
        return drawn.stream().flatMap((data) -> data.points().stream()).mapToDouble(coordinate).max().orElse(0);
    }

    private static String yTitle(final Chart chart)
    {
        return chart.title() + ", " + chart.unit();
    }
}
