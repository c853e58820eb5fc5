package io.escapement.perf.report;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
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
        intervals.forEach(total::add);
        return total;
    }

    void write(final Path directory)
    {
        final Path file = directory.resolve(name.replace(' ', '-'));
        try (PrintStream distribution = new PrintStream(file + ".hdr", StandardCharsets.UTF_8);
            PrintStream log = new PrintStream(file + ".hlog", StandardCharsets.UTF_8))
        {
            distribution.println("# " + name + ": " + chart.title() + ", " + chart.unit());
            total().outputPercentileDistribution(distribution, TICKS_PER_HALF, chart.scale());
            writeLog(log);
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
