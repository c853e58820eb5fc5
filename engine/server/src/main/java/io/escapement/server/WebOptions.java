package io.escapement.server;

import io.escapement.gateway.Gateway;
import io.escapement.gateway.GatewayContext;
import io.escapement.gateway.GatewayCredentials;
import io.escapement.gateway.GatewayLimits;
import io.escapement.rooms.RoomType;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Option;

/** The options of a gateway for players in browsers. */
final class WebOptions
{
    /** Addresses that an engine listens on and that clients cannot connect to. */
    private static final String ANY_ADDRESS = "0.0.0.0:";

    @Option(names = "--web-port", paramLabel = "PORT",
        description = "Serve players in browsers on this port. With 0 any free port is used.")
    private Integer port;

    @Option(names = "--web-host", paramLabel = "HOST", defaultValue = "127.0.0.1", description = "Address of " +
        "--web-port. An address that other machines reach needs --cert and --key, or --plain (default: " +
        "${DEFAULT-VALUE}).")
    private String host;

    @Option(names = "--cert", paramLabel = "FILE",
        description = "Certificate chain of --web-port in PEM form. A changed file is reread.")
    private Path certificate;

    @Option(names = "--key", paramLabel = "FILE", description = "Private key of --cert in PEM form, PKCS #8.")
    private Path key;

    @Option(names = "--plain",
        description = "Serve --web-port without TLS: behind a proxy that terminates TLS, or in a private network.")
    private boolean isPlain;

    @Option(names = "--web-allow-host", paramLabel = "HOST", split = ",", description = "Also accept pages and " +
        "programs that use this name for --web-port, for example play.example. IP addresses, localhost and " +
        "--web-host are always accepted.")
    private List<String> hosts = List.of();

    @Option(names = "--origin", paramLabel = "ORIGIN", split = ",",
        description = "Also accept pages of this origin, for example https://game.example.")
    private List<String> origins = List.of();

    @Option(names = "--proxy", paramLabel = "NETWORK", split = ",", description = "Trust the X-Forwarded-For header " +
        "of a proxy at this address or in this network, for example 10.0.0.0/8. Other peers' headers are ignored.")
    private List<String> proxies = List.of();

    @Option(names = "--proxy-protocol",
        description = "Expect the PROXY protocol's header from --proxy instead of X-Forwarded-For.")
    private boolean isProxyProtocol;

    @Option(names = "--pages", paramLabel = "DIR",
        description = "Serve the files of this directory. Changed files are reread.")
    private Path pages;

    @Option(names = "--web-workers", paramLabel = "N", defaultValue = "1",
        description = "Threads of --web-port, each with its own trunk (default: ${DEFAULT-VALUE}).")
    private int workers;

    @Option(names = "--web-log-in-rate", paramLabel = "N", defaultValue = "" + GatewayLimits.LOG_IN_RATE_DEFAULT,
        description = "Maximum log-ins per address and minute at --web-port. Raise it if many players share an " +
        "address (default: ${DEFAULT-VALUE}).")
    private int logInRate;

    @Option(names = "--web-metrics-port", paramLabel = "PORT",
        description = "Serve the gateway's /metrics on this port.")
    private Integer metricsPort;

    @Option(names = "--web-metrics-host", paramLabel = "HOST", defaultValue = "127.0.0.1", description = "Address of " +
        "--web-metrics-port. Requests are not authenticated (default: ${DEFAULT-VALUE}).")
    private String metricsHost;

    /** Whether a game has a page. */
    static boolean hasPage(final Game game)
    {
        return null != game.page() &&
            null != game.getClass().getClassLoader().getResource("META-INF/resources/" + game.page());
    }

    /** Whether a gateway is requested. */
    boolean isSet()
    {
        return null != port;
    }

    Integer port()
    {
        return port;
    }

    /** The options of a gateway on the requested port, or on another port if no port is requested. */
    GatewayContext context(
        final Game game,
        final GatewayCredentials credentials,
        final int portIfNone,
        final String ingress,
        final String response,
        final byte[] secret,
        final String identity,
        final String feed)
    {
        final GatewayContext context = new GatewayContext().host(host).port(null == port ? portIfNone : port)
            .workers(workers).secret(secret).identity(identity).feed(feed)
            .credentials(credentials).files(pages);
        context.limits().logInRate(logInRate);
        pages(game, context);
        ServerOptions.forEach(ingress, response,
            (one, other) -> context.udp(reachable(one), reachable(other)),
            (one, other) -> context.member(reachable(one), reachable(other)));
        if (null != certificate || null != key)
        {
            context.certificate(certificate, key);
        }
        if (null != metricsPort)
        {
            context.metricsPort(metricsPort).metricsHost(metricsHost);
        }
        if (isPlain)
        {
            context.plain();
        }
        hosts.forEach(context::allowHost);
        origins.forEach(context::origin);
        proxies.forEach(context::proxy);
        if (isProxyProtocol)
        {
            context.proxyProtocol();
        }
        return context;
    }

    /** Have a gateway serve the files that the pages of a game need. */
    static void pages(final Game game, final GatewayContext context)
    {
        context.pages(game.getClass().getClassLoader());
        if (null != game.page())
        {
            context.index(game.page());
        }
        for (final RoomType type : game.roomTypes())
        {
            if (null != type.schema())
            {
                context.schema(type.schema());
            }
        }
    }

    /** The address of the page, as a player types it. */
    String url(final Gateway gateway)
    {
        return (null == certificate ? "http://" : "https://") + host + ":" + gateway.port() + "/";
    }

    private static String reachable(final String endpoint)
    {
        return endpoint.startsWith(ANY_ADDRESS) ? "127.0.0.1:" + endpoint.substring(ANY_ADDRESS.length()) : endpoint;
    }
}
