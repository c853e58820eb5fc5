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
    static final double MS = 1_000.0;

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
        return Report.element("h2", title) + (isOverTime ? "" :
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
        return new Picture(Axis.nines(most(curves, Picture.Point::x)), logarithmic(curves))
            .figure("percentile", title + ", " + unit, curves);
    }

    /** Median and 99th percentile of every interval by the time of its end, or its only value. */
    String overTime(final Map<String, List<Histogram>> series)
    {
        final long startMs = series.values().stream().flatMap(List::stream)
            .mapToLong(Histogram::getStartTimeStamp).min().orElse(0);
        final List<Picture.Curve> curves = new ArrayList<>();
        series.forEach((name, intervals) ->
        {
            if (isOverTime)
            {
                curves.add(new Picture.Curve(
                    name, curves.size(), Picture.Mark.LINE, points(intervals, startMs, 100)));
            }
            else
            {
                final int color = curves.size() / 2;
                curves.add(new Picture.Curve(
                    name + " p50", color, Picture.Mark.DOT, points(intervals, startMs, 50)));
                curves.add(new Picture.Curve(
                    name + " p99", color, Picture.Mark.TRIANGLE, points(intervals, startMs, 99)));
            }
        });
        return new Picture(Axis.linear(most(curves, Picture.Point::x)),
            isOverTime ? Axis.linear(most(curves, Picture.Point::y)) : logarithmic(curves))
            .figure("seconds", title + ", " + unit, curves);
    }

    private List<Picture.Point> points(final List<Histogram> intervals, final long startMs, final double percentile)
    {
        return intervals.stream().filter((interval) -> 0 != interval.getTotalCount())
            .map((interval) -> new Picture.Point((interval.getEndTimeStamp() - startMs) / MS,
                interval.getValueAtPercentile(percentile) / scale)).toList();
    }

    /** Around the positive values. Without positive values, around the least value of a histogram. */
    Axis logarithmic(final List<Picture.Curve> curves)
    {
        final double least = curves.stream().flatMap((curve) -> curve.points().stream())
            .mapToDouble(Picture.Point::y).filter((y) -> y > 0).min().orElse(1 / scale);
        return Axis.logarithmic(least, Math.max(least, most(curves, Picture.Point::y)));
    }

    static double most(final List<Picture.Curve> curves, final ToDoubleFunction<Picture.Point> coordinate)
    {
        return curves.stream().flatMap((curve) -> curve.points().stream()).mapToDouble(coordinate).max().orElse(0);
    }
}
