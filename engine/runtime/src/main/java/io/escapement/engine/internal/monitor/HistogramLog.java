package io.escapement.engine.internal.monitor;

import io.escapement.config.ConfigException;
import io.escapement.config.internal.PrivateFiles;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/** Interval histograms of all loops in one {@code .hlog} file, with a tag for each loop and measurement. */
final class HistogramLog implements AutoCloseable
{
    private static final double NS_AS_MS = 1_000_000.0;

    private final PrintStream out;
    private final HistogramLogWriter writer;

    HistogramLog(final Path file, final long nowMs)
    {
        try
        {
            out = new PrintStream(Channels.newOutputStream(PrivateFiles.open(file, StandardOpenOption.WRITE,
                StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING)), false, StandardCharsets.US_ASCII);
        }
        catch (final IOException ex)
        {
            throw new ConfigException("histogramLog", file, "cannot be written: " + ex, ex);
        }
        writer = new HistogramLogWriter(out);
        writer.outputComment("[Escapement: nanoseconds, the maximum column in milliseconds; of turnCommands, numbers]");
        writer.outputStartTime(nowMs);
        writer.setBaseTime(nowMs);
        writer.outputLogFormatVersion();
        writer.outputLegend();
        out.flush();
    }

    void write(final Histogram interval, final boolean isTime)
    {
        if (0 != interval.getTotalCount())
        {
            writer.outputIntervalHistogram(interval.getStartTimeStamp() / 1_000.0, interval.getEndTimeStamp() / 1_000.0,
                interval, isTime ? NS_AS_MS : 1.0);
        }
    }

    void flush()
    {
        out.flush();
    }

    @Override
    public void close()
    {
        writer.close();
    }
}
