package io.escapement.engine.internal.monitor;

import com.sun.net.httpserver.HttpExchange;
import io.prometheus.metrics.exporter.httpserver.HTTPServer;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.Quantile;
import io.prometheus.metrics.model.snapshots.Quantiles;
import io.prometheus.metrics.model.snapshots.SummarySnapshot;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.HdrHistogram.Histogram;

/**
 * Serves counters, histograms and health to Prometheus, without authentication: by default on the loopback interface.
 * Only this class uses Prometheus' library, which is an optional dependency.
 */
public final class MetricsServer implements AutoCloseable, MultiCollector
{
    private static final System.Logger LOGGER = System.getLogger("io.escapement.engine");
    private static final double[] QUANTILES = {0.5, 0.9, 0.99, 0.999, 1.0};
    private static final double NS_A_SECOND = 1e9;
    private static final String LOOP = "escapement loop ";
    private static final String SERVICE = "escapement service ";
    private static final String REFUSED = ": refused ";
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;
    private static final int UNAVAILABLE = 503;

    private final MonitorAgent monitor;
    private final EngineCounters counters;
    private final BooleanSupplier isAlive;
    private final BooleanSupplier isReady;
    private final HTTPServer server;

    /**
     * Start to serve.
     *
     * @param address  to listen on.
     * @param port     to listen on, 0 for any free one.
     * @param monitor  that reads the histograms.
     * @param counters of the engine.
     * @param isAlive  whether all threads run.
     * @param isReady  whether the engine accepts trunks and rooms.
     * @throws IOException if the port cannot be bound.
     */
    public MetricsServer(
        final InetAddress address,
        final int port,
        final MonitorAgent monitor,
        final EngineCounters counters,
        final BooleanSupplier isAlive,
        final BooleanSupplier isReady) throws IOException
    {
        this.monitor = monitor;
        this.counters = counters;
        this.isAlive = isAlive;
        this.isReady = isReady;
        final PrometheusRegistry registry = new PrometheusRegistry();
        registry.register(this);
        if (!address.isLoopbackAddress())
        {
            LOGGER.log(System.Logger.Level.WARNING, "metricsHost: " + address.getHostAddress() +
                ": whoever can reach port " + port + " there can read the metrics: nothing authenticates requests");
        }
        server = HTTPServer.builder()
            .inetAddress(address)
            .port(port)
            .registry(registry)
            .defaultHandler(this::onRequest)
            .buildAndStart();
    }

    /** The port it listens on. */
    public int port()
    {
        return server.getPort();
    }

    @Override
    public MetricSnapshots collect()
    {
        final MetricSnapshots.Builder snapshots = MetricSnapshots.builder();
        final Map<String, CounterSnapshot.Builder> counterByNameMap = new TreeMap<>();
        final Map<String, GaugeSnapshot.Builder> gaugeByNameMap = new TreeMap<>();
        for (final EngineCounters.Named named : counters.all())
        {
            final String name = name(named.label());
            final double value = named.counter().get();
            if (named.isGauge())
            {
                gaugeByNameMap.computeIfAbsent(name, (key) -> GaugeSnapshot.builder().name(key)).dataPoint(
                    GaugeSnapshot.GaugeDataPointSnapshot.builder().labels(labels(named.label())).value(value).build());
            }
            else
            {
                counterByNameMap.computeIfAbsent(name, (key) -> CounterSnapshot.builder().name(key)).dataPoint(
                    CounterSnapshot.CounterDataPointSnapshot.builder().labels(labels(named.label())).value(value)
                        .build());
            }
        }
        counterByNameMap.values().forEach((counter) -> snapshots.metricSnapshot(counter.build()));
        gaugeByNameMap.values().forEach((gauge) -> snapshots.metricSnapshot(gauge.build()));
        summaries(snapshots);
        snapshots.metricSnapshot(CounterSnapshot.builder().name("escapement_jvm_gc_seconds").dataPoint(
            CounterSnapshot.CounterDataPointSnapshot.builder().value(gcSeconds()).build()).build());
        return snapshots.build();
    }

    @Override
    public void close()
    {
        server.close();
    }

    private void summaries(final MetricSnapshots.Builder snapshots)
    {
        final Map<String, SummarySnapshot.Builder> summaryByNameMap = new TreeMap<>();
        for (final LoopHistograms histograms : monitor.histograms())
        {
            histograms.forEachTotal((tag, isTime, histogram) ->
            {
                // A tag is loop-<n>.<measurement>.
                final int dot = tag.indexOf('.');
                final String measurement = tag.substring(dot + 1).replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
                summaryByNameMap.computeIfAbsent("escapement_loop_" + measurement + (isTime ? "_seconds" : ""),
                    (name) -> SummarySnapshot.builder().name(name)).dataPoint(
                    summary(histogram, isTime ? NS_A_SECOND : 1,
                        Labels.of("loop", tag.substring("loop-".length(), dot))));
            });
        }
        summaryByNameMap.values().forEach((summary) -> snapshots.metricSnapshot(summary.build()));
    }

    private static SummarySnapshot.SummaryDataPointSnapshot summary(
        final Histogram histogram, final double unit, final Labels labels)
    {
        final Quantiles.Builder quantiles = Quantiles.builder();
        for (final double quantile : QUANTILES)
        {
            quantiles.quantile(new Quantile(
                quantile, histogram.getValueAtPercentile(100.0 * quantile) / unit));
        }
        return SummarySnapshot.SummaryDataPointSnapshot.builder()
            .labels(labels)
            .count(histogram.getTotalCount())
            .sum(histogram.getMean() * histogram.getTotalCount() / unit)
            .quantiles(quantiles.build())
            .build();
    }

    private void onRequest(final HttpExchange exchange) throws IOException
    {
        switch (exchange.getRequestURI().getPath())
        {
            case "/health" -> respond(exchange, isAlive.getAsBoolean());
            case "/ready" -> respond(exchange, isAlive.getAsBoolean() && isReady.getAsBoolean());
            default -> respond(exchange, NOT_FOUND, "try /metrics, /health or /ready\n");
        }
    }

    private static void respond(final HttpExchange exchange, final boolean isUp) throws IOException
    {
        respond(exchange, isUp ? OK : UNAVAILABLE, isUp ? "yes\n" : "no\n");
    }

    private static void respond(final HttpExchange exchange, final int status, final String text) throws IOException
    {
        final byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    /** {@code escapement loop 0: rooms open} is {@code escapement_loop_rooms_open} of loop 0; so for a service. */
    private static String name(final String label)
    {
        if (label.startsWith(SERVICE))
        {
            return (SERVICE + label.substring(label.lastIndexOf(':') + 2)).replace(' ', '_');
        }
        final int refused = label.indexOf(REFUSED);
        return (refused < 0 ? label : label.substring(0, refused + REFUSED.length() - 1))
            .replaceFirst("loop \\d+", "loop").toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "_");
    }

    private static Labels labels(final String label)
    {
        if (label.startsWith(SERVICE))
        {
            return Labels.of("service", label.substring(SERVICE.length(), label.lastIndexOf(':')));
        }
        final int refused = label.indexOf(REFUSED);
        final Labels code = refused < 0 ? Labels.EMPTY : Labels.of("code", label.substring(refused + REFUSED.length()));
        return label.startsWith(LOOP) ?
            code.merge(Labels.of("loop", label.substring(LOOP.length(), label.indexOf(':')))) : code;
    }

    private static double gcSeconds()
    {
        long ms = 0;
        for (final GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans())
        {
            ms += Math.max(0, collector.getCollectionTime());
        }
        return ms / 1_000.0;
    }
}
