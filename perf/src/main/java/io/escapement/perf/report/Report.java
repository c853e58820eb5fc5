package io.escapement.perf.report;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/**
 * The report of a run: a page that needs no other file, the result, and two files per series. Collects its content
 * during the run. {@link #write} writes it, even for a failed run.
 */
public final class Report
{
    private static final String STYLE = """
        body { font: 15px/1.45 sans-serif; margin: 2em auto; max-width: 60em; padding: 0 1em; color: #222; }
        table { border-collapse: collapse; margin: 1em 0; font-variant-numeric: tabular-nums; }
        th, td { padding: .2em .8em; text-align: right; border-bottom: 1px solid #ddd; }
        table.pairs td { text-align: left; }
        .failed { color: #b00020; font-weight: bold; }
        .banner { border: 2px solid #b00020; padding: .5em 1em; }
        figure { margin: 1em 0; }
        svg { max-width: 100%; height: auto; }
        pre { overflow-x: auto; background: #f5f5f5; padding: 1em; }
        """;

    private final String command;
    private final Path directory;
    private final Map<String, String> environment;
    private final Map<String, String> options = new LinkedHashMap<>();
    private final Map<Chart, Map<String, List<Histogram>>> seriesByChartMap = new LinkedHashMap<>();
    private final List<Table> tables = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private final List<String> faults = new ArrayList<>();

    /** Create the directory. If the report cannot be written, the run then does not start. */
    public Report(final String command, final Path directory, final Map<String, String> environment)
    {
        this.command = command;
        this.directory = directory;
        this.environment = environment;
        try
        {
            Files.createDirectories(directory);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("cannot create the report directory " + directory, ex);
        }
    }

    /** Its directory. */
    public Path directory()
    {
        return directory;
    }

    /** Add an option of the run. */
    public void option(final String name, final Object value)
    {
        options.put(name, String.valueOf(value));
    }

    /** Add the intervals of a run, histograms with their times, to a series of a chart. Empty ones are left out. */
    public void series(final Chart chart, final String name, final List<Histogram> intervals)
    {
        if (!intervals.isEmpty())
        {
            seriesByChartMap.computeIfAbsent(chart, (key) -> new LinkedHashMap<>())
                .computeIfAbsent(name, (key) -> new ArrayList<>()).addAll(intervals);
        }
    }

    /** Add a table, to which rows may be added later. */
    public void table(final Table table)
    {
        tables.add(table);
    }

    /** Add a line below the tables. */
    public void note(final String line)
    {
        notes.add(line);
    }

    /** Mark the run as unreliable. */
    public void fault(final String reason)
    {
        faults.add(reason);
    }

    /** Why the run is unreliable, empty if it is not. */
    public List<String> faults()
    {
        return List.copyOf(faults);
    }

    /** Write all files. Faults and the environment are added to the result. */
    public void write(final Json result)
    {
        if (!faults.isEmpty())
        {
            result.put("status", Table.FAILED).put("faults", faults());
        }
        result.put("environment", environment);
        try
        {
            Files.writeString(directory.resolve("environment.txt"), lines(environment));
            Files.writeString(directory.resolve("options.txt"), lines(options));
            Files.writeString(directory.resolve("result.json"), result + "\n");
            for (final Map.Entry<Chart, Map<String, List<Histogram>>> chart : seriesByChartMap.entrySet())
            {
                for (final Map.Entry<String, List<Histogram>> series : chart.getValue().entrySet())
                {
                    write(chart.getKey(), series.getKey(), series.getValue());
                }
            }
            Files.writeString(directory.resolve("index.html"), page(result.toString()));
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private void write(final Chart chart, final String name, final List<Histogram> intervals) throws IOException
    {
        final Path file = directory.resolve(name.replace(' ', '-'));
        try (PrintStream distribution = new PrintStream(file + ".hdr", StandardCharsets.UTF_8);
            PrintStream log = new PrintStream(file + ".hlog", StandardCharsets.UTF_8))
        {
            distribution.println("# " + name + ": " + chart.title() + ", " + chart.unit());
            Chart.total(intervals).outputPercentileDistribution(distribution, Chart.TICKS_PER_HALF, chart.scale());
            final HistogramLogWriter writer = new HistogramLogWriter(log);
            writer.outputComment("[" + name + ": " + chart.title() + "; values in nanoseconds, maxima in " +
                chart.unit() + "]");
            writer.outputLogFormatVersion();
            final long startMs = intervals.get(0).getStartTimeStamp();
            writer.outputStartTime(startMs);
            // Explicit, because readers otherwise guess the base from the size of the times.
            writer.outputBaseTime(startMs);
            writer.outputLegend();
            for (final Histogram interval : intervals)
            {
                writer.outputIntervalHistogram((interval.getStartTimeStamp() - startMs) / Chart.MS,
                    (interval.getEndTimeStamp() - startMs) / Chart.MS, interval, chart.scale());
            }
        }
    }

    private String page(final String result)
    {
        final StringBuilder page = new StringBuilder("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n" +
            "<meta charset=\"utf-8\">\n" + element("title", "perf " + command) + "<style>\n" + STYLE +
            "</style>\n</head>\n<body>\n" + element("h1", "perf " + command));
        if (!faults.isEmpty())
        {
            page.append("<div class=\"failed banner\">" + Table.FAILED + "<ul>\n");
            faults.forEach((fault) -> page.append(element("li", fault)));
            page.append("</ul></div>\n");
        }
        tables.forEach((table) -> page.append(table.html()));
        notes.forEach((note) -> page.append(element("p", note)));
        seriesByChartMap.forEach((chart, series) -> page.append(chart.html(series)));
        return page + pairs("Options", options) + pairs("Environment", environment) + element("h2", "Result") +
            element("pre", result) + "</body>\n</html>\n";
    }

    private static String pairs(final String title, final Map<String, String> pairs)
    {
        return element("h2", title) + "<table class=\"pairs\">\n" + pairs.entrySet().stream()
            .map((pair) -> row("", "td", List.of(pair.getKey(), pair.getValue()))).collect(Collectors.joining()) +
            "</table>\n";
    }

    static String row(final String attributes, final String tag, final List<String> cells)
    {
        return "<tr" + attributes + ">" + cells.stream().map((cell) -> element(tag, cell))
            .collect(Collectors.joining()) + "</tr>\n";
    }

    /** An element that holds plain text. */
    static String element(final String tag, final String text)
    {
        return "<" + tag + ">" + escaped(text) + "</" + tag + ">\n";
    }

    static String escaped(final String plain)
    {
        return plain.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;");
    }

    private static String lines(final Map<String, String> pairs)
    {
        return pairs.entrySet().stream().map((pair) -> pair.getKey() + ": " + pair.getValue() + "\n")
            .collect(Collectors.joining());
    }
}
