package io.escapement.perf.report;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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
            "{\"text\":\"a \\\"quoted\\\" \\\\ line\\u000a\",\"rounded\":1234570,\"small\":0.0000123457,\"zero\":0," +
                "\"none\":null,\"whole\":12345678901,\"list\":[{\"a\":1},\"b\"]}",
            json.toString());
    }

    @Test
    void shouldDivideEachRunByItsOwnNeighbour()
    {
        final Ratios ratios = Ratios.of(List.of(10.0, 30.0, 50.0), List.of(10.0, 10.0, 100.0, 7.0));
        assertEquals(1.0, ratios.median());
        assertEquals("median 1.00 (0.50 to 3.00)", ratios.toString());
        assertEquals(2.5, Ratios.median(List.of(4.0, 1.0, 2.0, 3.0)));
        assertTrue(Double.isNaN(Ratios.of(List.of(), List.of(1.0)).median()));
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
        final Table table = new Table(new PrintWriter(new StringWriter()), "a<b", "c");
        table.row(false, "1 & 2", "\"3\"");
        assertThrows(IllegalArgumentException.class, () -> table.row(false, "alone"));
        report.table(table);
        report.note("x < y");
        report.write(new Json());
        final String page = Files.readString(directory.resolve("index.html"));
        assertTrue(page.contains("<th>a&lt;b</th>") && page.contains("<td>1 &amp; 2</td>") &&
            page.contains("&quot;3&quot;") && page.contains("<p>x &lt; y</p>"), page);
    }

    @Test
    void shouldNotStartWhereItCannotReport() throws IOException
    {
        final Path file = Files.createFile(directory.resolve("file"));
        assertThrows(UncheckedIOException.class, () -> new Report("test", file.resolve("report"), Map.of()));
    }

    private Report report()
    {
        return new Report("test", directory, Environment.describe(List.of()));
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
