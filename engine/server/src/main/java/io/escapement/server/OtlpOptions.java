package io.escapement.server;

import io.escapement.config.ConfigException;
import io.escapement.engine.monitor.MonitorContext;
import io.escapement.gateway.GatewayContext;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Option;

/** The options of a collector that metrics are sent to. */
final class OtlpOptions
{
    @Option(names = "--otlp", paramLabel = "URL", description = "Send the metrics to this OpenTelemetry collector, " +
        "for example http://127.0.0.1:4318/v1/metrics, by OTLP over HTTP in protobuf. Failed exports are counted, " +
        "and logged once per minute (default: not sent).")
    private String url;

    @Option(names = "--otlp-interval", paramLabel = "SECONDS", defaultValue = "15",
        description = "Time between two exports (default: ${DEFAULT-VALUE}).")
    private int intervalSeconds;

    @Option(names = "--otlp-timeout", paramLabel = "SECONDS", defaultValue = "10",
        description = "Time after which an export fails (default: ${DEFAULT-VALUE}).")
    private int timeoutSeconds;

    /** Refuse times that make no sense. The URL is refused by the contexts. */
    void check()
    {
        ConfigException.check(intervalSeconds >= 1, "--otlp-interval", intervalSeconds, "1 or more");
        ConfigException.check(timeoutSeconds >= 1 && timeoutSeconds <= intervalSeconds, "--otlp-timeout",
            timeoutSeconds, "1 to " + intervalSeconds + ", the --otlp-interval");
    }

    void set(final MonitorContext context)
    {
        if (null != url)
        {
            context.otlp(url, TimeUnit.SECONDS.toNanos(intervalSeconds), TimeUnit.SECONDS.toNanos(timeoutSeconds));
        }
    }

    void set(final GatewayContext context)
    {
        if (null != url)
        {
            context.otlp(url, TimeUnit.SECONDS.toNanos(intervalSeconds), TimeUnit.SECONDS.toNanos(timeoutSeconds));
        }
    }
}
