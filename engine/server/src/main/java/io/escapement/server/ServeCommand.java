package io.escapement.server;

import io.escapement.client.TrunkContext;
import io.escapement.config.ConfigException;
import io.escapement.console.Console;
import io.escapement.driver.DriverLauncher;
import io.escapement.driver.DriverProfile;
import io.escapement.driver.Endpoints;
import io.escapement.driver.internal.UntilSignal;
import io.escapement.engine.DrainReport;
import io.escapement.engine.EngineContext;
import io.escapement.engine.Idle;
import io.escapement.engine.ThreadingMode;
import io.escapement.engine.WarmUp;
import io.escapement.engine.monitor.MonitorContext;
import io.escapement.engine.spi.Authenticator;
import io.escapement.engine.trunks.TrunkServerContext;
import io.escapement.gateway.Gateway;
import io.escapement.gateway.GatewayContext;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.agrona.BitUtil;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs the server until a signal, and then drains it. */
@Command(
    name = "serve",
    sortOptions = false,
    description = "Run the server until Ctrl-C or SIGTERM. It keeps its rooms in a journal for the next start.",
    footer = {"",
        "Trunks authenticate with the secret in --secret-file or in the environment variable ESCAPEMENT_SECRET. " +
            "The database password is in ESCAPEMENT_DATABASE_PASSWORD.",
        "", "Examples:",
        "  escapement serve --types game.jar --web-port 8080",
        "  escapement serve --types game.jar --journal /var/lib/game --console-port 7071"})
final class ServeCommand implements Callable<Integer>
{
    static final String SERVING = "serving";
    static final String JOURNAL = "journal";
    static final String READY = "ready";
    static final String LEADING = "leading";
    static final String FOLLOWING = "following";
    static final String WEB = "web";
    static final String CONSOLE = "console";
    static final String TYPES = "types";
    static final String WATCH = "watch";
    static final String METRICS = "metrics";
    static final String STATS = "server";
    static final String DRAINED = "drained";
    static final String STOPPED = "stopped";

    private static final System.Logger LOGGER = System.getLogger("io.escapement.server");
    private static final int MIN_TERM_LENGTH = 65_536;
    private static final long DRAIN_NS = TimeUnit.SECONDS.toNanos(10);
    /** A member that starts to lead opens its rooms within this time. */
    private static final long ROLE_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long WEB_DRAIN_NS = TimeUnit.SECONDS.toNanos(1);

    @Spec
    private CommandSpec spec;

    @Option(names = "--listen", paramLabel = "HOST:PORT|none", defaultValue = "127.0.0.1:40100",
        description = "UDP endpoint that receives from trunks. With none and --ipc, no UDP port is open " +
            "(default: ${DEFAULT-VALUE}).")
    private String ingress;

    @Option(names = "--respond", paramLabel = "HOST:PORT", defaultValue = "127.0.0.1:40101",
        description = "UDP endpoint that sends to trunks (default: ${DEFAULT-VALUE}).")
    private String response;

    @Option(names = "--ipc", description = "Also accept trunks over shared memory, from programs on this host that " +
        "join the server's media driver. See --driver-dir.")
    private boolean isIpc;

    @Option(names = "--driver-dir", paramLabel = "DIR", description = "Directory of the embedded media driver, for " +
        "programs of this user to join (default: a new directory at each start).")
    private String driverDirectory;

    @Option(names = "--driver-group", paramLabel = "GROUP", description = "User group whose programs can also join " +
        "in --driver-dir. Start the server with umask 007.")
    private String driverGroup;

    @Option(names = "--aeron-dir", paramLabel = "DIR",
        description = "Use the media driver in this directory instead of an embedded media driver.")
    private String aeronDirectory;

    @Option(names = "--profile", paramLabel = "NAME|FILE",
        description = "Profile of the embedded media driver: dedicated, shared, solo, cloud, or a file.")
    private String profile;

    @Option(names = "--mode",
        description = "Threading mode: ${COMPLETION-CANDIDATES} (default: by the number of cores).")
    private ThreadingMode mode;

    @Option(names = "--idle", defaultValue = "PARK",
        description = "Idle strategy: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private Idle idle;

    @Option(names = "--warm-up", paramLabel = "SECONDS", defaultValue = "10", description = "Maximum wait for " +
        "the JIT compilers before the server is ready, if threads spin or --warm-up-log is set. With 0 the server " +
        "does not wait (default: ${DEFAULT-VALUE}).")
    private int warmUp;

    @Option(names = "--warm-up-log", paramLabel = "DIR", description = "A recording of this server, or a journal " +
        "that no server uses. Its turns run without output until the JIT compilers rest.")
    private Path warmUpLog;

    @Option(names = "--loops", defaultValue = "0",
        description = "Threads that run rooms (default: by the number of cores).")
    private int loops;

    @Option(names = "--cores", split = ",", paramLabel = "N", description = "Cores to pin the threads to.")
    private int[] cores = {};

    @Option(names = "--database", paramLabel = "URL", description = "JDBC URL of the accounts' database, H2 or " +
        "PostgreSQL (default: jdbc:h2:file:./escapement-accounts).")
    private String database;

    @Option(names = "--database-user", paramLabel = "NAME", description = "Database user.")
    private String databaseUser;

    @Option(names = "--demo-accounts", description = "Accept accounts with weak password hashing: for " +
        "bots and tests, never for players.")
    private boolean isDemo;

    @Mixin
    private LogInOptions logIn;

    @Mixin
    private TokenOptions tokens;

    @Option(names = "--secret-file", paramLabel = "FILE", description = "File with the trunks' secret.")
    private Path secretFile;

    @Option(names = "--token-key-file", paramLabel = "FILE", description = "File with one or two keys, one per line, " +
        "for the tokens of trunks, players and sessions. The first key signs, and both verify. With this file " +
        "tokens stay valid after a restart, but trunk tokens also need a journal. Without it tokens expire when the " +
        "server stops.")
    private Path tokenKeyFile;

    @Option(names = "--trunk-limit", paramLabel = "N", defaultValue = "64", description = "Maximum number of " +
        "trunks, including lost trunks. Shared memory, direct memory and windows are sized for it (default: " +
        "${DEFAULT-VALUE}).")
    private int trunkLimit;

    @Option(names = "--term-length", paramLabel = "BYTES", description = "Term length of the trunks' streams, and " +
        "the maximum for clients: a power of two from 65536. Each stream has three terms (default: 262144).")
    private Integer termLength;

    @Option(names = "--feed", description = "Offer trunks a feed with the states of all rooms. A state for all " +
        "players of a room is then sent once, and not resent if it is lost (default: states on the trunks).")
    private boolean isFed = TrunkContext.FEED_DEFAULT != null;

    @Option(names = "--feed-group", paramLabel = "ADDRESS:PORT", description = "Send feeds to this multicast group, " +
        "once for all trunks. Every host on the network segment can then receive the states of all rooms (default: " +
        "once per trunk).")
    private String feedGroup;

    @Option(names = "--queue-length", paramLabel = "BYTES", description = "Maximum bytes of events, and of states, " +
        "that wait for a trunk in a loop (default: 4194304).")
    private Integer queueLength;

    @Option(names = "--queue-memory", paramLabel = "BYTES", description = "Maximum bytes that wait for all trunks in " +
        "a loop (default: 33554432).")
    private Integer queueMemory;

    @Option(names = "--slow-trunk", paramLabel = "SECONDS", description = "Close a trunk if its client reads nothing " +
        "for this time. The client can resume it with its seats (default: 10).")
    private Integer slowSeconds;

    @Option(names = "--socket-buffer", paramLabel = "BYTES", description = "Buffer size per socket, lowered to the " +
        "host's limit (default: 4194304).")
    private Integer socketBuffer;

    @Option(names = "--metrics-port", paramLabel = "PORT", description = "Serve /metrics, /health and /ready on this " +
        "port.")
    private Integer metricsPort;

    @Option(names = "--metrics-host", paramLabel = "HOST", defaultValue = "127.0.0.1", description = "Address of " +
        "--metrics-port. Requests are not authenticated (default: ${DEFAULT-VALUE}).")
    private String metricsHost;

    @Mixin
    private OtlpOptions otlp;

    @Option(names = "--hlog", paramLabel = "FILE",
        description = "Write HdrHistogram interval logs, one interval per second.")
    private Path histogramLog;

    @Mixin
    private JournalOptions journal;

    @Option(names = "--record", paramLabel = "DIR", description = "Record every turn for replay, in a log in this " +
        "directory. If the directory contains a log, the new log is in a new directory below it.")
    private Path record;

    @Option(names = "--bundles", paramLabel = "DIR", description = "Write a file for each room that fails, and for " +
        "each room that an operator names. The file is the room's log up to that time, for a test of the game to " +
        "run. It contains the players' messages.")
    private Path bundles;

    @Option(names = "--drain", hidden = true, description = "Close the rooms at the end, with a journal too.")
    private boolean isDrained;

    @Mixin
    private TypesOptions types;

    @Option(names = "--watch", paramLabel = "DIR", description = "Rebuild the project in this directory when one " +
        "of its Java sources changes, and reload its rooms while their players stay. For development: rooms are in " +
        "memory only.")
    private Path watch;

    @Mixin
    private MemberOptions member;

    @Mixin
    private WebOptions web;

    @Mixin
    private ConsoleOptions console;

    @Option(names = "--stats", hidden = true, description = "Print statistics every second.")
    private boolean isReporting;

    private ServerStats stats;
    private final AtomicLong drainNs = new AtomicLong(DRAIN_NS);

    @Override
    public Integer call() throws Exception
    {
        final PrintWriter out = spec.commandLine().getOut();
        Quiet.libraries();
        Quiet.nameOptions();
        ConfigException.check(null == aeronDirectory || null == profile, "--profile", profile,
            "is for an embedded driver: remove it or --aeron-dir");
        ConfigException.check(null == aeronDirectory || null == driverDirectory, "--driver-dir", driverDirectory,
            "is for an embedded driver: remove it or --aeron-dir");
        ConfigException.check(
            null == driverGroup || null != driverDirectory, "--driver-group", driverGroup, "set --driver-dir too");
        if (null != driverGroup)
        {
            DriverLauncher.setUmask(true);
        }
        if (null != termLength)
        {
            checkTermLength(termLength);
        }
        checkListen();
        checkFeedGroup();
        checkMember();
        otlp.check();
        final ProjectBuild project = null == watch ? null : watched();
        journal.conclude(null != record || null != watch, member.isSet());
        ConfigException.check(null == bundles || journal.isSet(), "--bundles", bundles,
            member.isSet() ? "not with --cluster: use escapement debug on --data" : "set --journal too");
        ConfigException.check(trunkLimit >= 1, "--trunk-limit", trunkLimit, "1 or more");
        ConfigException.check(warmUp >= 0, "--warm-up", warmUp, "0 or more");
        tokens.conclude(logIn.isByTokens());
        final Types versions = types.loadSome();
        logIn.conclude(versions.game());
        ConfigException.check(
            logIn.isByAccounts() || null == database, "--database", database, LogInOptions.NO_ACCOUNTS);
        ConfigException.check(
            logIn.isByAccounts() || null == databaseUser, "--database-user", databaseUser, LogInOptions.NO_ACCOUNTS);
        warnings();
        return UntilSignal.run((until) -> serve(out, versions, project, until));
    }

    private int serve(
        final PrintWriter out, final Types versions, final ProjectBuild project, final UntilSignal until)
        throws IOException
    {
        final AtomicReference<GameServer> running = new AtomicReference<>();
        final Game game = versions.game();
        stats = new ServerStats(game, System.nanoTime());
        final EngineContext context = engine(until::fault);
        if (!logIn.isByAccounts())
        {
            context.trunks().logInService(logIn.isByTokens() ? tokens.players() : logIn.service(game));
        }
        console.conclude(context.monitor(), game, (timeoutNs) ->
        {
            drainNs.set(timeoutNs);
            until.end();
        });
        final GatewayContext gatewayContext = gateway(game);
        if (types.isSet())
        {
            // An earlier signal has no effect, because the start reads the jars.
            Hangup.handle(() -> reload(versions, running.get(), out));
        }
        try (TokenPlayers players = tokens.players();
            GameServer server = GameServer.launch(versions, logIn.isByAccounts() ?
                DatabaseAccounts.context(database, databaseUser, tokenKeyFile) : null, isDemo, context);
            Console open = console.launch(server.engine()))
        {
            running.set(server);
            if (null != players)
            {
                players.start(server.engine());
            }
            try (Gateway gateway = null == gatewayContext ? null : Gateway.launch(gatewayContext))
            {
                began(out, server, versions);
                if (null != gateway)
                {
                    print(out, WEB + " " + web.url(gateway));
                }
                if (null != open)
                {
                    print(out, CONSOLE + " " + open.url());
                }
                if (null != metricsPort)
                {
                    print(out, METRICS + " " + metricsHost + ":" + server.engine().metricsPort());
                }
                if (!awaitEnd(until, ProjectWatch.launch(
                    project, versions, server.engine(), (line) -> print(out, WATCH + " " + line))))
                {
                    print(out, "escapement: a thread of the engine has terminated, see the log");
                    return member.faultStatus();
                }
                if (null != gateway)
                {
                    gateway.drain(WEB_DRAIN_NS);
                }
            }
            return end(out, server);
        }
    }

    /** Keep the rooms in their log, or drain them. Returns the exit status. */
    private int end(final PrintWriter out, final GameServer server)
    {
        final boolean isClean;
        if (member.isSet() || journal.isSet() && !isDrained)
        {
            server.stop(DRAIN_NS);
            isClean = 0 == server.heldSaves();
            print(out, STOPPED + " rooms are kept in " + (member.isSet() ? member.directory() : journal.directory()));
        }
        else
        {
            final DrainReport report = server.drain(drainNs.get());
            isClean = report.isClean() && 0 == server.heldSaves();
            print(out, report.toString());
            print(out, DRAINED + " clean=" + (isClean ? 1 : 0));
        }
        return isClean ? 0 : 1;
    }

    /** Wait for a signal. No build runs after it. */
    private static boolean awaitEnd(final UntilSignal until, final ProjectWatch watch)
    {
        try (watch)
        {
            return until.await();
        }
    }

    /** The project of {@code --watch}. No later server has its versions. */
    private ProjectBuild watched()
    {
        final String remedy = "the versions of --watch end with the server: remove it";
        ConfigException.check(!journal.isNamed(), "--journal", journal.directory(), remedy);
        ConfigException.check(null == record, "--record", record, remedy);
        ConfigException.check(!member.isSet(), "--cluster", member.members(), remedy);
        return new ProjectBuild(watch);
    }

    /** Print where it serves, and do the tasks that need a running server. */
    private void began(final PrintWriter out, final GameServer server, final Types versions)
    {
        print(out, SERVING + " trunks" + (isListening() ? " on " + ingress + ", responses from " + response : "") +
            (isListening() && isIpc ? ", and" : "") + (isIpc ? " over shared memory" : "") +
            "; counters: escapement stat --aeron-dir " + server.engine().aeronDirectory());
        if (journal.isSet())
        {
            print(out, JOURNAL + " " + journal.directory() + ": " +
                server.recoveredRooms() + " rooms of the last server; --journal none keeps rooms in memory");
        }
        if (member.isSet())
        {
            server.engine().every(ROLE_NS, new MemberRole(server, (text) -> print(out, text)));
        }
        if (types.isSet() && !member.isSet())
        {
            reload(versions, server, out);
        }
        print(out, READY + " game=" + versions.game().name());
        if (isReporting)
        {
            server.engine().every(TimeUnit.SECONDS.toNanos(1),
                () -> print(out, stats.next(server.engine()).toString()));
        }
    }

    private static void reload(final Types versions, final GameServer server, final PrintWriter out)
    {
        if (null == server)
        {
            return;
        }
        try
        {
            print(out, TYPES + " " + versions.reload(server.engine()));
        }
        catch (final RuntimeException ex)
        {
            // The server stops.
            print(out, TYPES + " not reloaded: " + ex.getMessage());
        }
    }

    private boolean isListening()
    {
        return !JournalOptions.NONE.equals(ingress);
    }

    /** Without a UDP endpoint only programs that join the driver have trunks. */
    private void checkListen()
    {
        if (!isListening())
        {
            ConfigException.check(isIpc, "--listen", ingress, "trunks need shared memory: set --ipc too");
            ConfigException.check(
                !web.isSet(), "--web-port", web.port(), "connects to --listen: use escapement gateway --driver-dir");
        }
    }

    private void checkFeedGroup()
    {
        if (null != feedGroup)
        {
            ConfigException.check(isFed, "--feed-group", feedGroup, "set --feed too");
            try
            {
                Endpoints.parseGroup(feedGroup);
            }
            catch (final IllegalArgumentException ex)
            {
                throw new ConfigException("--feed-group", feedGroup, ex.getMessage(), ex);
            }
        }
    }

    private void checkMember()
    {
        if (member.isSet())
        {
            ConfigException.check(null == record, "--record", record, "the log of --cluster is a recording: remove it");
            ConfigException.check(!web.isSet(), "--web-port", web.port(), "with --cluster start escapement gateway");
        }
        else
        {
            member.refuse();
        }
    }

    /** The concluded options of the gateway in this process, or null. */
    private GatewayContext gateway(final Game game)
    {
        if (!web.isSet())
        {
            return null;
        }
        final GatewayContext context = web.context(game, logIn.credentials(), 0, ingress, response,
            ServerOptions.secret(secretFile, isDemo), "web", isFed ? feedEndpoint() : null);
        if (null != termLength)
        {
            context.termLength(termLength);
        }
        otlp.set(context);
        game.configure(context);
        return context.conclude();
    }

    /** A group must be joined on the interface that it is sent from. */
    private String feedEndpoint()
    {
        return null == feedGroup ?
            TrunkContext.ANY_FEED_ENDPOINT : response.substring(0, response.lastIndexOf(':')) + ":0";
    }

    /** Name the costs of a smaller server. */
    private void warnings()
    {
        if (null != termLength && termLength < TrunkServerContext.TERM_LENGTH_DEFAULT)
        {
            warn("--term-length: " + termLength + ": a trunk takes at most half of it at once: with more players a " +
                "trunk, frames arrive late; clients need --term-length " + termLength + " too");
        }
        if (trunkLimit < TrunkServerContext.LIMIT_DEFAULT)
        {
            warn("--trunk-limit: " + trunkLimit + ": a trunk that is lost keeps its place for 30 s; further ones " +
                "are refused");
        }
    }

    private static void warn(final String text)
    {
        LOGGER.log(System.Logger.Level.WARNING, text);
    }

    private TrunkServerContext trunks()
    {
        final TrunkServerContext trunks = new TrunkServerContext().ipc(isIpc)
            .secret(ServerOptions.secret(secretFile, isDemo), Authenticator.Verdict.ACCEPTED.feed(isFed))
            .feedGroup(feedGroup).limit(trunkLimit).tokenKeyFile(tokenKeyFile);
        if (isListening())
        {
            trunks.udp(ingress, response);
        }
        if (null != termLength)
        {
            trunks.termLength(termLength);
            if (null == System.getProperty(DriverProfile.GUARD_MAX_TERM_LENGTH_KEY))
            {
                // The driver reserves places for sessions with the longest terms that it admits.
                System.setProperty(DriverProfile.GUARD_MAX_TERM_LENGTH_KEY, Integer.toString(termLength));
            }
        }
        ifSet(queueLength, trunks::queueLength);
        ifSet(queueMemory, trunks::queueMemory);
        ifSet(slowSeconds, (seconds) -> trunks.slowNs(TimeUnit.SECONDS.toNanos(seconds)));
        ifSet(socketBuffer, trunks::socketBuffer);
        return trunks;
    }

    private EngineContext engine(final Runnable faultHook)
    {
        final EngineContext context = new EngineContext()
            .idle(idle)
            .warmUp(warmUp())
            .loops(loops)
            .cores(cores)
            .faultHook(faultHook)
            .trunks(trunks());
        ifSet(mode, context::threadingMode);
        ifSet(aeronDirectory, context::aeronDirectory);
        ifSet(profile, context::driverProfile);
        ifSet(driverDirectory, context::driverDirectory);
        ifSet(driverGroup, context::driverGroup);
        ifSet(record, context::recordTo);
        ifSet(bundles, context::bundles);
        if (journal.isSet())
        {
            context.durability(journal.durability());
        }
        else if (member.isSet())
        {
            context.durability(member.log(journal.level()));
        }
        final MonitorContext monitor = new MonitorContext().metricsHost(metricsHost);
        ifSet(metricsPort, monitor::metricsPort);
        otlp.set(monitor);
        ifSet(histogramLog, monitor::histogramLog);
        if (isReporting)
        {
            monitor.intervals(stats);
        }
        return context.monitor(monitor);
    }

    private static <T> void ifSet(final T option, final Consumer<T> setter)
    {
        if (null != option)
        {
            setter.accept(option);
        }
    }

    private WarmUp warmUp()
    {
        final WarmUp value = new WarmUp().limitNs(TimeUnit.SECONDS.toNanos(warmUp));
        return null == warmUpLog ? value : value.log(warmUpLog);
    }

    static void checkTermLength(final int bytes)
    {
        ConfigException.check(BitUtil.isPowerOfTwo(bytes) && bytes >= MIN_TERM_LENGTH, "--term-length", bytes,
            "a power of two from " + MIN_TERM_LENGTH);
    }

    static void print(final PrintWriter out, final String text)
    {
        synchronized (out)
        {
            out.println(text);
            out.flush();
        }
    }
}
