package io.escapement.perf.report;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.io.UnsupportedEncodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/** A measured quantity over all its runs: a curve in the charts, and two files in the report. */
record Series(String name, Chart chart, List<Histogram> intervals)
{
    private static final int TICKS_PER_HALF = 5;
    private static final double MS = 1_000.0;

    Histogram total()
    {
        final Histogram total = new Histogram(3);
        for (final Histogram interval : intervals)
        {
            total.add(interval);
        }
        return total;
    }

    void write(final Path directory)
    {
        final String file = name.replace(' ', '-');
        try (PrintStream out = new PrintStream(
            directory.resolve(file + ".hdr").toFile(), StandardCharsets.UTF_8.name()))
        {
            out.println("# " + name + ": " + chart.title() + ", " + chart.unit());
            total().outputPercentileDistribution(out, TICKS_PER_HALF, chart.scale());
        }
        catch (final FileNotFoundException | UnsupportedEncodingException ex)
        {
            throw new UncheckedIOException(ex);
        }
        try (PrintStream out = new PrintStream(
            directory.resolve(file + ".hlog").toFile(), StandardCharsets.UTF_8.name()))
        {
            writeLog(out);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private void writeLog(final PrintStream out)
    {
        final HistogramLogWriter writer = new HistogramLogWriter(out);
        writer.outputComment("[" + name + ": " + chart.title() + "; values in nanoseconds, maxima in " +
            chart.unit() + "]");
        writer.outputLogFormatVersion();
        final long startMs = intervals.isEmpty() ? 0 : intervals.get(0).getStartTimeStamp();
        writer.outputStartTime(startMs);
        // Explicit, because readers otherwise guess the base from the size of the times.
        writer.outputBaseTime(startMs);
        writer.setBaseTime(startMs);
        writer.outputLegend();
        for (final Histogram interval : intervals)
        {
            writer.outputIntervalHistogram((interval.getStartTimeStamp() - startMs) / MS,
                (interval.getEndTimeStamp() - startMs) / MS, interval, chart.scale());
        }
    }
}
