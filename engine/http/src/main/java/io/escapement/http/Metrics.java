package io.escapement.http;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The metrics of a process at one moment, and their exposition in Prometheus' text format, version 0.0.4. Engines and
 * gateways have this one model. A metric has a name in snake case, a help text and a type. Its name has the unit as a
 * suffix: {@code _seconds} or {@code _bytes}. A counter's name has the suffix {@code _total}. Values that differ in one
 * property, such as a code, have one name and a label.
 */
public final class Metrics
{
    private static final String TOTAL = "_total";
    private static final double MS_A_SECOND = 1_000;
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9]*(_[a-z0-9]+)*");

    private final Map<String, Metric> metricByNameMap = new TreeMap<>();

    /** A value of a metric: the part of its name, its labels in order, and the value. */
    record Series(String part, Map<String, String> labels, double value)
    {
    }

    /** A metric and its values. */
    public static final class Metric
    {
        private final String name;
        private final String help;
        private final String type;
        private final Map<String, Series> seriesByTextMap = new LinkedHashMap<>();

        private Metric(final String name, final String help, final String type)
        {
            this.name = name;
            this.help = help;
            this.type = type;
        }

        /**
         * The value of a counter or a gauge.
         *
         * @param labels values by name, any texts or numbers. Empty without labels.
         * @param value  in the metric's unit.
         */
        public Metric value(final Map<String, ?> labels, final double value)
        {
            return value("", labels, value);
        }

        /**
         * A value that belongs to a histogram.
         *
         * @param part   of the name: {@code _count}, {@code _sum}, or {@code _bucket}.
         * @param labels values by name, any texts or numbers. Empty without labels.
         * @param value  in the metric's unit, or a count.
         */
        public Metric value(final String part, final Map<String, ?> labels, final double value)
        {
            final Map<String, String> sorted = new TreeMap<>();
            final StringJoiner text = new StringJoiner(",", "{", "}").setEmptyValue("");
            labels.forEach((label, of) -> sorted.put(label, of.toString()));
            sorted.forEach((label, of) -> text.add(label + "=\"" +
                of.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + "\""));
            final String key = name + part + text;
            if (null != seriesByTextMap.putIfAbsent(key, new Series(part, sorted, value)))
            {
                throw new IllegalStateException(key + ": there are two values");
            }
            return this;
        }

        String name()
        {
            return name;
        }

        String help()
        {
            return help;
        }

        String type()
        {
            return type;
        }

        Collection<Series> series()
        {
            return seriesByTextMap.values();
        }

        private void append(final StringBuilder text)
        {
            text.append("# HELP ").append(name).append(' ').append(help.replace("\\", "\\\\").replace("\n", "\\n"))
                .append("\n# TYPE ").append(name).append(' ').append(type).append('\n');
            seriesByTextMap.forEach((key, series) ->
            {
                text.append(key).append(' ');
                final long whole = (long)series.value();
                if (whole == series.value())
                {
                    text.append(whole);
                }
                else
                {
                    text.append(series.value());
                }
                text.append('\n');
            });
        }
    }

    /** A metric that only increases. Its name has the suffix {@code _total}. */
    public Metric counter(final String name, final String help)
    {
        return metric(name, help, "counter");
    }

    /** A metric that may decrease. */
    public Metric gauge(final String name, final String help)
    {
        return metric(name, help, "gauge");
    }

    /** A metric of {@code _bucket}, {@code _count} and {@code _sum}. */
    public Metric histogram(final String name, final String help)
    {
        return metric(name, help, "histogram");
    }

    /** Add the memory of this JVM, and the time of its collections. */
    public Metrics jvm()
    {
        final MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        final Metric used = gauge("escapement_jvm_memory_used_bytes", "Bytes of the JVM in use, by area.")
            .value(Map.of("area", "heap"), memory.getHeapMemoryUsage().getUsed())
            .value(Map.of("area", "non-heap"), memory.getNonHeapMemoryUsage().getUsed());
        for (final BufferPoolMXBean pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class))
        {
            used.value(Map.of("area", pool.getName()), pool.getMemoryUsed());
        }
        gauge("escapement_jvm_heap_limit_bytes", "Bytes that the heap may have.")
            .value(Map.of(), memory.getHeapMemoryUsage().getMax());
        final long gcMs = ManagementFactory.getGarbageCollectorMXBeans().stream()
            .mapToLong((collector) -> Math.max(0, collector.getCollectionTime())).sum();
        counter("escapement_jvm_gc_seconds_total", "Seconds of garbage collections.")
            .value(Map.of(), gcMs / MS_A_SECOND);
        return this;
    }

    /** The answer to a request for the metrics, in the order of their names. */
    public HttpAnswer answer()
    {
        final StringBuilder text = new StringBuilder();
        metricByNameMap.values().forEach((metric) -> metric.append(text));
        return HttpAnswer.of("text/plain; version=0.0.4; charset=utf-8",
            text.toString().getBytes(StandardCharsets.UTF_8));
    }

    /** In the order of their names. */
    Collection<Metric> all()
    {
        return metricByNameMap.values();
    }

    /** The metric of a name. A second call returns the same metric. */
    private Metric metric(final String name, final String help, final String type)
    {
        final boolean isNamed =
            NAME.matcher(name).matches() && "counter".equals(type) == name.endsWith(TOTAL);
        if (!isNamed || help.isBlank())
        {
            throw new IllegalArgumentException(name + ": not the name of a " + type + ", or no help: " + help);
        }
        final Metric metric = metricByNameMap.computeIfAbsent(name, (key) -> new Metric(name, help, type));
        if (!metric.type.equals(type) || !metric.help.equals(help))
        {
            throw new IllegalStateException(name + ": another metric has this name");
        }
        return metric;
    }
}
