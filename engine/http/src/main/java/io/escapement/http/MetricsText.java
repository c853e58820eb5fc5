package io.escapement.http;

import java.nio.charset.StandardCharsets;

/** Metrics in Prometheus' text format, version 0.0.4. */
public final class MetricsText
{
    private final StringBuilder text = new StringBuilder();

    /**
     * Begin a metric. Its values follow.
     *
     * @param name of the metric.
     * @param type counter, gauge, histogram or summary.
     * @return this text.
     */
    public MetricsText type(final String name, final String type)
    {
        text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
        return this;
    }

    /**
     * Add a value.
     *
     * @param name   of the metric, or of a part of it.
     * @param labels made by {@link #label}, with commas between them. Empty for none.
     * @param value  of the metric. A whole number is written without a fraction.
     */
    public void value(final String name, final String labels, final double value)
    {
        text.append(name);
        if (!labels.isEmpty())
        {
            text.append('{').append(labels).append('}');
        }
        text.append(' ');
        final long whole = (long)value;
        if (whole == value)
        {
            text.append(whole);
        }
        else
        {
            text.append(value);
        }
        text.append('\n');
    }

    /**
     * Add all metrics of another text.
     *
     * @param other whose metrics this text lacks.
     */
    public void add(final MetricsText other)
    {
        text.append(other.text);
    }

    /**
     * A label.
     *
     * @param name  of the label.
     * @param value in which any sign may be.
     */
    public static String label(final String name, final Object value)
    {
        return name + "=\"" +
            value.toString().replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + "\"";
    }

    /** The answer to a request for the metrics. */
    public HttpAnswer answer()
    {
        return HttpAnswer.of("text/plain; version=0.0.4; charset=utf-8",
            text.toString().getBytes(StandardCharsets.UTF_8));
    }
}
