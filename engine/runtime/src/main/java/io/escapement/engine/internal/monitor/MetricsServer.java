package io.escapement.engine.internal.monitor;

import io.escapement.http.HttpAnswer;
import io.escapement.http.HttpError;
import io.escapement.http.HttpHandler;
import io.escapement.http.HttpRequest;
import io.escapement.http.HttpServer;
import io.escapement.http.MetricsText;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.HdrHistogram.Histogram;

/**
 * Serves counters, histograms and health to Prometheus, without authentication: by default on the loopback interface.
 * Health is answered while metrics are made.
 */
public final class MetricsServer implements AutoCloseable, HttpHandler
{
    private static final System.Logger LOGGER = System.getLogger("io.escapement.engine");
    private static final double[] QUANTILES = {0.5, 0.9, 0.99, 0.999, 1.0};
    private static final double NS_A_SECOND = 1e9;
    private static final String LOOP = "escapement loop ";
    private static final String SERVICE = "escapement service ";
    private static final String REFUSED = ": refused ";
    private static final String TOTAL = "_total";
    private static final String GC_SECONDS = "escapement_jvm_gc_seconds_total";
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;
    private static final int UNAVAILABLE = 503;

    private final MonitorAgent monitor;
    private final EngineCounters counters;
    private final BooleanSupplier isAlive;
    private final BooleanSupplier isReady;
    private final HttpServer server;

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
        if (!address.isLoopbackAddress())
        {
            LOGGER.log(System.Logger.Level.WARNING, "metricsHost: " + address.getHostAddress() +
                ": whoever can reach port " + port + " there can read the metrics: nothing authenticates requests");
        }
        server = HttpServer.launch("escapement-metrics", new InetSocketAddress(address, port), 1, this);
    }

    /** The port it listens on. */
    public int port()
    {
        return server.port();
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
        final MetricsText text = new MetricsText();
        final Map<String, List<EngineCounters.Named>> countersByNameMap = new TreeMap<>();
        for (final EngineCounters.Named named : counters.all())
        {
            final String name = name(named.label());
            countersByNameMap.computeIfAbsent(named.isGauge() || name.endsWith(TOTAL) ? name : name + TOTAL,
                (key) -> new ArrayList<>()).add(named);
        }
        countersByNameMap.forEach((name, all) ->
        {
            text.type(name, all.get(0).isGauge() ? "gauge" : "counter");
            all.forEach((named) -> text.value(name, labels(named.label()), named.counter().get()));
        });
        summaries(text);
        text.type(GC_SECONDS, "counter");
        text.value(GC_SECONDS, "", gcSeconds());
        return text.answer();
    }

    @Override
    public void close()
    {
        server.close();
    }

    private void summaries(final MetricsText text)
    {
        final Map<String, MetricsText> summaryByNameMap = new TreeMap<>();
        for (final LoopHistograms histograms : monitor.histograms())
        {
            histograms.forEachTotal((tag, isTime, histogram) ->
            {
                // A tag is loop-<n>.<measurement>.
                final int dot = tag.indexOf('.');
                final String measurement = tag.substring(dot + 1).replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
                final String name = "escapement_loop_" + measurement + (isTime ? "_seconds" : "");
                summary(summaryByNameMap.computeIfAbsent(name, (key) -> new MetricsText().type(name, "summary")), name,
                    MetricsText.label("loop", tag.substring("loop-".length(), dot)), histogram,
                    isTime ? NS_A_SECOND : 1);
            });
        }
        summaryByNameMap.values().forEach(text::add);
    }

    private static void summary(
        final MetricsText text, final String name, final String loop, final Histogram histogram, final double unit)
    {
        for (final double quantile : QUANTILES)
        {
            text.value(name, loop + "," + MetricsText.label("quantile", quantile),
                histogram.getValueAtPercentile(100.0 * quantile) / unit);
        }
        text.value(name + "_count", loop, histogram.getTotalCount());
        text.value(name + "_sum", loop, histogram.getMean() * histogram.getTotalCount() / unit);
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

    private static String labels(final String label)
    {
        if (label.startsWith(SERVICE))
        {
            return MetricsText.label("service", label.substring(SERVICE.length(), label.lastIndexOf(':')));
        }
        final int refused = label.indexOf(REFUSED);
        final String code =
            refused < 0 ? "" : MetricsText.label("code", label.substring(refused + REFUSED.length()));
        if (!label.startsWith(LOOP))
        {
            return code;
        }
        return (code.isEmpty() ? "" : code + ",") +
            MetricsText.label("loop", label.substring(LOOP.length(), label.indexOf(':')));
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
