package io.escapement.perf.report;

import java.io.StringReader;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class ChartTest
{
    private static final int INTERVALS = 40;
    private static final int LARGEST = 20_000;
    private static final Chart CORES = Chart.overTime("processor time", "cores", 1e3);

    private final Random random = new Random(7);

    @Test
    void shouldHaveTicksAroundTheValuesOfALogarithm()
    {
        assertTicks(Axis.logarithmic(3, 60), "2", "5", "10", "20", "50", "100");
        assertTicks(Axis.logarithmic(0.07, 0.08), "0.05", "0.1");
        assertTicks(Axis.logarithmic(0.3, 20_000), "0.1", "1", "10", "100", "1,000", "10,000", "100,000");
        assertTicks(Axis.logarithmic(100, 100), "100", "200");
        final Axis axis = Axis.logarithmic(1, 99);
        assertEquals(0, axis.share(1));
        assertEquals(0.5, axis.share(10), 1e-9);
        assertEquals(1, axis.share(100), 1e-9);
        assertEquals(0, axis.share(0), "it has no 0");
    }

    @Test
    void shouldStartAtZeroWithEvenSteps()
    {
        assertTicks(Axis.linear(7), "0", "2", "4", "6", "8");
        assertTicks(Axis.linear(0.37), "0", "0.1", "0.2", "0.3", "0.4");
        assertTicks(Axis.linear(4_000), "0", "1,000", "2,000", "3,000", "4,000");
        assertTicks(Axis.linear(0), "0", "0.2", "0.4", "0.6", "0.8", "1");
        assertEquals(0.25, Axis.linear(7).share(2));
    }

    @Test
    void shouldNameNines()
    {
        final Axis axis = Axis.nines(4.3);
        assertTicks(axis, "0%", "90%", "99%", "99.9%", "99.99%", "99.999%");
        assertEquals(1, axis.share(5));
        assertEquals(0.5, axis.share(2.5));
        assertTicks(Axis.nines(0), "0%", "90%");
    }

    @Test
    void shouldHaveFewTicksWhateverTheValuesAre()
    {
        for (double most = 1e-3; most < 1e9; most *= 3)
        {
            assertTrue(Axis.linear(most).labelByTickMap().size() <= 7, "linear");
            assertTrue(Axis.logarithmic(1e-3, most).labelByTickMap().size() <= 15, "logarithm");
        }
    }

    @Test
    void shouldWriteTextAsText() throws Exception
    {
        final Map<String, List<Histogram>> all = new LinkedHashMap<>();
        for (final String name : List.of("raw", "engine"))
        {
            // With a tail over three decades, for four seconds.
            all.put(name, IntStream.range(0, INTERVALS).mapToObj((i) -> interval(i * 100L, random.doubles(1_000)
                .mapToLong((value) -> (long)(1_500 / Math.max(1e-3, value))).toArray())).toList());
        }
        final String curves = Chart.LATENCY.percentiles(all);
        assertTexts(curves, "raw", "engine", "percentile", "latency from the planned send, us", "0%", "90%", "99%",
            "99.9%", "99.99%", "1", "2", "5", "10", "1,000");
        final String overTime = Chart.LATENCY.overTime(all);
        assertTexts(overTime, "raw p50", "raw p99", "engine p50", "engine p99", "seconds",
            "latency from the planned send, us", "0", "1", "2", "4", "5", "10");
        assertTrue(curves.length() < LARGEST && overTime.length() < LARGEST,
            "characters: " + curves.length() + ", " + overTime.length());
        assertTrue(curves.contains("width=\"910\"") && curves.contains("viewBox=\"0 0 910 "), curves);
    }

    @Test
    void shouldEscapeText() throws Exception
    {
        final Map<String, List<Histogram>> all = Map.of("a<b & \"c\"", List.of(interval(0, 5_000)));
        assertTexts(Chart.LATENCY.percentiles(all), "a<b & \"c\"");
        assertTexts(new Chart("x > y", "us", 1).overTime(all), "x > y, us", "a<b & \"c\" p50");
    }

    @Test
    void shouldDrawWhateverIsMeasured() throws Exception
    {
        final Histogram untimed = new Histogram(3);
        untimed.recordValue(5_000);
        for (final Map<String, List<Histogram>> all : List.of(
            Map.<String, List<Histogram>>of(),
            Map.of("none", List.<Histogram>of()),
            Map.of("empty", List.of(interval(0))),
            Map.of("one", List.of(interval(0, 5_000))),
            Map.of("equal", List.of(interval(0, 5_000, 5_000, 5_000), interval(100, 5_000))),
            Map.of("zero", List.of(interval(0, 0, 0), interval(100, 0))),
            Map.of("some zero", List.of(interval(0, 0, 3_000, 7_000))),
            Map.of("untimed", List.of(untimed)),
            Map.of("one", List.of(interval(0, 5_000)), "empty", List.of(interval(0))),
            Map.of("wide", List.of(interval(0, 1, 60_000_000_000L)))))
        {
            for (final String name : all.keySet())
            {
                assertTexts(Chart.LATENCY.percentiles(all), name);
                assertTexts(Chart.LATENCY.overTime(all), name + " p50", name + " p99");
                assertTexts(CORES.overTime(all), name);
            }
            parsed(Chart.LATENCY.percentiles(all));
            parsed(Chart.LATENCY.overTime(all));
            parsed(CORES.overTime(all));
        }
    }

    @Test
    void shouldShowOneValueAsADotAndZeroAtTheLowEnd() throws Exception
    {
        // The value is the low tick of 1 us at 0 %.
        assertPaths(Chart.LATENCY.percentiles(Map.of("one", List.of(interval(0, 1_000)))), "M90 355h0");
        final Element curves = parsed(Chart.LATENCY.percentiles(
            Map.of("some", List.of(interval(0, 0, 3_000), interval(100, 0)))));
        assertEquals(List.of("2", "5"), texts(curves, "text").subList(2, 4), "ticks around 3 us");
        assertTrue(paths(curves).get(1).startsWith("M90 355L"), paths(curves).toString());
        final String none = Chart.LATENCY.overTime(Map.of("none", List.of(interval(0, 0, 0))));
        assertTexts(none, "0.001", "0.002");
        assertPaths(none, "M880 355h0", "M880 355m0-4l4 7h-8z");
    }

    @Test
    void shouldDrawNoCurveBeyondTheNumberOfValues() throws Exception
    {
        final Map<String, List<Histogram>> all = new LinkedHashMap<>();
        all.put("hundred", List.of(interval(0, IntStream.rangeClosed(1, 100).mapToLong((i) -> i * 1_000).toArray())));
        all.put("thousands", List.of(interval(0, IntStream.range(0, 10_000).mapToLong((i) -> 1_000 + i).toArray())));
        final List<String> paths = paths(parsed(Chart.LATENCY.percentiles(all)));
        final List<double[]> hundred = points(paths.get(1));
        assertEquals(90, hundred.get(0)[0]);
        assertEquals(485, hundred.get(hundred.size() - 1)[0], "two of four nines");
        final List<double[]> thousands = points(paths.get(2));
        assertEquals(880, thousands.get(thousands.size() - 1)[0]);
        for (int i = 1; i < hundred.size(); i++)
        {
            assertTrue(hundred.get(i)[1] <= hundred.get(i - 1)[1], "a curve falls");
        }
    }

    @Test
    void shouldPlaceIntervalsWithValuesByTheTimeOfTheirEnd() throws Exception
    {
        // 0.1 s and 1 s of a second, 0.1 us and 1 us of 0.1 to 2.
        assertPaths(Chart.LATENCY.overTime(
            Map.of("late", List.of(interval(1_000, 100), interval(1_500), interval(1_900, 1_000)))),
            "M169 355h0M880 93.7h0", "M169 355m0-4l4 7h-8zM880 93.7m0-4l4 7h-8z");
    }

    @Test
    void shouldDrawOneValuePerIntervalOnALineFromZero() throws Exception
    {
        final String cores = CORES.overTime(Map.of("server", IntStream.range(0, INTERVALS)
            .mapToObj((i) -> interval(i * 100L, 0 == i % 2 ? 0 : 1_000)).toList()));
        assertTexts(cores, "server", "processor time, cores", "seconds", "0", "0.2", "1");
        final List<double[]> points = points(paths(parsed(cores)).get(1));
        assertEquals(INTERVALS, points.size());
        assertEquals(355, points.get(0)[1], "0 is at the bottom");
        assertEquals(15, points.get(1)[1], 0.5, "1 is at the top");
    }

    private static void assertTicks(final Axis axis, final String... labels)
    {
        assertEquals(List.of(labels), List.copyOf(axis.labelByTickMap().values()));
    }

    /** Of the axes and the legend. */
    private static void assertTexts(final String figure, final String... expected) throws Exception
    {
        final List<String> texts = texts(parsed(figure), "text");
        for (final String text : expected)
        {
            assertTrue(texts.contains(text), text + " is not in " + texts);
        }
    }

    /** After the grid. */
    private static void assertPaths(final String figure, final String... expected) throws Exception
    {
        final List<String> paths = paths(parsed(figure));
        assertEquals(List.of(expected), paths.subList(1, paths.size()));
    }

    /** Well-formed, and with numbers that are numbers. */
    private static Element parsed(final String figure) throws Exception
    {
        assertFalse(figure.contains("NaN") || figure.contains("Infinity"), figure);
        return DocumentBuilderFactory.newInstance().newDocumentBuilder()
            .parse(new InputSource(new StringReader(figure))).getDocumentElement();
    }

    private static List<String> texts(final Element figure, final String tag)
    {
        final NodeList texts = figure.getElementsByTagName(tag);
        return IntStream.range(0, texts.getLength()).mapToObj((i) -> texts.item(i).getTextContent()).toList();
    }

    private static List<String> paths(final Element figure)
    {
        final NodeList paths = figure.getElementsByTagName("path");
        return IntStream.range(0, paths.getLength())
            .mapToObj((i) -> ((Element)paths.item(i)).getAttribute("d")).toList();
    }

    private static List<double[]> points(final String path)
    {
        return Stream.of(path.substring(1).split("L")).map((point) ->
            Stream.of(point.split(" ")).mapToDouble(Double::parseDouble).toArray()).toList();
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
