package io.escapement.gateway;

import io.escapement.client.TrunkContext;
import io.escapement.codecs.sync.SyncSchema;
import io.escapement.config.ConfigException;
import io.escapement.driver.Endpoints;
import io.escapement.http.Metrics;
import io.escapement.http.OtlpExporter;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.agrona.BitUtil;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;

/**
 * The options of a gateway. {@link #conclude} or {@link Gateway#launch} checks and freezes them: a later call of a
 * setter throws {@link IllegalStateException}, and an invalid value {@link ConfigException}.
 */
public final class GatewayContext
{
    /** Default of {@link #host(String)}: players on this machine only. */
    public static final String HOST_DEFAULT = "127.0.0.1";

    /** Default of {@link #contentSecurityPolicy(String)}: no inline code, and no content from other hosts. */
    public static final String CONTENT_SECURITY_POLICY_DEFAULT =
        "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'";

    private static final int MAX_PORT = 65_535;

    private String host = HOST_DEFAULT;
    private int port;
    private int workers = 1;
    private boolean isPlain;
    private Path certificate;
    private Path key;
    private final List<Engine> engines = new ArrayList<>();
    private boolean isGroup;
    private String driverDirectory;
    private String identity = "gateway";
    private byte[] secret;
    private String feedEndpoint = TrunkContext.FEED_DEFAULT;
    private int termLength = TrunkContext.TERM_LENGTH_DEFAULT;
    private int applicationVersion;
    private String index = "index.html";
    private ClassLoader pages = GatewayContext.class.getClassLoader();
    private Path files;
    private final List<SyncSchema> schemas = new ArrayList<>();
    private final Map<String, ContentSource> contentByPathMap = new LinkedHashMap<>();
    private String contentSecurityPolicy = CONTENT_SECURITY_POLICY_DEFAULT;
    private final List<String> origins = new ArrayList<>();
    private final Hosts hosts = new Hosts();
    private final Proxies proxies = new Proxies();
    private boolean isProxyProtocol;
    private Integer metricsPort;
    private String metricsHost = HOST_DEFAULT;
    private URI otlpUrl;
    private long otlpIntervalNs;
    private long otlpTimeoutNs;
    private final GatewayLimits limits = new GatewayLimits();
    private GatewayCredentials credentials = GatewayCredentials.UNCHANGED;
    private NanoClock clock = SystemNanoClock.INSTANCE;
    private SecureRandom random = new SecureRandom();
    private ErrorHandler errorHandler = GatewayContext::log;
    private Certificates certificates;
    private boolean isConcluded;
    private boolean isLaunched;

    private record Engine(String ingress, String response)
    {
    }

    /**
     * The address to listen on. One that other machines reach needs a {@link #certificate}, or {@link #plain}.
     * Default 127.0.0.1.
     *
     * @param value a name or an address.
     */
    public GatewayContext host(final String value)
    {
        checkOpen();
        host = value;
        return this;
    }

    /**
     * The port to listen on. Default 0: any free port. {@link Gateway#port} returns it.
     *
     * @param value from 0 to 65,535.
     */
    public GatewayContext port(final int value)
    {
        checkOpen();
        port = value;
        return this;
    }

    /**
     * Threads, each with its own trunk and its share of the connections. A session stays with its thread. A connection
     * that resumes the session is handed over to that thread. More than one needs Linux. Default 1.
     *
     * @param value from 1 to 64.
     */
    public GatewayContext workers(final int value)
    {
        checkOpen();
        workers = value;
        return this;
    }

    /**
     * Listen without TLS even where other machines reach it: behind a proxy that terminates TLS, or in a private
     * network.
     */
    public GatewayContext plain()
    {
        checkOpen();
        isPlain = true;
        return this;
    }

    /**
     * Serve TLS 1.2 and 1.3 with this certificate. Both files are reread when they change.
     *
     * @param chainFile certificates in PEM form, the server's first.
     * @param keyFile   its private key in PEM form, PKCS #8.
     */
    public GatewayContext certificate(final Path chainFile, final Path keyFile)
    {
        checkOpen();
        certificate = chainFile;
        key = keyFile;
        return this;
    }

    /**
     * Reach the engine over UDP, with a media driver in each worker.
     *
     * @param ingressEndpoint  the engine's ingress endpoint, host:port.
     * @param responseEndpoint the engine's control endpoint of response channels, host:port.
     */
    public GatewayContext udp(final String ingressEndpoint, final String responseEndpoint)
    {
        checkOpen();
        engines.clear();
        engines.add(new Engine(ingressEndpoint, responseEndpoint));
        isGroup = false;
        driverDirectory = null;
        return this;
    }

    /**
     * Use several engines over UDP. They keep one log, and one engine leads. Call this for each engine instead of
     * {@link #udp}. Each worker connects to all engines on standby, and resumes its trunk at the next leader.
     *
     * @param ingressEndpoint  a member's ingress endpoint, host:port.
     * @param responseEndpoint its control endpoint of response channels, host:port.
     */
    public GatewayContext member(final String ingressEndpoint, final String responseEndpoint)
    {
        checkOpen();
        if (!isGroup)
        {
            engines.clear();
        }
        engines.add(new Engine(ingressEndpoint, responseEndpoint));
        isGroup = true;
        driverDirectory = null;
        return this;
    }

    /**
     * Reach an engine on this machine over shared memory, by the media driver in this directory.
     *
     * @param directory of the engine's media driver.
     */
    public GatewayContext ipc(final String directory)
    {
        checkOpen();
        driverDirectory = directory;
        engines.clear();
        isGroup = false;
        return this;
    }

    /**
     * The name of the trunks for the engine's authenticator. The number of the worker follows it. Default gateway.
     *
     * @param value at most 60 bytes in UTF-8.
     */
    public GatewayContext identity(final String value)
    {
        checkOpen();
        identity = value;
        return this;
    }

    /**
     * The secret that is shared with the engine.
     *
     * @param value at least 16 bytes.
     */
    public GatewayContext secret(final byte[] value)
    {
        checkOpen();
        secret = value;
        return this;
    }

    /**
     * Receive the states for all players of rooms from the engine's feeds, if the engine grants them: see
     * {@link TrunkContext#feed}. Default null: do not.
     *
     * @param endpoint host:port to receive on, such as {@link TrunkContext#ANY_FEED_ENDPOINT}. With several workers the
     *                 port must be 0.
     */
    public GatewayContext feed(final String endpoint)
    {
        checkOpen();
        feedEndpoint = endpoint;
        return this;
    }

    /**
     * Length of the terms to the engine, see {@link TrunkContext#termLength}. Default 256 KiB.
     *
     * @param bytes a power of two, from 64 KiB to the longest terms that the engine's driver accepts.
     */
    public GatewayContext termLength(final int bytes)
    {
        checkOpen();
        termLength = bytes;
        return this;
    }

    /**
     * The application's version, for the engine's authenticator. Default 0.
     *
     * @param value any number.
     */
    public GatewayContext applicationVersion(final int value)
    {
        checkOpen();
        applicationVersion = value;
        return this;
    }

    /**
     * The page of {@code /}: a path below {@link #files}, or below META-INF/resources on the class path. Default
     * index.html.
     *
     * @param value without a leading slash.
     */
    public GatewayContext index(final String value)
    {
        checkOpen();
        index = value;
        return this;
    }

    /**
     * Where the pages are, below META-INF/resources. Default: the class path of the gateway.
     *
     * @param value such as the class loader of a jar.
     */
    public GatewayContext pages(final ClassLoader value)
    {
        checkOpen();
        pages = value;
        return this;
    }

    /**
     * Serve the files of a directory before files of the class path. A changed file is reread. Files and directories
     * with a leading dot in their names, and links out of the directory, are not served. Default none.
     *
     * @param value the directory.
     */
    public GatewayContext files(final Path value)
    {
        checkOpen();
        files = value;
        return this;
    }

    /**
     * Serve the schema of a state that rooms synchronise, as /escapement/schemas/NAME.json, where {@code sync.js} finds
     * it. Default none.
     *
     * @param value may be repeated.
     */
    public GatewayContext schema(final SyncSchema value)
    {
        checkOpen();
        schemas.add(value);
        return this;
    }

    /**
     * Serve bytes that the application makes, below a path. Files there are not served. May be repeated. Default none.
     *
     * @param path   such as {@code /films/}.
     * @param source of the bytes.
     */
    public GatewayContext content(final String path, final ContentSource source)
    {
        checkOpen();
        contentByPathMap.put(path, Objects.requireNonNull(source));
        return this;
    }

    /**
     * The content security policy of each answer. With a wider policy, a page can load code from other hosts, and
     * trusts them with its players. Default {@link #CONTENT_SECURITY_POLICY_DEFAULT}.
     *
     * @param value directives in printable ASCII.
     */
    public GatewayContext contentSecurityPolicy(final String value)
    {
        checkOpen();
        contentSecurityPolicy = value;
        return this;
    }

    /**
     * Let in pages of another origin than this gateway's own, such as {@code https://game.example}. May be repeated.
     *
     * @param value scheme, host and port as a browser sends them.
     */
    public GatewayContext origin(final String value)
    {
        checkOpen();
        origins.add(value.toLowerCase(Locale.ROOT));
        return this;
    }

    /**
     * Let in pages and clients that name this gateway so, in the Host header of their upgrade. May be repeated.
     * Addresses in digits, localhost and {@link #host} are allowed. Other names are refused. The owner of a name can
     * have it resolve to this gateway, and the owner's pages would then act for the players who see them.
     *
     * @param value a name without scheme and port, such as {@code play.example}.
     */
    public GatewayContext allowHost(final String value)
    {
        checkOpen();
        hosts.add("allowHost", value);
        return this;
    }

    /**
     * Trust a proxy in front of this gateway to report the addresses of its clients. Limits and log-ins then count for
     * these addresses. The proxy names them in {@code X-Forwarded-For}, or as {@link #proxyProtocol} says. The gateway
     * does not read headers from other hosts. May be repeated. Default none.
     *
     * @param network an address, or a network such as {@code 10.0.0.0/8}.
     */
    public GatewayContext proxy(final String network)
    {
        checkOpen();
        proxies.add(network);
        return this;
    }

    /**
     * Expect the header of the PROXY protocol, version 1 or 2, from each {@link #proxy}, and read no
     * {@code X-Forwarded-For}: a proxy of connections passes that on as its clients wrote it.
     */
    public GatewayContext proxyProtocol()
    {
        checkOpen();
        isProxyProtocol = true;
        return this;
    }

    /**
     * Serve {@code /metrics} in Prometheus' text format on this port. Default none.
     *
     * @param value 0 for any free port. {@link Gateway#metricsPort} returns it.
     */
    public GatewayContext metricsPort(final int value)
    {
        checkOpen();
        metricsPort = value;
        return this;
    }

    /**
     * Send the metrics to a collector of OpenTelemetry, by OTLP over HTTP. Default: not sent. Exports that fail are
     * counted, and logged once per minute.
     *
     * @param url        of the collector, with its path. Without a path, {@code /v1/metrics} is used.
     * @param intervalNs from one export to the next.
     * @param timeoutNs  after which an export has failed.
     */
    public GatewayContext otlp(final String url, final long intervalNs, final long timeoutNs)
    {
        checkOpen();
        otlpUrl = Endpoints.parseUrl("otlp", url);
        otlpIntervalNs = intervalNs;
        otlpTimeoutNs = timeoutNs;
        return this;
    }

    /**
     * The address of {@link #metricsPort}. Requests are not authenticated. Default 127.0.0.1.
     *
     * @param value a name or an address.
     */
    public GatewayContext metricsHost(final String value)
    {
        checkOpen();
        metricsHost = value;
        return this;
    }

    /**
     * Translates credentials, so that the log-in service gets the player's true address. Default unchanged.
     *
     * @param value the translation.
     */
    public GatewayContext credentials(final GatewayCredentials value)
    {
        checkOpen();
        credentials = Objects.requireNonNull(value);
        return this;
    }

    /**
     * The clock. Default {@link SystemNanoClock}.
     *
     * @param value the clock.
     */
    public GatewayContext clock(final NanoClock value)
    {
        checkOpen();
        clock = Objects.requireNonNull(value);
        return this;
    }

    /**
     * Receives faults of the gateway, which keeps running. Default: logged as warnings of
     * {@code io.escapement.gateway}.
     *
     * @param value called in any thread of the gateway.
     */
    public GatewayContext errorHandler(final ErrorHandler value)
    {
        checkOpen();
        errorHandler = Objects.requireNonNull(value);
        return this;
    }

    /** Limits of players and times, to be changed before the launch. */
    public GatewayLimits limits()
    {
        return limits;
    }

    GatewayContext random(final SecureRandom value)
    {
        checkOpen();
        random = value;
        return this;
    }

    /** Conclude unless the application has done so. */
    GatewayContext launch()
    {
        if (isLaunched)
        {
            checkOpen();
        }
        isLaunched = true;
        return conclude();
    }

    /**
     * Check all options, including against this host, before anything is opened, and freeze them.
     * {@link Gateway#launch} also calls this. An application that launches more than one gateway concludes all of its
     * contexts first.
     *
     * @throws ConfigException if an option is wrong.
     */
    public GatewayContext conclude()
    {
        if (isConcluded)
        {
            return this;
        }
        range("port", port, 0, MAX_PORT);
        range("workers", workers, 1, 64);
        if (null != metricsPort)
        {
            range("gateway.metricsPort", metricsPort, 0, MAX_PORT);
        }
        ConfigException.check(!engines.isEmpty() || null != driverDirectory, "udp", null, "set the engine's two " +
            "endpoints with udp(ingress, response), those of each of several with member, or ipc(directory)");
        ConfigException.check(null != secret && secret.length >= 16, "secret", null, "set 16 bytes or more");
        ConfigException.check(null != certificate || isPlain || isLoopback(host), "host", host,
            "set certificate(chain, key), or plain() where a proxy ends TLS, or use 127.0.0.1");
        ConfigException.check(1 == workers || null == feedEndpoint || feedEndpoint.endsWith(":0"), "feed", feedEndpoint,
            "use the port 0 with several workers");
        // Otherwise a worker refuses these two, in a thread that the caller does not see.
        ConfigException.check(BitUtil.isPowerOfTwo(termLength) && termLength >= TrunkContext.MIN_TERM_LENGTH,
            "termLength", termLength, "use a power of two from " + TrunkContext.MIN_TERM_LENGTH);
        ConfigException.check(null == feedEndpoint || isEndpoint(feedEndpoint), "feed", feedEndpoint,
            "use host:port with a port from 0 to 65535, such as " + TrunkContext.ANY_FEED_ENDPOINT);
        ConfigException.check((null == certificate) == (null == key), "certificate", certificate, "set both files");
        ConfigException.check(!isProxyProtocol || !proxies.isEmpty(), "proxyProtocol", null,
            "name the proxies with proxy(network)");
        ConfigException.check(null == files || Files.isDirectory(files), "files", files,
            "name a directory that exists");
        contentByPathMap.keySet().forEach((path) -> ConfigException.check(path.length() > 1 && path.endsWith("/") &&
            StaticFiles.isPlain(path), "content", path, "use letters, digits and slashes, such as /films/"));
        ConfigException.check(null != contentSecurityPolicy && !contentSecurityPolicy.isBlank() &&
            contentSecurityPolicy.chars().allMatch((c) -> c >= ' ' && c <= '~'), "contentSecurityPolicy",
            null == contentSecurityPolicy ? null : contentSecurityPolicy.replaceAll("[^ -~]", "?"),
            "use directives in printable ASCII, on one line");
        limits.conclude();
        checkHost();
        if (null == Proxies.addressOf(host))
        {
            hosts.add("host", host);
        }
        isConcluded = true;
        return this;
    }

    private void checkHost()
    {
        for (final Engine engine : engines)
        {
            Endpoints.checkHost("udp.ingress", engine.ingress);
            Endpoints.checkHost("udp.response", engine.response);
        }
        if (null != feedEndpoint)
        {
            Endpoints.checkUdp("feed", feedEndpoint);
        }
        Endpoints.checkTcp("host", "port", new InetSocketAddress(host, port));
        if (null != metricsPort)
        {
            Endpoints.checkTcp("gateway.metricsHost", "gateway.metricsPort",
                new InetSocketAddress(metricsHost, metricsPort));
        }
        certificates = null == certificate ? null : new Certificates(this);
    }

    private static boolean isEndpoint(final String text)
    {
        try
        {
            Endpoints.parse(text);
            return true;
        }
        catch (final IllegalArgumentException ex)
        {
            return false;
        }
    }

    private static boolean isLoopback(final String name)
    {
        return name.startsWith("127.") || "localhost".equals(name) || "::1".equals(name);
    }

    private static void range(final String option, final int value, final int least, final int most)
    {
        ConfigException.check(
            value >= least && value <= most, option, value, "use a number from " + least + " to " + most);
    }

    private static void log(final Throwable ex)
    {
        System.getLogger("io.escapement.gateway").log(System.Logger.Level.WARNING, ex.toString(), ex);
    }

    private void checkOpen()
    {
        if (isConcluded)
        {
            throw new IllegalStateException("the context belongs to a launched gateway: make a new one");
        }
    }

    String host()
    {
        return host;
    }

    int port()
    {
        return port;
    }

    int workers()
    {
        return workers;
    }

    Path certificate()
    {
        return certificate;
    }

    Path key()
    {
        return key;
    }

    /** Null without TLS. */
    Certificates certificates()
    {
        return certificates;
    }

    /** Have a trunk go to the engine, or to each of several. */
    void addEnginesTo(final TrunkContext trunk)
    {
        trunk.termLength(termLength);
        if (null != driverDirectory)
        {
            trunk.ipc();
        }
        for (final Engine engine : engines)
        {
            if (isGroup)
            {
                trunk.member(engine.ingress, engine.response);
            }
            else
            {
                trunk.udp(engine.ingress, engine.response);
            }
        }
        trunk.feed(feedEndpoint);
    }

    String driverDirectory()
    {
        return driverDirectory;
    }

    String identity()
    {
        return identity;
    }

    byte[] secret()
    {
        return secret;
    }

    int applicationVersion()
    {
        return applicationVersion;
    }

    String index()
    {
        return index;
    }

    ClassLoader pages()
    {
        return pages;
    }

    Path files()
    {
        return files;
    }

    List<SyncSchema> schemas()
    {
        return schemas;
    }

    Map<String, ContentSource> contents()
    {
        return contentByPathMap;
    }

    String contentSecurityPolicy()
    {
        return contentSecurityPolicy;
    }

    List<String> origins()
    {
        return origins;
    }

    Hosts hosts()
    {
        return hosts;
    }

    Proxies proxies()
    {
        return proxies;
    }

    boolean isProxyProtocol()
    {
        return isProxyProtocol;
    }

    Integer metricsPort()
    {
        return metricsPort;
    }

    /** An exporter of a gateway's metrics, or null without a collector. */
    OtlpExporter exporter(final Supplier<Metrics> source)
    {
        return null == otlpUrl ? null :
            OtlpExporter.launch("escapement-gateway", otlpUrl, otlpIntervalNs, otlpTimeoutNs, source);
    }

    String metricsHost()
    {
        return metricsHost;
    }

    GatewayCredentials credentials()
    {
        return credentials;
    }

    NanoClock clock()
    {
        return clock;
    }

    SecureRandom random()
    {
        return random;
    }

    ErrorHandler errorHandler()
    {
        return errorHandler;
    }
}
