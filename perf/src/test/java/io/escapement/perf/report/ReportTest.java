package io.escapement.perf.report;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class ReportTest
{
    @TempDir
    private Path directory;

    @Test
    void shouldWriteJsonThatIsJson()
    {
        final Json json = new Json()
            .put("text", "a \"quoted\" \\ line\n")
            .put("rounded", 1234567.891)
            .put("small", 0.000012345678)
            .put("zero", 0.0)
            .put("none", Double.NaN)
            .put("whole", 12345678901L)
            .put("list", List.of(new Json().put("a", 1), "b"));
        assertEquals(
            "{\"text\":\"a \\u0022quoted\\u0022 \\u005c line\\u000a\",\"rounded\":1234570," +
                "\"small\":0.0000123457,\"zero\":0,\"none\":null,\"whole\":12345678901,\"list\":[{\"a\":1},\"b\"]}",
            json.toString());
    }

    @Test
    void shouldDivideEachRunByItsOwnNeighbour()
    {
        final Ratios ratios = Ratios.of(List.of(10.0, 30.0, 50.0), List.of(10.0, 10.0, 100.0, 7.0));
        assertEquals(1.0, ratios.median());
        assertEquals("median 1.00 (0.50 to 3.00)", ratios.toString());
        assertEquals("median 1.50 (1.50 to 1.50)", Ratios.of(
            List.of(Double.NaN, 1.0, 1.0, 0.0, 3.0), List.of(1.0, Double.NaN, 0.0, 0.0, 2.0)).toString());
        assertEquals(0.0, Ratios.of(List.of(0.0), List.of(5.0)).median(), "0 is a figure");
        assertEquals(2.5, Ratios.median(List.of(4.0, 1.0, 2.0, 3.0)));
        assertTrue(Double.isNaN(Ratios.of(List.of(), List.of(1.0)).median()));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', useHeadersInDisplayName = true, textBlock = """
        ratios      | null      | against
        1.0         | 0.92 1.05 | median 1.00 (1.00 to 1.00), noise: the null is 0.92 to 1.05
        0.92        | 0.92 1.05 | median 0.92 (0.92 to 0.92), noise: the null is 0.92 to 1.05
        1.05        | 0.92 1.05 | median 1.05 (1.05 to 1.05), noise: the null is 0.92 to 1.05
        0.91        | 0.92 1.05 | median 0.91 (0.91 to 0.91), null 0.92 to 1.05
        1.06        | 0.92 1.05 | median 1.06 (1.06 to 1.06), null 0.92 to 1.05
        0.5 1.0 2.0 | 0.92 1.05 | median 1.00 (0.50 to 2.00), noise: the null is 0.92 to 1.05
        1.01        | 1.02 1.1  | median 1.01 (1.01 to 1.01), noise: the null is 1.00 to 1.10
        0.99        | 0.8 0.98  | median 0.99 (0.99 to 0.99), noise: the null is 0.80 to 1.00
        0.5         | 0.8       | median 0.50 (0.50 to 0.50), null 0.80 to 1.00
        0.05        | ''        | median 0.05000 (0.05000 to 0.05000)
        ''          | 0.92 1.05 | no pair
        """)
    void shouldSayWhetherARatioIsNoise(final String ratios, final String nullRatios, final String against)
    {
        assertEquals(against, ratios(ratios).against(ratios(nullRatios)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', useHeadersInDisplayName = true, textBlock = """
        ratios         | null      | standing          | evidence
        0.7 0.8 0.9    | 0.92 1.05 | ahead of          | 0.80, pairs 0.70 to 0.90, null 0.92 to 1.05
        2.1 2.2 2.4    | 0.92 1.05 | behind            | 2.20, pairs 2.10 to 2.40, null 0.92 to 1.05
        1.02 1.04 1.06 | 0.92 1.05 | level with        | 1.04, pairs 1.02 to 1.06, null 0.92 to 1.05
        0.9 1.2 1.3    | 0.92 1.05 | level with        | 1.20, pairs 0.90 to 1.30, null 0.92 to 1.05
        0.7 0.8 1.1    | 0.92 1.05 | level with        | 0.80, pairs 0.70 to 1.10, null 0.92 to 1.05
        2.26           | 0.85      | behind            | 2.26, one pair, null 0.85 to 1.00
        0.90           | 0.85      | level with        | 0.90, one pair, null 0.85 to 1.00
        0.80           | 0.85      | ahead of          | 0.80, one pair, null 0.85 to 1.00
        1.1 1.2 1.3    | ''        | behind            | 1.20, pairs 1.10 to 1.30, no null
        0.9 1.2 1.3    | ''        | level with        | 1.20, pairs 0.90 to 1.30, no null
        2.26           | ''        | undecided against | 2.26, one pair, no null
        ''             | 0.85      | undecided against | no pair, null 0.85 to 1.00
        """)
    void shouldSayHowTheFirstSideStands(
        final String ratios, final String nullRatios, final String standing, final String evidence)
    {
        final Ratios first = ratios(ratios);
        assertEquals(standing, first.standing(ratios(nullRatios), false));
        assertEquals(evidence, first.evidence(ratios(nullRatios)));
        final Map<String, String> ofMore = Map.of(Ratios.AHEAD, Ratios.BEHIND, Ratios.BEHIND, Ratios.AHEAD);
        assertEquals(ofMore.getOrDefault(standing, standing), first.standing(ratios(nullRatios), true));
    }

    private static Ratios ratios(final String numbers)
    {
        final List<Double> ratios = Stream.of(numbers.split(" ")).filter((number) -> !number.isEmpty())
            .map(Double::valueOf).toList();
        return Ratios.of(ratios, Collections.nCopies(ratios.size(), 1.0));
    }

    @Test
    void shouldNameTheSoftwareAndTheHost() throws IOException
    {
        final Map<String, String> environment = Environment.describe(List.of("-Xmx1m"), List.of("echo", "--rate", "5"));
        assertEquals("echo --rate 5", environment.get("command line"));
        assertEquals("-Xmx1m", environment.get("flags of measured processes"));
        assertTrue(environment.get("version").matches("[0-9]+\\.[0-9].*"), environment.toString());
        assertEquals(System.getProperty("escapement.perf.commit", "unknown"), environment.get("commit"));
        final Path processors = Path.of("/proc/cpuinfo");
        for (final String[] pair : new String[][]{
            {"cpu", "model name"}, {"cpu family", "cpu family"}, {"cpu model", "model"}, {"stepping", "stepping"}})
        {
            final String expected = !Files.exists(processors) ? "unknown" : Files.readAllLines(processors).stream()
                .filter((line) -> line.matches(pair[1] + "\\s*:.*")).findFirst()
                .map((line) -> line.replaceFirst("[^:]*:", "").strip()).orElse("unknown");
            assertEquals(expected, environment.get(pair[0]), pair[0]);
        }
    }

    @Test
    void shouldPutTheEnvironmentIntoTheResult() throws IOException
    {
        final Json result = new Json().put("bench", "test");
        new Report("test", directory, Map.of("cores", "2")).write(result);
        assertEquals("{\"bench\":\"test\",\"environment\":{\"cores\":\"2\"}}", result.toString());
        assertEquals(result + "\n", Files.readString(directory.resolve("result.json")));
    }

    @Test
    void shouldDrawAChartOfOneValuePerIntervalOnce() throws IOException
    {
        final Report report = report();
        report.series(Chart.LATENCY, "one way", List.of(interval(1_000, 5_000), interval(1_100, 9_000)));
        report.series(Chart.overTime("processor time", "cores", 1), "server", List.of(interval(1_000, 2)));
        report.write(new Json());
        final String[] parts = Files.readString(directory.resolve("index.html")).split("<h2>");
        assertTrue(parts[1].startsWith("latency from the planned send</h2>"), parts[1]);
        assertEquals(2, parts[1].split("<svg ").length - 1);
        assertTrue(parts[1].contains(">one way p99</text>"), parts[1]);
        assertTrue(parts[2].startsWith("processor time</h2>"), parts[2]);
        assertEquals(1, parts[2].split("<svg ").length - 1);
        assertTrue(parts[2].contains(">server</text>"), parts[2]);
    }

    @Test
    void shouldKeepIntervalsWithTheirTimesAndAddThemUp() throws IOException
    {
        final Report report = report();
        report.series(Chart.LATENCY, "one way", List.of(interval(1_000, 5_000), interval(2_000, 7_000)));
        report.series(Chart.LATENCY, "nothing", List.of());
        report.write(new Json());
        try (HistogramLogReader reader = new HistogramLogReader(directory.resolve("one-way.hlog").toFile()))
        {
            assertEquals(5_000, ((Histogram)reader.nextIntervalHistogram()).getValueAtPercentile(100), 5);
            final Histogram second = (Histogram)reader.nextIntervalHistogram();
            assertEquals(7_000, second.getMaxValue(), 7);
            assertEquals(2_000, second.getStartTimeStamp());
            assertEquals(2_100, second.getEndTimeStamp());
            assertEquals(null, reader.nextIntervalHistogram());
        }
        assertTrue(Files.readString(directory.resolve("one-way.hdr")).contains("Total count    =            2"));
        assertFalse(Files.exists(directory.resolve("nothing.hdr")));
    }

    @Test
    void shouldShowTextOnThePageAsItIs() throws IOException
    {
        final Report report = report();
        final StringWriter printed = new StringWriter();
        final Table table = new Table(new PrintWriter(printed), "a<b", "longer name");
        table.row(false, "1 & 2", "\"3\"");
        table.row(true, "123456789", "-");
        assertThrows(IllegalArgumentException.class, () -> table.row(false, "alone"));
        assertEquals(List.of("       a<b  longer name", "     1 & 2          \"3\"",
            "  123456789            -  FAILED"), printed.toString().lines().toList());
        report.table(table);
        report.note("x < y");
        report.write(new Json());
        final String page = Files.readString(directory.resolve("index.html"));
        assertTrue(page.contains("<th>a&lt;b</th>") && page.contains("<td>1 &amp; 2</td>") &&
            page.contains("&quot;3&quot;") && page.contains("<p>x &lt; y</p>"), page);
        assertEquals(2, page.split("<tr class=\"failed\">|<td>FAILED</td>").length - 1, page);
    }

    @Test
    void shouldNotStartWhereItCannotReport() throws IOException
    {
        final Path file = Files.createFile(directory.resolve("file"));
        assertThrows(UncheckedIOException.class, () -> new Report("test", file.resolve("report"), Map.of()));
    }

    private Report report()
    {
        return new Report("test", directory, Environment.describe(List.of(), List.of()));
    }

    private static Histogram interval(final long startMs, final long value)
    {
        final Histogram interval = new Histogram(3);
        interval.recordValue(value);
        interval.setStartTimeStamp(startMs);
        interval.setEndTimeStamp(startMs + 100);
        return interval;
    }
}
