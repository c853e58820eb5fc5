package io.escapement.http;

import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Sends metrics to a collector of OpenTelemetry, by OTLP over HTTP in protobuf. A thread of the exporter waits for the
 * collector, and no other thread does. A failed export is not repeated, because the next export has the totals.
 */
public final class OtlpExporter implements AutoCloseable
{
    private static final System.Logger LOGGER = System.getLogger("io.escapement.http");
    private static final String PATH = "/v1/metrics";
    private static final int OK = 200;
    private static final long LOG_NS = TimeUnit.MINUTES.toNanos(1);

    private final URI url;
    private final long intervalNs;
    private final long timeoutNs;
    private final Map<String, String> resource;
    private final Supplier<Metrics> source;
    private final LongSupplier clock;
    private final long startNs;
    private final HttpClient client;
    private final Thread thread;
    private volatile long sent;
    private volatile long failed;
    private volatile boolean isClosed;
    private long loggedNs;
    private boolean isLogged;

    OtlpExporter(
        final String service,
        final URI url,
        final long intervalNs,
        final long timeoutNs,
        final Supplier<Metrics> source,
        final LongSupplier clock)
    {
        this.url = url.getRawPath().isEmpty() ? url.resolve(PATH) : url;
        this.intervalNs = intervalNs;
        this.timeoutNs = timeoutNs;
        this.source = source;
        this.clock = clock;
        // The number of the process and the name of its host, because a host may run several.
        resource = Map.of(
            "service.name", service, "service.instance.id", ManagementFactory.getRuntimeMXBean().getName());
        startNs = TimeUnit.MILLISECONDS.toNanos(ManagementFactory.getRuntimeMXBean().getStartTime());
        client = HttpClient.newHttpClient();
        thread = new Thread(this::run, "escapement-otlp");
        thread.setDaemon(true);
    }

    /**
     * Start to export.
     *
     * @param service    name of the kind of process.
     * @param url        of the collector. Without a path it is {@code /v1/metrics}.
     * @param intervalNs from one export to the next.
     * @param timeoutNs  after which an export has failed.
     * @param source     of the metrics, which is called in the exporter's thread.
     */
    public static OtlpExporter launch(
        final String service,
        final URI url,
        final long intervalNs,
        final long timeoutNs,
        final Supplier<Metrics> source)
    {
        final OtlpExporter exporter = new OtlpExporter(
            service, url, intervalNs, timeoutNs, source, System::nanoTime);
        exporter.thread.start();
        return exporter;
    }

    private void run()
    {
        long dueNs = clock.getAsLong();
        while (!isClosed)
        {
            final long nowNs = clock.getAsLong();
            if (nowNs - dueNs < 0)
            {
                LockSupport.parkNanos(dueNs - nowNs);
                continue;
            }
            // Exports that a slow collector held up are not made up for.
            dueNs = nowNs + intervalNs;
            export();
        }
    }

    /** Send the metrics once. */
    void export()
    {
        final CompletableFuture<HttpResponse<Void>> answer;
        try
        {
            final byte[] body = OtlpRequest.encode(put(source.get()), resource, startNs,
                TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis()));
            answer = client.sendAsync(HttpRequest.newBuilder(url)
                .header("Content-Type", "application/x-protobuf")
                .POST(HttpRequest.BodyPublishers.ofByteArray(body)).build(), HttpResponse.BodyHandlers.discarding());
        }
        catch (final RuntimeException ex)
        {
            failed(ex.toString());
            return;
        }
        try
        {
            final int status = answer.get(timeoutNs, TimeUnit.NANOSECONDS).statusCode();
            if (OK == status)
            {
                sent++;
            }
            else
            {
                failed("status " + status);
            }
        }
        catch (final ExecutionException ex)
        {
            failed(ex.getCause().toString());
        }
        catch (final TimeoutException ex)
        {
            answer.cancel(true);
            failed("no answer in " + TimeUnit.NANOSECONDS.toMillis(timeoutNs) + " ms");
        }
        catch (final InterruptedException ex)
        {
            answer.cancel(true);
            Thread.currentThread().interrupt();
        }
    }

    private void failed(final String reason)
    {
        failed++;
        final long nowNs = clock.getAsLong();
        if (!isLogged || nowNs - loggedNs >= LOG_NS)
        {
            isLogged = true;
            loggedNs = nowNs;
            LOGGER.log(System.Logger.Level.WARNING, "otlp: " + url + ": the collector did not take metrics, " +
                "in total " + failed + " times: " + reason);
        }
    }

    /**
     * Add what became of the exports.
     *
     * @param metrics of the process.
     * @return the metrics.
     */
    public Metrics put(final Metrics metrics)
    {
        metrics.counter("escapement_otlp_exports_total", "Exports that the collector took.").value(Map.of(), sent);
        metrics.counter("escapement_otlp_exports_that_failed_total", "Exports that the collector did not take.")
            .value(Map.of(), failed);
        return metrics;
    }

    @Override
    public void close()
    {
        isClosed = true;
        thread.interrupt();
        try
        {
            // The source must not be read any more, and its thread waits only where it can be interrupted.
            thread.join();
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }
}
