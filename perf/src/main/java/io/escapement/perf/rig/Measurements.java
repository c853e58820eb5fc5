package io.escapement.perf.rig;

import io.escapement.perf.report.Json;
import io.escapement.testsupport.JsonReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
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
 * file of JSON, and the tool reads that file. Numbers are strings there, because its reader has doubles.
 */
public final class Measurements
{
    private final Map<String, Long> valueByNameMap = new LinkedHashMap<>();
    private final Map<String, List<Histogram>> intervalsByNameMap = new LinkedHashMap<>();

    /** Set a number. */
    public Measurements put(final String name, final long value)
    {
        valueByNameMap.put(name, value);
        return this;
    }

    /** Append intervals, in the order of time, to a series. */
    public Measurements add(final String name, final Histogram... intervals)
    {
        intervalsByNameMap.computeIfAbsent(name, (key) -> new ArrayList<>()).addAll(List.of(intervals));
        return this;
    }

    /** Merge the measurements of another process. Their names differ. */
    public Measurements addAll(final Measurements other)
    {
        valueByNameMap.putAll(other.valueByNameMap);
        intervalsByNameMap.putAll(other.intervalsByNameMap);
        return this;
    }

    /** The numbers with a prefix in their names, by the rest of their names. */
    public Map<String, Long> values(final String prefix)
    {
        final Map<String, Long> values = new LinkedHashMap<>();
        valueByNameMap.keySet().stream().filter((name) -> name.startsWith(prefix))
            .forEach((name) -> values.put(name.substring(prefix.length()), valueByNameMap.get(name)));
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
        if (!has(name))
        {
            throw new IllegalStateException("the run did not report " + name);
        }
        return valueByNameMap.get(name);
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
        final Map<String, String> values = new LinkedHashMap<>();
        valueByNameMap.forEach((name, value) -> values.put(name, value.toString()));
        final Map<String, List<Json>> series = new LinkedHashMap<>();
        intervalsByNameMap.forEach((name, intervals) ->
            series.put(name, intervals.stream().map(Measurements::json).toList()));
        try
        {
            Files.writeString(file, new Json().put("values", values).put("series", series).toString());
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** Read a file that {@link #write} wrote. */
    public static Measurements read(final Path file)
    {
        final Measurements measurements = new Measurements();
        try
        {
            final Map<?, ?> all = (Map<?, ?>)JsonReader.parse(Files.readString(file));
            ((Map<?, ?>)all.get("values")).forEach((name, value) ->
                measurements.put((String)name, Long.parseLong((String)value)));
            for (final Map.Entry<?, ?> series : ((Map<?, ?>)all.get("series")).entrySet())
            {
                for (final Object interval : (List<?>)series.getValue())
                {
                    measurements.add((String)series.getKey(), histogram((Map<?, ?>)interval));
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

    private static Json json(final Histogram interval)
    {
        final ByteBuffer bytes = ByteBuffer.allocate(interval.getNeededByteBufferCapacity());
        final int length = interval.encodeIntoCompressedByteBuffer(bytes);
        return new Json().put("startMs", Long.toString(interval.getStartTimeStamp()))
            .put("endMs", Long.toString(interval.getEndTimeStamp()))
            .put("histogram", Base64.getEncoder().encodeToString(Arrays.copyOf(bytes.array(), length)));
    }

    private static Histogram histogram(final Map<?, ?> json) throws DataFormatException
    {
        final Histogram interval = Histogram.decodeFromCompressedByteBuffer(
            ByteBuffer.wrap(Base64.getDecoder().decode((String)json.get("histogram"))), 0);
        interval.setStartTimeStamp(Long.parseLong((String)json.get("startMs")));
        interval.setEndTimeStamp(Long.parseLong((String)json.get("endMs")));
        return interval;
    }
}
