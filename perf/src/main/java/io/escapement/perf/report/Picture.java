package io.escapement.perf.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A picture in SVG: data between two axes, and a legend below. Text is text and no outline, so a picture is small. */
final class Picture
{
    /** How the points of data are drawn. */
    enum Mark
    {
        LINE, DOT, TRIANGLE
    }

    /** A point in the units of the axes. */
    record Point(double x, double y)
    {
    }

    /** Data with an entry in the legend. */
    record Data(String name, int color, Mark mark, List<Point> points)
    {
    }

    private static final int WIDTH = 900;
    private static final int PLOT_HEIGHT = 340;
    private static final int LEFT = 90;
    private static final int RIGHT = 20;
    private static final int TOP = 15;
    private static final int PLOT_WIDTH = WIDTH - LEFT - RIGHT;
    private static final int BOTTOM = TOP + PLOT_HEIGHT;
    private static final int FONT = 12;
    private static final int TICK_LABEL = 17;
    private static final int X_TITLE = 36;
    private static final int LEGEND = 60;
    private static final int LEGEND_LINE = 18;
    private static final int SAMPLE = 24;
    /** Width of a character, roughly. */
    private static final int CHARACTER = 7;
    private static final double DIGITS = 10;
    /** Distinguishable for colour-blind readers. */
    private static final String[] COLORS = {"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"};

    private final StringBuilder text = new StringBuilder();

    private Picture()
    {
    }

    static String svg(
        final String xTitle, final String yTitle, final Axis x, final Axis y, final List<Data> all)
    {
        final Picture picture = new Picture();
        picture.axes(xTitle, yTitle, x, y);
        all.forEach((data) -> picture.data(data, x, y));
        final int height = picture.legend(all);
        return String.format(Locale.ROOT,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" font-family=\"sans-serif\"" +
            " font-size=\"%d\" fill=\"#222\">%n", WIDTH, height, WIDTH, FONT) + picture.text + "</svg>";
    }

    private void axes(final String xTitle, final String yTitle, final Axis x, final Axis y)
    {
        final StringBuilder grid = new StringBuilder();
        for (final Axis.Tick tick : x.ticks)
        {
            final double at = LEFT + x.share(tick.value()) * PLOT_WIDTH;
            grid.append('M').append(number(at)).append(' ').append(TOP).append('v').append(PLOT_HEIGHT);
            label(at, BOTTOM + TICK_LABEL, "middle", tick.label());
        }
        for (final Axis.Tick tick : y.ticks)
        {
            final double at = BOTTOM - y.share(tick.value()) * PLOT_HEIGHT;
            grid.append('M').append(LEFT).append(' ').append(number(at)).append('h').append(PLOT_WIDTH);
            label(LEFT - FONT / 2.0, at + FONT / 3.0, "end", tick.label());
        }
        text.append("<path d=\"").append(grid).append("\" stroke=\"#ddd\"/>\n");
        label(LEFT + PLOT_WIDTH / 2.0, BOTTOM + X_TITLE, "middle", xTitle);
        text.append("<g transform=\"rotate(-90)\">");
        label(-TOP - PLOT_HEIGHT / 2.0, FONT + 2, "middle", yTitle);
        text.append("</g>\n");
    }

    private void data(final Data data, final Axis x, final Axis y)
    {
        final List<Point> places = new ArrayList<>();
        for (final Point point : data.points)
        {
            final Point place = new Point(
                LEFT + x.share(point.x) * PLOT_WIDTH, BOTTOM - y.share(point.y) * PLOT_HEIGHT);
            if (places.isEmpty() || !isSamePixel(place, places.get(places.size() - 1)))
            {
                places.add(place);
            }
        }
        draw(data, places);
    }

    /** A line through one point would be invisible. */
    private void draw(final Data data, final List<Point> places)
    {
        final String color = COLORS[data.color % COLORS.length];
        if (Mark.LINE == data.mark && places.size() > 1)
        {
            text.append("<polyline fill=\"none\" stroke-width=\"2\" stroke=\"").append(color).append("\" points=\"");
            places.forEach((place) ->
                text.append(number(place.x)).append(',').append(number(place.y)).append(' '));
            text.append("\"/>\n");
        }
        else if (!places.isEmpty())
        {
            final boolean isTriangle = Mark.TRIANGLE == data.mark;
            text.append(isTriangle ? "<path fill=\"" : "<path stroke-width=\"6\" stroke-linecap=\"round\" stroke=\"")
                .append(color).append("\" d=\"");
            places.forEach((place) -> text.append('M').append(number(place.x)).append(' ')
                .append(number(isTriangle ? place.y - 4 : place.y)).append(isTriangle ? "l4 7h-8z" : "h0"));
            text.append("\"/>\n");
        }
    }

    /** Returns the height of the picture. */
    private int legend(final List<Data> all)
    {
        final int longest = all.stream().mapToInt((data) -> data.name.length()).max().orElse(0);
        final int width = longest * CHARACTER + 2 * SAMPLE;
        final int columns = Math.max(1, PLOT_WIDTH / width);
        int y = BOTTOM + LEGEND;
        for (int i = 0; i < all.size(); i++)
        {
            final Data data = all.get(i);
            final int x = LEFT + i % columns * width;
            y = BOTTOM + LEGEND + i / columns * LEGEND_LINE;
            final int middle = y - FONT / 3;
            draw(data, Mark.LINE == data.mark ? List.of(new Point(x, middle), new Point(x + SAMPLE / 2.0, middle)) :
                List.of(new Point(x + SAMPLE / 4.0, middle)));
            label(x + SAMPLE, y, "start", data.name);
        }
        return y + LEGEND_LINE;
    }

    private void label(final double x, final double y, final String anchor, final String label)
    {
        text.append("<text x=\"").append(number(x)).append("\" y=\"").append(number(y)).append("\" text-anchor=\"")
            .append(anchor).append("\">").append(ReportPage.escaped(label)).append("</text>\n");
    }

    private static boolean isSamePixel(final Point one, final Point other)
    {
        return Math.round(one.x) == Math.round(other.x) && Math.round(one.y) == Math.round(other.y);
    }

    /** With one decimal at most, since more are invisible. */
    private static String number(final double value)
    {
        final double rounded = Math.round(value * DIGITS) / DIGITS;
        return rounded == Math.rint(rounded) ? Long.toString((long)rounded) : Double.toString(rounded);
    }
}
