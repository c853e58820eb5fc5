package io.escapement.http;

import com.google.protobuf.InvalidProtocolBufferException;
import io.escapement.testsupport.LoggedLines;
import io.escapement.testsupport.MetricsPage;
import io.escapement.testsupport.OtlpCollector;
import io.escapement.testsupport.Tests;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Exports of metrics, as OpenTelemetry's own classes read them. */
class OtlpExporterTest
{
    private static final long INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long MINUTE_NS = TimeUnit.MINUTES.toNanos(1);
    private static final long TIMEOUT_NS = TimeUnit.MINUTES.toNanos(1);

    private final OtlpCollector collector = new OtlpCollector();
    private long nowNs = Long.MAX_VALUE - MINUTE_NS;

    @AfterEach
    void close()
    {
        collector.close();
    }

    private static Metrics metrics()
    {
        final Metrics metrics = new Metrics();
        metrics.counter("a_seconds_total", "A.").value(Map.of("loop", 1), 2.5)
            .value(Map.of("loop", 0, "code", "TOO_LONG"), 300);
        metrics.gauge("b_bytes", "B of \u00e4.").value(Map.of(), -1);
        final Metrics.Metric histogram = metrics.histogram("h_seconds", "H.");
        for (int loop = 0; loop < 2; loop++)
        {
            histogram.value("_bucket", Map.of("le", 0.5, "loop", loop), 1)
                .value("_bucket", Map.of("le", 1.0, "loop", loop), 4 + loop)
                .value("_bucket", Map.of("le", "+Inf", "loop", loop), 1_000)
                .value("_sum", Map.of("loop", loop), 7.25).value("_count", Map.of("loop", loop), 1_000);
        }
        return metrics;
    }

    private OtlpExporter exporter(final String url, final long timeoutNs)
    {
        return new OtlpExporter("a service", URI.create(url), INTERVAL_NS, timeoutNs, OtlpExporterTest::metrics,
            () -> nowNs);
    }

    private static Map<String, String> attributes(final List<KeyValue> values)
    {
        final Map<String, String> attributes = new TreeMap<>();
        values.forEach((value) -> attributes.put(value.getKey(), value.getValue().getStringValue()));
        return attributes;
    }

    private static MetricsPage counts(final OtlpExporter exporter)
    {
        return MetricsPage.parse(
            new String(exporter.put(new Metrics()).answer().body(), StandardCharsets.UTF_8));
    }

    private static void assertCounts(final int sent, final int failed, final OtlpExporter exporter)
    {
        assertEquals(sent, counts(exporter).value("escapement_otlp_exports_total"));
        assertEquals(failed, counts(exporter).value("escapement_otlp_exports_that_failed_total"));
    }

    @Test
    void shouldSendAllMetrics() throws InvalidProtocolBufferException
    {
        final OtlpExporter exporter = exporter(collector.url(), TIMEOUT_NS);
        exporter.export();
        exporter.export();
        assertCounts(2, 0, exporter);
        assertEquals(List.of("POST application/x-protobuf", "POST application/x-protobuf"), collector.types());
        final ExportMetricsServiceRequest request = ExportMetricsServiceRequest.parseFrom(collector.bodies().get(1));
        assertEquals(0, request.getUnknownFields().asMap().size());
        final ResourceMetrics process = request.getResourceMetrics(0);
        final Map<String, String> resource = attributes(process.getResource().getAttributesList());
        assertEquals("a service", resource.get("service.name"));
        assertTrue(resource.get("service.instance.id").startsWith(ProcessHandle.current().pid() + "@"));
        assertEquals("io.escapement", process.getScopeMetrics(0).getScope().getName());
        final Map<String, Metric> metricByNameMap = process.getScopeMetrics(0).getMetricsList().stream()
            .collect(Collectors.toMap(Metric::getName, (metric) -> metric));
        assertEquals(1, metricByNameMap.get("escapement_otlp_exports_total").getSum().getDataPoints(0).getAsDouble());

        final Metric counter = metricByNameMap.get("a_seconds_total");
        assertEquals("A.", counter.getDescription());
        assertEquals("s", counter.getUnit());
        assertTrue(counter.getSum().getIsMonotonic());
        assertEquals(AggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE,
            counter.getSum().getAggregationTemporality());
        final NumberDataPoint point = counter.getSum().getDataPoints(1);
        assertEquals(Map.of("code", "TOO_LONG", "loop", "0"), attributes(point.getAttributesList()));
        assertEquals(300, point.getAsDouble());
        assertTrue(point.getStartTimeUnixNano() > 0 && point.getTimeUnixNano() >= point.getStartTimeUnixNano());

        final Metric gauge = metricByNameMap.get("b_bytes");
        assertEquals("By", gauge.getUnit());
        assertEquals("B of \u00e4.", gauge.getDescription());
        assertEquals(-1, gauge.getGauge().getDataPoints(0).getAsDouble());

        final Metric histogram = metricByNameMap.get("h_seconds");
        assertEquals(AggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE,
            histogram.getHistogram().getAggregationTemporality());
        assertEquals(2, histogram.getHistogram().getDataPointsCount());
        final HistogramDataPoint distribution = histogram.getHistogram().getDataPoints(1);
        assertEquals(Map.of("loop", "1"), attributes(distribution.getAttributesList()));
        assertEquals(List.of(0.5, 1.0), distribution.getExplicitBoundsList());
        assertEquals(List.of(1L, 4L, 995L), distribution.getBucketCountsList());
        assertEquals(1_000, distribution.getCount());
        assertEquals(7.25, distribution.getSum());
    }

    @Test
    void shouldCountFailuresAndLogOncePerMinute()
    {
        final OtlpExporter exporter = exporter(collector.url() + "/v1/metrics", TIMEOUT_NS);
        collector.status(503);
        try (LoggedLines log = new LoggedLines("io.escapement.http"))
        {
            exporter.export();
            nowNs += MINUTE_NS - 1;
            exporter.export();
            assertEquals(List.of("otlp: " + collector.url() +
                "/v1/metrics: the collector did not take metrics, in total 1 times: status 503"), log.all());
            nowNs++;
            exporter.export();
            assertEquals(2, log.all().size());
            assertTrue(log.has("in total 3 times"), log.all()::toString);
            collector.status(200);
            exporter.export();
            assertEquals(2, log.all().size());
        }
        assertCounts(1, 3, exporter);
    }

    @Test
    void shouldGoOnWithoutACollectorThatAnswers() throws IOException
    {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
            LoggedLines log = new LoggedLines("io.escapement.http"))
        {
            final OtlpExporter exporter =
                exporter("http://127.0.0.1:" + silent.getLocalPort(), TimeUnit.MILLISECONDS.toNanos(20));
            exporter.export();
            assertTrue(log.has("1 times: no answer in 20 ms"), log.all()::toString);
            assertCounts(0, 1, exporter);
        }
        final OtlpExporter exporter = exporter("http://127.0.0.1:" + Tests.freePort(), TIMEOUT_NS);
        exporter.export();
        assertCounts(0, 1, exporter);
    }

    @Test
    void shouldExportInItsThreadUntilItIsClosed()
    {
        try (OtlpExporter exporter = OtlpExporter.launch(
            "a service", URI.create(collector.url()), INTERVAL_NS, TIMEOUT_NS, OtlpExporterTest::metrics))
        {
            Tests.await(() -> collector.bodies().size() > 2, "exports");
            assertEquals(1, threads());
            assertEquals(0, counts(exporter).value("escapement_otlp_exports_that_failed_total"));
        }
        assertEquals(0, threads());
    }

    private static long threads()
    {
        return Thread.getAllStackTraces().keySet().stream()
            .filter((thread) -> "escapement-otlp".equals(thread.getName())).count();
    }
}
