package io.escapement.perf.process;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/**
 * What a run found: numbers and intervals of histograms, each by name. A process of the run tells them as lines of text
 * and the tool reads them back.
 */
public final class Findings
{
    private static final String RESULT = "RESULT";
    private static final String INTERVAL = "INTERVAL ";

    private final Map<String, Long> valueByNameMap = new LinkedHashMap<>();
    private final Map<String, List<Histogram>> intervalsByNameMap = new LinkedHashMap<>();

    /**
     * Put a number.
     *
     * @param name  of it, without spaces.
     * @param value of it.
     * @return this.
     */
    public Findings put(final String name, final long value)
    {
        valueByNameMap.put(name, value);
        return this;
    }

    /**
     * Add intervals to those of a series.
     *
     * @param name      of the series, without spaces.
     * @param intervals in the order of time.
     * @return this.
     */
    public Findings add(final String name, final Histogram... intervals)
    {
        intervalsByNameMap.computeIfAbsent(name, (key) -> new ArrayList<>()).addAll(Arrays.asList(intervals));
        return this;
    }

    /**
     * Take over what another part of the run found.
     *
     * @param other with names of its own.
     * @return this.
     */
    public Findings addAll(final Findings other)
    {
        valueByNameMap.putAll(other.valueByNameMap);
        intervalsByNameMap.putAll(other.intervalsByNameMap);
        return this;
    }

    /**
     * The numbers whose names begin alike.
     *
     * @param start of the names.
     * @return the numbers by what follows the start, in the order in which they were put.
     */
    public Map<String, Long> values(final String start)
    {
        final Map<String, Long> values = new LinkedHashMap<>();
        valueByNameMap.forEach((name, value) ->
        {
            if (name.startsWith(start))
            {
                values.put(name.substring(start.length()), value);
            }
        });
        return values;
    }

    /**
     * A number.
     *
     * @param name of it.
     * @return its value.
     */
    public long value(final String name)
    {
        final Long value = valueByNameMap.get(name);
        if (null == value)
        {
            throw new IllegalStateException("the run did not tell " + name);
        }
        return value;
    }

    /**
     * The intervals of a series.
     *
     * @param name of the series.
     * @return its intervals, none when there is no such series.
     */
    public List<Histogram> intervals(final String name)
    {
        return intervalsByNameMap.getOrDefault(name, List.of());
    }

    /**
     * All intervals of a series in one.
     *
     * @param name of the series.
     * @return a new histogram.
     */
    public Histogram total(final String name)
    {
        final Histogram total = new Histogram(3);
        for (final Histogram interval : intervals(name))
        {
            total.add(interval);
        }
        return total;
    }

    /**
     * Tell everything.
     *
     * @param parent that hears the lines.
     */
    public void tell(final Consumer<String> parent)
    {
        intervalsByNameMap.forEach((name, intervals) ->
            intervals.forEach((interval) -> parent.accept(INTERVAL + name + " " + interval.getStartTimeStamp() +
                " " + interval.getEndTimeStamp() + " " + encode(interval))));
        final StringBuilder result = new StringBuilder(RESULT);
        valueByNameMap.forEach((name, value) -> result.append(' ').append(name).append('=').append(value));
        parent.accept(result.toString());
    }

    /**
     * Wait for what a process tells.
     *
     * @param child  to listen to.
     * @param others hears the lines that are none of it.
     * @return the findings.
     */
    public static Findings await(final Child child, final Consumer<String> others)
    {
        final Findings findings = new Findings();
        final String result = child.await(RESULT, (line) ->
        {
            if (line.startsWith(INTERVAL))
            {
                final String[] words = line.split(" ");
                final Histogram interval = decode(words[4]);
                interval.setStartTimeStamp(Long.parseLong(words[2]));
                interval.setEndTimeStamp(Long.parseLong(words[3]));
                findings.add(words[1], interval);
            }
            else
            {
                others.accept(line);
            }
        });
        for (final String word : result.split(" "))
        {
            final int equals = word.indexOf('=');
            if (equals > 0)
            {
                findings.put(word.substring(0, equals), Long.parseLong(word.substring(equals + 1)));
            }
        }
        return findings;
    }

    private static String encode(final Histogram histogram)
    {
        final ByteBuffer bytes = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        final int length = histogram.encodeIntoCompressedByteBuffer(bytes);
        return Base64.getEncoder().encodeToString(Arrays.copyOf(bytes.array(), length));
    }

    private static Histogram decode(final String text)
    {
        try
        {
            return Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(Base64.getDecoder().decode(text)), 0);
        }
        catch (final DataFormatException ex)
        {
            throw new IllegalStateException("a histogram cannot be read", ex);
        }
    }
}
