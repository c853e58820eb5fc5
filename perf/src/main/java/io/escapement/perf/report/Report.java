package io.escapement.perf.report;

import java.io.IOException;
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

/**
 * The report of a run. Collects its content during the run; {@link #write} writes it, also for a failed run.
 */
public final class Report
{
    private final String command;
    private final Path directory;
    private final Map<String, String> environment;
    private final Map<String, String> options = new LinkedHashMap<>();
    private final Map<String, Series> seriesByNameMap = new LinkedHashMap<>();
    private final List<Table> tables = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private final List<String> faults = new ArrayList<>();

    /** Create the directory, so that a run whose report cannot be written does not start. */
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
            seriesByNameMap.computeIfAbsent(name, (key) -> new Series(key, chart, new ArrayList<>()))
                .intervals().addAll(intervals);
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
            result.put("status", Table.FAILED).put("faults", List.copyOf(faults));
        }
        result.put("environment", environment);
        write("environment.txt", lines(environment));
        write("options.txt", lines(options));
        write("result.json", result + "\n");
        seriesByNameMap.values().forEach((series) -> series.write(directory));
        write("index.html", page(result));
    }

    private String page(final Json result)
    {
        final ReportPage page = new ReportPage("perf " + command);
        page.faults(faults);
        tables.forEach(page::table);
        page.paragraphs(notes);
        seriesByNameMap.values().stream()
            .collect(Collectors.groupingBy(Series::chart, LinkedHashMap::new, Collectors.toList()))
            .forEach(page::charts);
        page.pairs("Options", options);
        page.pairs("Environment", environment);
        page.code("Result", result.toString());
        return page.end();
    }

    private void write(final String file, final String text)
    {
        try
        {
            Files.writeString(directory.resolve(file), text, StandardCharsets.UTF_8);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private static String lines(final Map<String, String> pairs)
    {
        return pairs.entrySet().stream().map((pair) -> pair.getKey() + ": " + pair.getValue() + "\n")
            .collect(Collectors.joining());
    }
}
