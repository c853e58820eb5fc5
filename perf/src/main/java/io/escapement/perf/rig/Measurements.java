package io.escapement.perf.rig;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/**
 * The results of a run: numbers and series of histogram intervals, each by name. A measured process writes them to a
 * file, and the tool reads that file.
 */
public final class Measurements
{
    private static final String VALUE = "value";

    private final Map<String, Long> valueByNameMap = new LinkedHashMap<>();
    private final Map<String, List<Histogram>> intervalsByNameMap = new LinkedHashMap<>();

    /** Set a number. The name is without spaces. */
    public Measurements put(final String name, final long value)
    {
        valueByNameMap.put(name, value);
        return this;
    }

    /** Append intervals, in the order of time, to a series. The name is without spaces. */
    public Measurements add(final String name, final Histogram... intervals)
    {
        intervalsByNameMap.computeIfAbsent(name, (key) -> new ArrayList<>()).addAll(List.of(intervals));
        return this;
    }

    /** Merge the measurements of another process, whose names differ. */
    public Measurements addAll(final Measurements other)
    {
        valueByNameMap.putAll(other.valueByNameMap);
        intervalsByNameMap.putAll(other.intervalsByNameMap);
        return this;
    }

    /** The numbers whose names start with a prefix, by the rest of their names. */
    public Map<String, Long> values(final String prefix)
    {
        final Map<String, Long> values = new LinkedHashMap<>();
        valueByNameMap.forEach((name, value) ->
        {
            if (name.startsWith(prefix))
            {
                values.put(name.substring(prefix.length()), value);
            }
        });
        return values;
    }

    /** Whether there is a number of this name. */
    public boolean has(final String name)
    {
        return valueByNameMap.containsKey(name);
    }

    /** A number, which must be present. */
    public long value(final String name)
    {
        final Long value = valueByNameMap.get(name);
        if (null == value)
        {
            throw new IllegalStateException("the run did not report " + name);
        }
        return value;
    }

    /** The intervals of a series, empty if there is no such series. */
    public List<Histogram> intervals(final String name)
    {
        return intervalsByNameMap.getOrDefault(name, List.of());
    }

    /** All intervals of a series merged. */
    public Histogram total(final String name)
    {
        final Histogram total = new Histogram(3);
        intervals(name).forEach(total::add);
        return total;
    }

    /** Replace a file by these measurements. */
    public void write(final Path file)
    {
        try
        {
            Files.deleteIfExists(file);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        append(file);
    }

    /** Append to a file, one number or interval a line. */
    public void append(final Path file)
    {
        final List<String> lines = new ArrayList<>();
        valueByNameMap.forEach((name, value) -> lines.add(VALUE + " " + name + " " + value));
        intervalsByNameMap.forEach((name, intervals) -> intervals.forEach((interval) -> lines.add("interval " + name +
            " " + interval.getStartTimeStamp() + " " + interval.getEndTimeStamp() + " " + encode(interval))));
        try
        {
            Files.write(file, lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** Read a file that {@link #append} wrote. */
    public static Measurements read(final Path file)
    {
        final Measurements measurements = new Measurements();
        try
        {
            for (final String line : Files.readAllLines(file))
            {
                final String[] words = line.split(" ");
                if (VALUE.equals(words[0]))
                {
                    measurements.put(words[1], Long.parseLong(words[2]));
                }
                else
                {
                    final Histogram interval = Histogram.decodeFromCompressedByteBuffer(
                        ByteBuffer.wrap(Base64.getDecoder().decode(words[4])), 0);
                    interval.setStartTimeStamp(Long.parseLong(words[2]));
                    interval.setEndTimeStamp(Long.parseLong(words[3]));
                    measurements.add(words[1], interval);
                }
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        catch (final DataFormatException ex)
        {
            throw new IllegalStateException(file + " holds a damaged histogram", ex);
        }
        return measurements;
    }

    private static String encode(final Histogram histogram)
    {
        final ByteBuffer bytes = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        final int length = histogram.encodeIntoCompressedByteBuffer(bytes);
        return Base64.getEncoder().encodeToString(Arrays.copyOf(bytes.array(), length));
    }
}
