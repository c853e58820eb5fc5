package io.escapement.http;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Metrics as an ExportMetricsServiceRequest of OpenTelemetry, with the field numbers of its metrics.proto. Prometheus
 * restores the names of the text format from it.
 */
final class OtlpRequest
{
    private static final int CUMULATIVE = 2;
    private static final String LE = "le";

    private final long startNs;
    private final long nowNs;

    private OtlpRequest(final long startNs, final long nowNs)
    {
        this.startNs = startNs;
        this.nowNs = nowNs;
    }

    /**
     * Encode.
     *
     * @param metrics  of a process.
     * @param resource attributes of the process by name.
     * @param startNs  from which counters count, in nanoseconds of the epoch.
     * @param nowNs    of the values.
     */
    static byte[] encode(
        final Metrics metrics, final Map<String, String> resource, final long startNs, final long nowNs)
    {
        final OtlpRequest request = new OtlpRequest(startNs, nowNs);
        final Protobuf scope = new Protobuf().message(1, new Protobuf().text(1, "io.escapement"));
        metrics.all().forEach((metric) -> scope.message(2, request.metric(metric)));
        return new Protobuf().message(1,
            new Protobuf().message(1, attributes(new Protobuf(), 1, resource)).message(2, scope)).bytes();
    }

    private Protobuf metric(final Metrics.Metric metric)
    {
        final String name = metric.name();
        final Protobuf message = new Protobuf().text(1, name).text(2, metric.help())
            .text(3, name.matches(".*_seconds(_total)?") ? "s" : name.matches(".*_bytes(_total)?") ? "By" : "");
        return switch (metric.type())
        {
            case "counter" -> message.message(7, points(metric).integer(2, CUMULATIVE).integer(3, 1));
            case "histogram" -> message.message(9, histograms(metric).integer(2, CUMULATIVE));
            default -> message.message(5, points(metric));
        };
    }

    private Protobuf points(final Metrics.Metric metric)
    {
        final Protobuf points = new Protobuf();
        metric.series().forEach((series) -> points.message(1, attributes(
            new Protobuf().fixed(2, startNs).fixed(3, nowNs).number(4, series.value()), 7, series.labels())));
        return points;
    }

    /** One point for all series that differ in the end of their bucket only. */
    private Protobuf histograms(final Metrics.Metric metric)
    {
        final Map<Map<String, String>, Histogram> pointByLabelsMap = new LinkedHashMap<>();
        for (final Metrics.Series series : metric.series())
        {
            final Map<String, String> labels = new TreeMap<>(series.labels());
            final String end = labels.remove(LE);
            pointByLabelsMap.computeIfAbsent(labels, (key) -> new Histogram()).add(series, end);
        }
        final Protobuf points = new Protobuf();
        pointByLabelsMap.forEach((labels, histogram) -> points.message(1, attributes(
            new Protobuf().fixed(2, startNs).fixed(3, nowNs).fixed(4, histogram.count).number(5, histogram.sum)
                .message(6, histogram.counts).message(7, histogram.ends), 9, labels)));
        return points;
    }

    private static Protobuf attributes(final Protobuf message, final int field, final Map<String, String> values)
    {
        values.forEach((name, value) -> message.message(
            field, new Protobuf().text(1, name).message(2, new Protobuf().text(1, value))));
        return message;
    }

    /** Its buckets follow in order, each with the counts of the buckets before. */
    private static final class Histogram
    {
        private final Protobuf counts = new Protobuf();
        private final Protobuf ends = new Protobuf();
        private long below;
        private long count;
        private double sum;

        void add(final Metrics.Series series, final String end)
        {
            switch (series.part())
            {
                case "_count" -> count = (long)series.value();
                case "_sum" -> sum = series.value();
                default ->
                {
                    counts.fixed((long)series.value() - below);
                    below = (long)series.value();
                    if (!"+Inf".equals(end))
                    {
                        ends.fixed(Double.doubleToRawLongBits(Double.parseDouble(end)));
                    }
                }
            }
        }
    }
}
