package io.escapement.perf.report;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class ChartPainterTest
{
    private static final int INTERVALS = 40;
    private static final int LARGEST = 20_000;
    private static final int LEFT = 90;
    private static final int RIGHT = 880;

    private final Random random = new Random(7);

    @Test
    void shouldWriteTextAsText() throws Exception
    {
        final List<Series> all = List.of(latencies("raw"), latencies("engine"));
        final String curves = ChartPainter.percentiles(Chart.LATENCY, all);
        assertTexts(curves, "raw", "engine", "percentile", "latency from the planned send, us", "0%", "90%", "99%",
            "99.9%", "99.99%", "1", "2", "5", "10", "1,000");
        final String overTime = ChartPainter.overTime(Chart.LATENCY, all);
        assertTexts(overTime, "raw p50", "raw p99", "engine p50", "engine p99", "seconds",
            "latency from the planned send, us", "0", "1", "2", "4", "5", "10");
        assertTrue(curves.length() < LARGEST && overTime.length() < LARGEST,
            "characters: " + curves.length() + ", " + overTime.length());
        assertTrue(curves.contains("width=\"900\"") && curves.contains("viewBox=\"0 0 900 "), curves);
    }

    @Test
    void shouldEscapeText() throws Exception
    {
        final List<Series> all = List.of(series(Chart.LATENCY, "a<b & \"c\"", interval(0, 5_000)));
        assertTexts(ChartPainter.percentiles(Chart.LATENCY, all), "a<b & \"c\"");
        assertTexts(ChartPainter.overTime(new Chart("x > y", "us", 1), all), "x > y, us", "a<b & \"c\" p50");
    }

    @Test
    void shouldDrawWhateverIsMeasured() throws Exception
    {
        final Histogram untimed = new Histogram(3);
        untimed.recordValue(5_000);
        for (final List<Series> all : List.of(
            List.<Series>of(),
            List.of(series(Chart.LATENCY, "none")),
            List.of(series(Chart.LATENCY, "empty", interval(0))),
            List.of(series(Chart.LATENCY, "one", interval(0, 5_000))),
            List.of(series(Chart.LATENCY, "equal", interval(0, 5_000, 5_000, 5_000), interval(100, 5_000))),
            List.of(series(Chart.LATENCY, "zero", interval(0, 0, 0), interval(100, 0))),
            List.of(series(Chart.LATENCY, "some zero", interval(0, 0, 3_000, 7_000))),
            List.of(series(Chart.LATENCY, "untimed", untimed)),
            List.of(series(Chart.LATENCY, "one", interval(0, 5_000)), series(Chart.LATENCY, "empty", interval(0))),
            List.of(series(Chart.LATENCY, "wide", interval(0, 1, 60_000_000_000L)))))
        {
            for (final Chart chart : List.of(Chart.LATENCY, Chart.overTime("cores", "1", 1)))
            {
                final Element curves = parsed(ChartPainter.percentiles(chart, all));
                final Element overTime = parsed(ChartPainter.overTime(chart, all));
                for (final Series series : all)
                {
                    assertTrue(texts(curves).contains(series.name()), series.name());
                    final String name = series.name() + (chart.isOverTime() ? "" : " p99");
                    assertTrue(texts(overTime).contains(name), name);
                }
            }
        }
    }

    @Test
    void shouldShowOneValueAsADot() throws Exception
    {
        final Element curves = parsed(
            ChartPainter.percentiles(Chart.LATENCY, List.of(series(Chart.LATENCY, "one", interval(0, 1_000)))));
        assertEquals(1, curves.getElementsByTagName("polyline").getLength(), "only the line of the legend");
        // The value is the low tick of 1 us at 0 %.
        assertTrue(marks(curves).contains("M90 355h0"), marks(curves).toString());
    }

    @Test
    void shouldShowZeroAtTheLowEndOfALogarithm() throws Exception
    {
        final List<Series> some = List.of(series(Chart.LATENCY, "some", interval(0, 0, 3_000), interval(100, 0)));
        final Element curves = parsed(ChartPainter.percentiles(Chart.LATENCY, some));
        assertEquals(List.of("2", "5"), texts(curves).subList(2, 4), "ticks around 3 us");
        assertEquals(355, points(curves, 0).get(0)[1]);
        final List<Series> none = List.of(series(Chart.LATENCY, "none", interval(0, 0, 0)));
        final Element overTime = parsed(ChartPainter.overTime(Chart.LATENCY, none));
        assertTrue(texts(overTime).containsAll(List.of("0.001", "0.002")), "ticks: " + texts(overTime));
        assertTrue(marks(overTime).contains("M880 355h0"), marks(overTime).toString());
    }

    @Test
    void shouldDrawNothingForAnIntervalWithoutValues() throws Exception
    {
        final Element drawn = parsed(ChartPainter.overTime(Chart.LATENCY,
            List.of(series(Chart.LATENCY, "gap", interval(0, 1_000), interval(100), interval(200, 1_000)))));
        assertTrue(marks(drawn).contains("M353.3 355h0M880 355h0"), marks(drawn).toString());
    }

    @Test
    void shouldDrawNoCurveBeyondTheNumberOfValues() throws Exception
    {
        final Histogram hundred = interval(0, IntStream.rangeClosed(1, 100).mapToLong((i) -> i * 1_000).toArray());
        final Histogram thousands = interval(0, IntStream.range(0, 10_000).mapToLong((i) -> 1_000 + i).toArray());
        final Element curves = parsed(ChartPainter.percentiles(Chart.LATENCY,
            List.of(series(Chart.LATENCY, "hundred", hundred), series(Chart.LATENCY, "thousands", thousands))));
        final List<double[]> hundredPoints = points(curves, 0);
        assertEquals(LEFT, hundredPoints.get(0)[0]);
        assertEquals(LEFT + (RIGHT - LEFT) / 2.0, last(hundredPoints)[0], "two of four nines");
        assertEquals(RIGHT, last(points(curves, 1))[0]);
        double y = Double.MAX_VALUE;
        for (final double[] point : hundredPoints)
        {
            assertTrue(point[1] <= y, "a curve falls");
            y = point[1];
        }
    }

    @Test
    void shouldDrawAPixelOnce() throws Exception
    {
        final Chart cores = Chart.overTime("processor time", "cores", 1e3);
        final Series series = series(cores, "server", IntStream.range(0, 5_000)
            .mapToObj((i) -> interval(i * 100L, i < 2_500 ? 500 : 1_000)).toArray(Histogram[]::new));
        final List<double[]> points = points(parsed(ChartPainter.overTime(cores, List.of(series))), 0);
        for (int i = 1; i < points.size(); i++)
        {
            assertFalse(Math.round(points.get(i)[0]) == Math.round(points.get(i - 1)[0]) &&
                Math.round(points.get(i)[1]) == Math.round(points.get(i - 1)[1]), "twice at a pixel");
        }
        assertTrue(points.size() > 700 && points.size() <= RIGHT - LEFT + 2, "points: " + points.size());
        assertEquals(RIGHT, last(points)[0], 1);
    }

    @Test
    void shouldPlaceIntervalsByTheTimeOfTheirEnd() throws Exception
    {
        final Element drawn = parsed(ChartPainter.overTime(Chart.LATENCY,
            List.of(series(Chart.LATENCY, "late", interval(1_000, 100), interval(1_900, 1_000)))));
        // 0.1 s and 1 s of a second, 0.1 us and 1 us of 0.1 to 2.
        assertTrue(marks(drawn).contains("M169 355h0M880 93.7h0"), marks(drawn).toString());
    }

    @Test
    void shouldDrawOneValuePerIntervalOnALineFromZero() throws Exception
    {
        final Chart cores = Chart.overTime("processor time", "cores", 1e3);
        final Histogram[] intervals = IntStream.range(0, INTERVALS)
            .mapToObj((i) -> interval(i * 100L, 0 == i % 2 ? 0 : 1_000)).toArray(Histogram[]::new);
        final String svg = ChartPainter.overTime(cores, List.of(series(cores, "server", intervals)));
        assertTexts(svg, "server", "processor time, cores", "seconds", "0", "0.2", "1");
        final List<double[]> points = points(parsed(svg), 0);
        assertEquals(INTERVALS, points.size());
        assertEquals(355, points.get(0)[1], "0 is at the bottom");
        assertEquals(15, points.get(1)[1], 0.5, "1 is at the top");
    }

    @Test
    void shouldNameEverySeriesOfManyInTheLegend() throws Exception
    {
        final List<Series> all = IntStream.range(0, 30).mapToObj((i) ->
            series(Chart.LATENCY, "pair " + i + " engine server hiccups", interval(0, 5_000 + i))).toList();
        final Element drawn = parsed(ChartPainter.overTime(Chart.LATENCY, all));
        final double height = Double.parseDouble(drawn.getAttribute("viewBox").split(" ")[3]);
        final NodeList texts = drawn.getElementsByTagName("text");
        int names = 0;
        for (int i = 0; i < texts.getLength(); i++)
        {
            final Element text = (Element)texts.item(i);
            names += text.getTextContent().startsWith("pair ") ? 1 : 0;
            assertTrue(Double.parseDouble(text.getAttribute("y")) < height, "below the picture");
        }
        assertEquals(60, names);
    }

    private static void assertTexts(final String svg, final String... expected) throws Exception
    {
        final List<String> texts = texts(parsed(svg));
        for (final String text : expected)
        {
            assertTrue(texts.contains(text), text + " is not in " + texts);
        }
    }

    /** Well-formed, and with numbers that are numbers. */
    private static Element parsed(final String svg) throws Exception
    {
        assertFalse(svg.contains("NaN") || svg.contains("Infinity"), svg);
        final Element root = DocumentBuilderFactory.newInstance().newDocumentBuilder()
            .parse(new InputSource(new StringReader(svg))).getDocumentElement();
        assertEquals("svg", root.getTagName());
        return root;
    }

    private static List<String> texts(final Element svg)
    {
        final NodeList texts = svg.getElementsByTagName("text");
        return IntStream.range(0, texts.getLength()).mapToObj((i) -> texts.item(i).getTextContent()).toList();
    }

    private static List<String> marks(final Element svg)
    {
        final NodeList paths = svg.getElementsByTagName("path");
        return IntStream.range(0, paths.getLength())
            .mapToObj((i) -> ((Element)paths.item(i)).getAttribute("d")).toList();
    }

    private static List<double[]> points(final Element svg, final int line)
    {
        final List<double[]> points = new ArrayList<>();
        final Element polyline = (Element)svg.getElementsByTagName("polyline").item(line);
        for (final String point : polyline.getAttribute("points").split(" "))
        {
            final String[] numbers = point.split(",");
            points.add(new double[]{Double.parseDouble(numbers[0]), Double.parseDouble(numbers[1])});
        }
        return points;
    }

    private static double[] last(final List<double[]> points)
    {
        return points.get(points.size() - 1);
    }

    /** With a tail over three decades, for four seconds. */
    private Series latencies(final String name)
    {
        return series(Chart.LATENCY, name, IntStream.range(0, INTERVALS).mapToObj((i) ->
            interval(i * 100L, random.doubles(1_000).mapToLong((value) -> (long)(1_500 / Math.max(1e-3, value)))
                .toArray())).toArray(Histogram[]::new));
    }

    private static Series series(final Chart chart, final String name, final Histogram... intervals)
    {
        return new Series(name, chart, List.of(intervals));
    }

    private static Histogram interval(final long startMs, final long... values)
    {
        final Histogram interval = new Histogram(3);
        for (final long value : values)
        {
            interval.recordValue(value);
        }
        interval.setStartTimeStamp(startMs);
        interval.setEndTimeStamp(startMs + 100);
        return interval;
    }
}
