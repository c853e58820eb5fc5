package io.escapement.engine.internal.monitor;

import io.escapement.engine.monitor.MonitorContext;
import io.escapement.http.HttpAnswer;
import io.escapement.http.HttpError;
import io.escapement.http.HttpHandler;
import io.escapement.http.HttpRequest;
import io.escapement.http.HttpServer;
import io.escapement.http.Metrics;
import io.escapement.http.OtlpExporter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Locale;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.HdrHistogram.Histogram;
import org.agrona.CloseHelper;

/**
 * Serves counters, histograms and health to Prometheus, without authentication: by default on the loopback interface.
 * Also sends them to a collector, if configured. Health is answered while metrics are made.
 */
public final class MetricsServer implements AutoCloseable, HttpHandler
{
    private static final System.Logger LOGGER = System.getLogger("io.escapement.engine");
    /** The upper bound of the first time bucket is 1.024 us and of the last 8.6 s, as in gateways. */
    private static final int FIRST_TIME_BITS = 10;
    private static final int LAST_TIME_BITS = 33;
    private static final int LAST_COUNT_BITS = 12;
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;
    private static final int UNAVAILABLE = 503;

    private final MonitorAgent monitor;
    private final EngineCounters counters;
    private final BooleanSupplier isAlive;
    private final BooleanSupplier isReady;
    /** Null unless metrics are exported. */
    private final OtlpExporter exporter;
    /** Null unless there is a port. */
    private final HttpServer server;

    /**
     * Start to serve and to export.
     *
     * @param context  with a port, a collector, or both.
     * @param monitor  that reads the histograms.
     * @param counters of the engine.
     * @param isAlive  whether all threads run.
     * @param isReady  whether the engine accepts trunks and rooms.
     * @throws IOException if the port cannot be bound.
     */
    public MetricsServer(
        final MonitorContext context,
        final MonitorAgent monitor,
        final EngineCounters counters,
        final BooleanSupplier isAlive,
        final BooleanSupplier isReady) throws IOException
    {
        this.monitor = monitor;
        this.counters = counters;
        this.isAlive = isAlive;
        this.isReady = isReady;
        exporter = null == context.otlpUrl() ? null : OtlpExporter.launch("escapement-server", context.otlpUrl(),
            context.otlpIntervalNs(), context.otlpTimeoutNs(), this::metrics);
        final int port = context.metricsPort();
        if (MonitorContext.NO_PORT == port)
        {
            server = null;
            return;
        }
        final InetAddress address = context.metricsAddress();
        if (!address.isLoopbackAddress())
        {
            LOGGER.log(System.Logger.Level.WARNING, "metricsHost: " + address.getHostAddress() +
                ": whoever can reach port " + port + " there can read the metrics: nothing authenticates requests");
        }
        server = HttpServer.launch("escapement-metrics", new InetSocketAddress(address, port), 1, this);
    }

    /** The port it listens on, or {@link MonitorContext#NO_PORT}. */
    public int port()
    {
        return null == server ? MonitorContext.NO_PORT : server.port();
    }

    @Override
    public HttpAnswer answerNow(final HttpRequest request) throws HttpError
    {
        return switch (request.path())
        {
            case "/health" -> health(isAlive.getAsBoolean());
            case "/ready" -> health(isAlive.getAsBoolean() && isReady.getAsBoolean());
            case "/metrics" -> null;
            default -> throw new HttpError(NOT_FOUND, "try /metrics, /health or /ready");
        };
    }

    private static HttpAnswer health(final boolean isUp)
    {
        return HttpAnswer.text(isUp ? OK : UNAVAILABLE, isUp ? "yes" : "no");
    }

    @Override
    public HttpAnswer answer(final HttpRequest request)
    {
        final Metrics metrics = metrics();
        return (null == exporter ? metrics : exporter.put(metrics)).answer();
    }

    private Metrics metrics()
    {
        final Metrics metrics = new Metrics();
        for (final EngineCounters.Named named : counters.all())
        {
            final EngineMetric about = EngineMetric.of(named.typeId(), named.label(), named.isGauge());
            final Metrics.Metric metric = named.isGauge() ?
                metrics.gauge(about.name(), about.help()) : metrics.counter(about.name(), about.help());
            metric.value(about.labels(), named.counter().get() / about.scale());
        }
        for (final LoopHistograms histograms : monitor.histograms())
        {
            histograms.forEachTotal((tag, isTime, values) -> histogram(metrics, tag, isTime, values));
        }
        return metrics.jvm();
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(exporter, server);
    }

    /**
     * A tag is {@code loop-<n>.<measurement>}. Each bucket except the last has twice the upper bound of the bucket
     * before.
     */
    static void histogram(
        final Metrics metrics, final String tag, final boolean isTime, final Histogram values)
    {
        final int dot = tag.indexOf('.');
        final String words = tag.substring(dot + 1).replaceAll("([A-Z])", " $1").toLowerCase(Locale.ROOT);
        final String loop = tag.substring("loop-".length(), dot);
        final double scale = isTime ? EngineMetric.NS_A_SECOND : 1;
        final Metrics.Metric metric = metrics.histogram(
            "escapement_loop_" + words.replace(' ', '_') + (isTime ? "_seconds" : ""),
            "Distribution of " + words + (isTime ? " in seconds" : "") + ": see LoopRecorder.");
        for (int bits = isTime ? FIRST_TIME_BITS : 0; bits <= (isTime ? LAST_TIME_BITS : LAST_COUNT_BITS); bits++)
        {
            metric.value("_bucket", Map.of("loop", loop, "le", (1L << bits) / scale),
                values.getCountBetweenValues(0, 1L << bits));
        }
        metric.value("_bucket", Map.of("loop", loop, "le", "+Inf"), values.getTotalCount());
        metric.value("_count", Map.of("loop", loop), values.getTotalCount());
        metric.value("_sum", Map.of("loop", loop), values.getMean() * values.getTotalCount() / scale);
    }
}
