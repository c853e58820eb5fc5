package io.escapement.gateway;

import io.escapement.http.HttpAnswer;
import io.escapement.http.HttpError;
import io.escapement.http.HttpHandler;
import io.escapement.http.HttpRequest;
import io.escapement.http.HttpServer;
import io.escapement.http.MetricsText;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/** Serves the counters and times of all workers in Prometheus' text format. */
final class GatewayMetrics implements AutoCloseable, HttpHandler
{
    private static final String PREFIX = "escapement_gateway_";
    private static final int NOT_FOUND = 404;

    private final List<Worker> workers;
    private final HttpServer server;

    GatewayMetrics(final String host, final int port, final List<Worker> workers) throws IOException
    {
        this.workers = workers;
        server = HttpServer.launch("escapement-gateway-metrics", new InetSocketAddress(host, port), 1, this);
    }

    int port()
    {
        return server.port();
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
        final MetricsText text = new MetricsText();
        for (final GatewayCounter counter : GatewayCounter.values())
        {
            text.type(counter.metric(), "counter");
            text.value(counter.metric(), "",
                workers.stream().mapToLong((worker) -> worker.counters().get(counter)).sum());
        }
        refusals(text);
        gauge(text, "connections", GatewayCounters::connections);
        gauge(text, "connections_greeted", GatewayCounters::greeted);
        gauge(text, "sessions", GatewayCounters::sessions);
        gauge(text, "sessions_detached", GatewayCounters::detached);
        gauge(text, "seats", GatewayCounters::seats);
        gauge(text, "trunks_up", (counters) -> counters.isTrunkUp() ? 1 : 0);
        ofEachWorker(text, "trunk_round_trip_seconds", "gauge",
            (counters) -> TurnTimes.seconds(counters.roundTripNs()));
        ofEachWorker(text, "busy_seconds_total", "counter", (counters) -> counters.turns().busySeconds());
        flushes(text);
        return text.answer();
    }

    private void refusals(final MetricsText text)
    {
        final Map<Integer, Long> countByCodeMap = new TreeMap<>();
        workers.forEach((worker) -> worker.counters().refusals().forEach(
            (code, count) -> countByCodeMap.merge(code, count, Long::sum)));
        text.type(PREFIX + "refusals_total", "counter");
        countByCodeMap.forEach((code, count) ->
            text.value(PREFIX + "refusals_total", MetricsText.label("code", 0 == code ? "other" : code), count));
    }

    private void gauge(final MetricsText text, final String name, final ToDoubleFunction<GatewayCounters> value)
    {
        text.type(PREFIX + name, "gauge");
        text.value(PREFIX + name, "",
            workers.stream().mapToDouble((worker) -> value.applyAsDouble(worker.counters())).sum());
    }

    private void ofEachWorker(
        final MetricsText text,
        final String name,
        final String type,
        final ToDoubleFunction<GatewayCounters> value)
    {
        text.type(PREFIX + name, type);
        for (int i = 0; i < workers.size(); i++)
        {
            text.value(PREFIX + name, MetricsText.label("worker", i), value.applyAsDouble(workers.get(i).counters()));
        }
    }

    /** From the poll of the trunk to the end of the flushes, over all workers. */
    private void flushes(final MetricsText text)
    {
        final String name = PREFIX + "flush_seconds";
        text.type(name, "histogram");
        long count = 0;
        for (int bucket = 0; bucket <= TurnTimes.BUCKETS; bucket++)
        {
            for (final Worker worker : workers)
            {
                count += worker.counters().turns().count(bucket);
            }
            text.value(name + "_bucket", MetricsText.label("le", TurnTimes.BUCKETS == bucket ? "+Inf" :
                TurnTimes.seconds(TurnTimes.endNs(bucket))), count);
        }
        text.value(name + "_sum", "",
            workers.stream().mapToDouble((worker) -> worker.counters().turns().sumSeconds()).sum());
        text.value(name + "_count", "", count);
    }

    @Override
    public void close()
    {
        server.close();
    }
}
