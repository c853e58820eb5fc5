package io.escapement.perf.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * A group of series, drawn as percentile curves and over time.
 *
 * @param title      of the axis of values.
 * @param unit       of the values shown.
 * @param scale      nanoseconds, or whatever is recorded, in such a unit.
 * @param isOverTime whether each interval holds one value, so that the chart is drawn over time only.
 */
public record Chart(String title, String unit, double scale, boolean isOverTime)
{
    /** Latency from the planned time. */
    public static final Chart LATENCY = new Chart("latency from the planned send", "us", 1_000);

    /** Throughput over blocks of messages. */
    public static final Chart BLOCKS = new Chart("time for 1024 messages", "us", 1_000);

    static final int TICKS_PER_HALF = 5;
    private static final double MS = 1_000.0;

    /** Of intervals with many values each. */
    public Chart(final String title, final String unit, final double scale)
    {
        this(title, unit, scale, false);
    }

    /** Of intervals with one value each. */
    public static Chart overTime(final String title, final String unit, final double scale)
    {
        return new Chart(title, unit, scale, true);
    }

    static Histogram total(final List<Histogram> intervals)
    {
        final Histogram total = new Histogram(3);
        intervals.forEach(total::add);
        return total;
    }

    /** All its pictures, below a heading. */
    String html(final Map<String, List<Histogram>> series)
    {
        return Report.element("h2", title) + "\n" + (isOverTime ? "" :
            "<h3>By percentile</h3>\n" + percentiles(series) + "<h3>Over time</h3>\n") + overTime(series);
    }

    /** Value by percentile, on an axis of nines. A curve ends where fewer values than one are beyond it. */
    String percentiles(final Map<String, List<Histogram>> series)
    {
        final List<Picture.Curve> curves = new ArrayList<>();
        series.forEach((name, intervals) ->
        {
            final Histogram total = total(intervals);
            final double mostNines = Math.log10(Math.max(1, total.getTotalCount()));
            final List<Picture.Point> points = new ArrayList<>();
            for (final HistogramIterationValue step : total.percentiles(TICKS_PER_HALF))
            {
                final double nines = -Math.log10(1 - step.getPercentileLevelIteratedTo() / 100);
                points.add(new Picture.Point(Math.min(mostNines, nines), step.getValueIteratedTo() / scale));
            }
            curves.add(new Picture.Curve(name, curves.size(), Picture.Mark.LINE, points));
        });
        return Picture.figure("percentile", Axis.nines(most(curves, Picture.Point::x)),
            title + ", " + unit, logarithmic(curves), curves);
    }

    /**
     * Values of every interval by the time of its end: the median and the 99th percentile, or the only value in a chart
     * of such.
     */
    String overTime(final Map<String, List<Histogram>> series)
    {
        final long startMs = series.values().stream().flatMap(List::stream)
            .mapToLong(Histogram::getStartTimeStamp).min().orElse(0);
        final List<Picture.Curve> curves = new ArrayList<>();
        int color = 0;
        for (final Map.Entry<String, List<Histogram>> entry : series.entrySet())
        {
            final String name = entry.getKey();
            if (isOverTime)
            {
                curves.add(curve(name, color, Picture.Mark.LINE, entry.getValue(), startMs, 100));
            }
            else
            {
                curves.add(curve(name + " p50", color, Picture.Mark.DOT, entry.getValue(), startMs, 50));
                curves.add(curve(name + " p99", color, Picture.Mark.TRIANGLE, entry.getValue(), startMs, 99));
            }
            color++;
        }
        return Picture.figure("seconds", Axis.linear(most(curves, Picture.Point::x)), title + ", " + unit,
            isOverTime ? Axis.linear(most(curves, Picture.Point::y)) : logarithmic(curves), curves);
    }

    private Picture.Curve curve(
        final String name,
        final int color,
        final Picture.Mark mark,
        final List<Histogram> intervals,
        final long startMs,
        final double percentile)
    {
        return new Picture.Curve(name, color, mark, intervals.stream()
            .filter((interval) -> 0 != interval.getTotalCount())
            .map((interval) -> new Picture.Point((interval.getEndTimeStamp() - startMs) / MS,
                interval.getValueAtPercentile(percentile) / scale)).toList());
    }

    /** Around the positive values; if there are none, around the least that a histogram can hold. */
    private Axis logarithmic(final List<Picture.Curve> curves)
    {
        final double least = curves.stream().flatMap((curve) -> curve.points().stream())
            .mapToDouble(Picture.Point::y).filter((y) -> y > 0).min().orElse(1 / scale);
        return Axis.logarithmic(least, Math.max(least, most(curves, Picture.Point::y)));
    }

    private static double most(final List<Picture.Curve> curves, final ToDoubleFunction<Picture.Point> coordinate)
    {
        return curves.stream().flatMap((curve) -> curve.points().stream()).mapToDouble(coordinate).max().orElse(0);
    }
}
