package io.escapement.perf.report;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A picture in SVG: curves between two axes, and a legend below. It is small, because text is text and no outline. */
record Picture(Axis xAxis, Axis yAxis)
{
    /** How the points of a curve are drawn: in the legend, by attributes of a path, and by commands at and between. */
    record Mark(String symbol, String attributes, String at, String between)
    {
        static final Mark LINE = new Mark("\u2501", "fill=\"none\" stroke-width=\"2\" stroke", "", "L");
        static final Mark DOT = new Mark("\u25cf", "stroke-width=\"6\" stroke-linecap=\"round\" stroke", "h0", "M");
        static final Mark TRIANGLE = new Mark("\u25b2", "fill", "m0-4l4 7h-8z", "M");
    }

    /** A point in the units of the axes. */
    record Point(double x, double y)
    {
    }

    /** A curve with an entry in the legend. */
    record Curve(String name, int color, Mark mark, List<Point> points)
    {
    }

    private static final int LEFT = 90;
    private static final int PLOT_WIDTH = 790;
    private static final int TOP = 15;
    private static final int PLOT_HEIGHT = 340;
    private static final int BOTTOM = TOP + PLOT_HEIGHT;
    private static final int FONT = 12;
    private static final int LEGEND_TOP = 410;
    private static final int LEGEND_COLUMNS = 3;
    private static final int LEGEND_WIDTH = 263;
    private static final int LEGEND_HEIGHT = 18;
    private static final double DIGITS = 10;
    /** Distinguishable for colour-blind readers. */
    private static final List<String> COLORS =
        List.of("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9");

    /** As part of a page. */
    String figure(final String xTitle, final String yTitle, final List<Curve> curves)
    {
        return "<figure>\n" + svg(xTitle, yTitle, curves) + "</figure>\n";
    }

    /** As a file, or as part of a page. */
    String svg(final String xTitle, final String yTitle, final List<Curve> curves)
    {
        final int rows = (curves.size() + LEGEND_COLUMNS - 1) / LEGEND_COLUMNS;
        final int height = LEGEND_TOP + rows * LEGEND_HEIGHT;
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 910 " + height + "\" width=\"910\"" +
            " font-family=\"sans-serif\" font-size=\"" + FONT + "\" fill=\"#222\">\n" +
            "<rect width=\"910\" height=\"" + height + "\" fill=\"#fff\"/>\n" + grid() +
            label(LEFT + PLOT_WIDTH / 2.0, BOTTOM + 3 * FONT, "middle", xTitle) + "<g transform=\"rotate(-90)\">" +
            label(-TOP - PLOT_HEIGHT / 2.0, FONT + 2, "middle", yTitle) + "</g>\n" +
            curves.stream().map(this::curve).collect(Collectors.joining()) +
            IntStream.range(0, curves.size()).mapToObj((i) -> legend(curves.get(i), i)).collect(Collectors.joining()) +
            "</svg>\n";
    }

    private String grid()
    {
        final StringBuilder lines = new StringBuilder();
        final StringBuilder labels = new StringBuilder();
        xAxis.labelByTickMap().forEach((tick, label) ->
        {
            lines.append("M" + number(x(tick)) + " " + TOP + "v" + PLOT_HEIGHT);
            labels.append(label(x(tick), BOTTOM + FONT * 1.4, "middle", label));
        });
        yAxis.labelByTickMap().forEach((tick, label) ->
        {
            lines.append("M" + LEFT + " " + number(y(tick)) + "h" + PLOT_WIDTH);
            labels.append(label(LEFT - FONT / 2.0, y(tick) + FONT / 3.0, "end", label));
        });
        return "<path d=\"" + lines + "\" stroke=\"#ddd\"/>\n" + labels;
    }

    /** A line through one point would be invisible. */
    private String curve(final Curve curve)
    {
        final List<String> places = curve.points.stream()
            .map((point) -> number(x(point.x)) + " " + number(y(point.y))).distinct().toList();
        final Mark mark = 1 == places.size() && Mark.LINE == curve.mark ? Mark.DOT : curve.mark;
        return places.isEmpty() ? "" : "<path " + mark.attributes + "=\"" + color(curve) + "\" d=\"M" +
            String.join(mark.at + mark.between, places) + mark.at + "\"/>\n";
    }

    private static String legend(final Curve curve, final int index)
    {
        final int x = LEFT + index % LEGEND_COLUMNS * LEGEND_WIDTH;
        final int y = LEGEND_TOP + index / LEGEND_COLUMNS * LEGEND_HEIGHT;
        return "<g fill=\"" + color(curve) + "\">" + label(x, y, "start", curve.mark.symbol) + "</g>\n" +
            label(x + 1.5 * FONT, y, "start", curve.name);
    }

    private static String color(final Curve curve)
    {
        return COLORS.get(curve.color % COLORS.size());
    }

    private static String label(final double x, final double y, final String anchor, final String label)
    {
        return "<text x=\"" + number(x) + "\" y=\"" + number(y) + "\" text-anchor=\"" + anchor + "\">" +
            Report.escaped(label) + "</text>\n";
    }

    private double x(final double value)
    {
        return LEFT + xAxis.share(value) * PLOT_WIDTH;
    }

    private double y(final double value)
    {
        return BOTTOM - yAxis.share(value) * PLOT_HEIGHT;
    }

    /** With at most one decimal, because more are invisible. */
    private static String number(final double value)
    {
        final double rounded = Math.round(value * DIGITS) / DIGITS;
        return rounded == Math.rint(rounded) ? Long.toString((long)rounded) : Double.toString(rounded);
    }
}
