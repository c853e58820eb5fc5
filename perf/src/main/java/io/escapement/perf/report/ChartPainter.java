package io.escapement.perf.report;

import java.awt.Color;
import java.io.IOException;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import org.apache.batik.svggen.SVGGeneratorContext;
import org.apache.batik.svggen.SVGGraphics2D;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws series as SVG for embedding in a page. */
final class ChartPainter
{
    private static final int WIDTH = 900;
    private static final int HEIGHT = 420;
    private static final int MARKER_SIZE = 4;
    private static final int TICKS_PER_HALF = 5;
    private static final double MS = 1_000.0;
    private static final String DECIMALS = "#,##0.###";
    /** Distinguishable for colour-blind readers. */
    private static final Color[] COLORS = {
        new Color(0x0072B2), new Color(0xD55E00), new Color(0x009E73), new Color(0xCC79A7), new Color(0xE69F00),
        new Color(0x56B4E9)};
    private static final double MEDIAN = 50;
    private static final double TAIL = 99;

    private ChartPainter()
    {
    }

    /** Value by percentile, on an axis of nines. */
    static String percentiles(final Chart chart, final List<Series> all)
    {
        final XYChart drawn = chart(chart, "percentile").build();
        drawn.getStyler().setYAxisLogarithmic(true).setYAxisDecimalPattern(DECIMALS)
            .setxAxisTickLabelsFormattingFunction(ChartPainter::percentileOf);
        for (int i = 0; i < all.size(); i++)
        {
            final List<Double> x = new ArrayList<>();
            final List<Double> y = new ArrayList<>();
            for (final HistogramIterationValue step : all.get(i).total().percentiles(TICKS_PER_HALF))
            {
                final double beyond = 1 - step.getPercentileLevelIteratedTo() / 100;
                if (beyond > 0)
                {
                    x.add(-Math.log10(beyond));
                    y.add(step.getValueIteratedTo() / chart.scale());
                }
            }
            if (!x.isEmpty())
            {
                drawn.addSeries(all.get(i).name(), x, y).setMarker(SeriesMarkers.NONE).setLineColor(color(i));
            }
        }
        return svg(drawn);
    }

    /** Median and 99th percentile of every interval, by the time of its end. */
    static String overTime(final Chart chart, final List<Series> all)
    {
        final XYChart drawn = chart(chart, "seconds").build();
        drawn.getStyler().setDefaultSeriesRenderStyle(XYSeries.XYSeriesRenderStyle.Scatter)
            .setYAxisLogarithmic(true).setYAxisDecimalPattern(DECIMALS).setMarkerSize(MARKER_SIZE);
        final long startMs = all.stream().flatMap((series) -> series.intervals().stream())
            .mapToLong(Histogram::getStartTimeStamp).min().orElse(0);
        for (int i = 0; i < all.size(); i++)
        {
            add(drawn, all.get(i), startMs, MEDIAN).setMarkerColor(color(i)).setMarker(SeriesMarkers.CIRCLE);
            add(drawn, all.get(i), startMs, TAIL).setMarkerColor(color(i)).setMarker(SeriesMarkers.TRIANGLE_UP);
        }
        return svg(drawn);
    }

    private static XYSeries add(
        final XYChart drawn, final Series series, final long startMs, final double percentile)
    {
        final List<Double> x = new ArrayList<>();
        final List<Double> y = new ArrayList<>();
        for (final Histogram interval : series.intervals())
        {
            x.add((interval.getEndTimeStamp() - startMs) / MS);
            y.add(interval.getValueAtPercentile(percentile) / series.chart().scale());
        }
        return drawn.addSeries(String.format(Locale.ROOT, "%s p%.0f", series.name(), percentile), x, y);
    }

    private static Color color(final int index)
    {
        return COLORS[index % COLORS.length];
    }

    private static XYChartBuilder chart(final Chart chart, final String xTitle)
    {
        return new XYChartBuilder().width(WIDTH).height(HEIGHT).theme(Styler.ChartTheme.GGPlot2)
            .xAxisTitle(xTitle).yAxisTitle(chart.title() + ", " + chart.unit());
    }

    private static String percentileOf(final double nines)
    {
        final int decimals = Math.max(0, (int)Math.ceil(nines) - 2);
        return String.format(Locale.ROOT, "%." + decimals + "f%%", 100 - 100 * Math.pow(10, -nines));
    }

    private static String svg(final XYChart chart)
    {
        try
        {
            final SVGGeneratorContext context = SVGGeneratorContext.createDefault(
                DocumentBuilderFactory.newInstance().newDocumentBuilder().newDocument());
            // More decimals are invisible and double the size of the page.
            context.setPrecision(1);
            final SVGGraphics2D graphics = new SVGGraphics2D(context, false);
            chart.paint(graphics, WIDTH, HEIGHT);
            final StringWriter out = new StringWriter();
            graphics.stream(graphics.getRoot(), out, true, false);
            final String text = out.toString();
            return text.substring(text.indexOf("<svg")).replaceFirst("<svg",
                String.format(Locale.ROOT, "<svg viewBox=\"0 0 %d %d\" width=\"%d\"", WIDTH, HEIGHT, WIDTH));
        }
        catch (final ParserConfigurationException | IOException ex)
        {
            throw new IllegalStateException(ex);
        }
    }
}
