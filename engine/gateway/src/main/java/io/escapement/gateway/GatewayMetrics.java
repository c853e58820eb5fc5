package io.escapement.gateway;

import io.escapement.codecs.Codes;
import io.escapement.http.HttpAnswer;
import io.escapement.http.HttpError;
import io.escapement.http.HttpHandler;
import io.escapement.http.HttpRequest;
import io.escapement.http.HttpServer;
import io.escapement.http.Metrics;
import io.escapement.http.OtlpExporter;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.agrona.CloseHelper;

/** Serves the counters and times of all workers in Prometheus' text format, and sends them to a collector. */
final class GatewayMetrics implements AutoCloseable, HttpHandler
{
    static final String PREFIX = "escapement_gateway_";
    private static final int NOT_FOUND = 404;

    private final List<Worker> workers;
    /** Null unless metrics are exported. */
    private final OtlpExporter exporter;
    /** Null unless there is a port. */
    private final HttpServer server;

    GatewayMetrics(final GatewayContext context, final List<Worker> workers) throws IOException
    {
        this.workers = workers;
        exporter = context.exporter(this::metrics);
        server = null == context.metricsPort() ? null : HttpServer.launch("escapement-gateway-metrics",
            new InetSocketAddress(context.metricsHost(), context.metricsPort()), 1, this);
    }

    int port()
    {
        return null == server ? -1 : server.port();
    }

    @Override
    public HttpAnswer answerNow(final HttpRequest request) throws HttpError
    {
        if ("/metrics".equals(request.path()))
        {
            return null;
        }
        throw new HttpError(NOT_FOUND, "try /metrics");
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
        for (final GatewayCounter counter : GatewayCounter.values())
        {
            counter.put(metrics, workers.stream().mapToLong((worker) -> worker.counters().get(counter)).sum());
        }
        refusals(metrics);
        gauge(metrics, "connections", "Open connections.", GatewayCounters::connections);
        gauge(metrics, "connections_greeted", "Connections whose Hello was accepted.", GatewayCounters::greeted);
        gauge(metrics, "queued_bytes", "Bytes that wait until players' machines take them.",
            GatewayCounters::queuedBytes);
        gauge(metrics, "sessions", "Open sessions.", GatewayCounters::sessions);
        gauge(metrics, "sessions_detached", "Sessions without a connection.", GatewayCounters::detached);
        gauge(metrics, "seats", "Seats of players in rooms.", GatewayCounters::seats);
        gauge(metrics, "trunks_up", "Trunks to engines that are up.", (counters) -> counters.isTrunkUp() ? 1 : 0);
        ofEachWorker(metrics.gauge(PREFIX + "trunk_round_trip_seconds", "Round trip of the trunk's last keepalive."),
            (counters) -> TurnTimes.seconds(counters.roundTripNs()));
        ofEachWorker(metrics.counter(PREFIX + "work_seconds_total", "Seconds at work."),
            (counters) -> counters.turns().busySeconds());
        flushes(metrics.histogram(PREFIX + "flush_seconds", "Time from the poll of the trunk to the last flush."));
        return metrics.jvm();
    }

    private void refusals(final Metrics metrics)
    {
        final Map<Integer, Long> countByCodeMap = new TreeMap<>();
        workers.forEach((worker) -> worker.counters().refusals().forEach(
            (code, count) -> countByCodeMap.merge(code, count, Long::sum)));
        final Metrics.Metric refusals =
            metrics.counter(PREFIX + "refusals_total", "Refusals of players' requests by code.");
        countByCodeMap.forEach((code, count) ->
            refusals.value(Map.of("code", 0 == code ? "OTHER" : Codes.nameOf(code)), count));
    }

    private void gauge(
        final Metrics metrics, final String name, final String help, final ToDoubleFunction<GatewayCounters> value)
    {
        metrics.gauge(PREFIX + name, help).value(Map.of(),
            workers.stream().mapToDouble((worker) -> value.applyAsDouble(worker.counters())).sum());
    }

    private void ofEachWorker(final Metrics.Metric metric, final ToDoubleFunction<GatewayCounters> value)
    {
        for (int i = 0; i < workers.size(); i++)
        {
            metric.value(Map.of("worker", i), value.applyAsDouble(workers.get(i).counters()));
        }
    }

    /** Over all workers. */
    private void flushes(final Metrics.Metric metric)
    {
        long count = 0;
        for (int bucket = 0; bucket <= TurnTimes.BUCKETS; bucket++)
        {
            for (final Worker worker : workers)
            {
                count += worker.counters().turns().count(bucket);
            }
            metric.value("_bucket", Map.of("le", TurnTimes.BUCKETS == bucket ? "+Inf" :
                TurnTimes.seconds(TurnTimes.endNs(bucket))), count);
        }
        metric.value("_sum", Map.of(),
            workers.stream().mapToDouble((worker) -> worker.counters().turns().sumSeconds()).sum());
        metric.value("_count", Map.of(), count);
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(exporter, server);
    }
}
