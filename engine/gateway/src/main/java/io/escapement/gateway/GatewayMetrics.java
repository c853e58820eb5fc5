package io.escapement.gateway;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/** Serves the counters and times of all workers in Prometheus' text format. */
final class GatewayMetrics implements AutoCloseable
{
    private static final String PREFIX = "escapement_gateway_";
    private static final int HTTP_OK = 200;

    private final List<Worker> workers;
    private final HttpServer server;

    GatewayMetrics(final String host, final int port, final List<Worker> workers) throws IOException
    {
        this.workers = workers;
        server = HttpServer.create(new InetSocketAddress(host, port), 0);
        server.createContext("/metrics", (exchange) ->
        {
            final byte[] body = text().getBytes(StandardCharsets.US_ASCII);
            exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
            exchange.sendResponseHeaders(HTTP_OK, body.length);
            try (OutputStream out = exchange.getResponseBody())
            {
                out.write(body);
            }
        });
        server.start();
    }

    int port()
    {
        return server.getAddress().getPort();
    }

    private String text()
    {
        final StringBuilder text = new StringBuilder(16 * 1_024);
        for (final GatewayCounter counter : GatewayCounter.values())
        {
            type(text, counter.metric(), "counter");
            line(text, counter.metric(), "",
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
        return text.toString();
    }

    private void refusals(final StringBuilder text)
    {
        final Map<Integer, Long> countByCodeMap = new TreeMap<>();
        workers.forEach((worker) -> worker.counters().refusals().forEach(
            (code, count) -> countByCodeMap.merge(code, count, Long::sum)));
        type(text, PREFIX + "refusals_total", "counter");
        countByCodeMap.forEach((code, count) ->
            line(text, PREFIX + "refusals_total", "{code=\"" + (0 == code ? "other" : code) + "\"}", count));
    }

    private void gauge(final StringBuilder text, final String name, final ToDoubleFunction<GatewayCounters> value)
    {
        type(text, PREFIX + name, "gauge");
        line(text, PREFIX + name, "",
            workers.stream().mapToDouble((worker) -> value.applyAsDouble(worker.counters())).sum());
    }

    private void ofEachWorker(
        final StringBuilder text,
        final String name,
        final String type,
        final ToDoubleFunction<GatewayCounters> value)
    {
        type(text, PREFIX + name, type);
        for (int i = 0; i < workers.size(); i++)
        {
            line(text, PREFIX + name, "{worker=\"" + i + "\"}", value.applyAsDouble(workers.get(i).counters()));
        }
    }

    /** From the poll of the trunk to the end of the flushes, over all workers. */
    private void flushes(final StringBuilder text)
    {
        final String name = PREFIX + "flush_seconds";
        type(text, name, "histogram");
        long count = 0;
        for (int bucket = 0; bucket <= TurnTimes.BUCKETS; bucket++)
        {
            for (final Worker worker : workers)
            {
                count += worker.counters().turns().count(bucket);
            }
            line(text, name + "_bucket", "{le=\"" + (TurnTimes.BUCKETS == bucket ? "+Inf" :
                TurnTimes.seconds(TurnTimes.endNs(bucket))) + "\"}", count);
        }
        line(text, name + "_sum", "",
            workers.stream().mapToDouble((worker) -> worker.counters().turns().sumSeconds()).sum());
        line(text, name + "_count", "", count);
    }

    private static void type(final StringBuilder text, final String name, final String type)
    {
        text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
    }

    private static void line(final StringBuilder text, final String name, final String labels, final double value)
    {
        text.append(name).append(labels).append(' ');
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

    @Override
    public void close()
    {
        server.stop(0);
    }
}
