package io.escapement.arena.program;

import io.escapement.accounts.AccountsContext;
import io.escapement.arena.ArenaCounters;
import io.escapement.engine.DrainReport;
import io.escapement.engine.EngineContext;
import io.escapement.engine.Idle;
import io.escapement.engine.ThreadingMode;
import io.escapement.engine.TrunkServerContext;
import io.escapement.engine.monitor.MonitorContext;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.agrona.concurrent.ShutdownSignalBarrier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs the server until it is told to end, and then drains it. */
@Command(
    name = "serve",
    sortOptions = false,
    description = "Run the server until Ctrl-C or SIGTERM; then tell the players, save, and print what is left.",
    footer = {"",
        "The secret that trunks prove themselves with comes from --secret-file, or from the environment variable " +
            "ESCAPEMENT_SECRET; the database's password from ESCAPEMENT_DATABASE_PASSWORD."})
final class ServeCommand implements Callable<Integer>
{
    static final String READY = "ready";
    static final String STATS = "server";
    static final String DRAINED = "drained";

    private static final System.Logger LOGGER = System.getLogger("io.escapement.arena");
    private static final long DRAIN_NS = TimeUnit.SECONDS.toNanos(10);

    @Spec
    private CommandSpec spec;

    @Option(names = "--listen", paramLabel = "HOST:PORT", defaultValue = "127.0.0.1:40100",
        description = "Where trunks come in, over UDP; ${DEFAULT-VALUE} unless given.")
    private String ingress;

    @Option(names = "--respond", paramLabel = "HOST:PORT", defaultValue = "127.0.0.1:40101",
        description = "Where the ways back to trunks start; ${DEFAULT-VALUE} unless given.")
    private String response;

    @Option(names = "--aeron-dir", paramLabel = "DIR", description = "Use the media driver there, not one of its own.")
    private String aeronDirectory;

    @Option(names = "--profile", paramLabel = "NAME|FILE",
        description = "Of its own media driver: dedicated, shared, " +
        "solo, cloud, or a file.")
    private String profile;

    @Option(names = "--mode", description = "Threads: ${COMPLETION-CANDIDATES}; as the host has cores unless given.")
    private ThreadingMode mode;

    @Option(names = "--idle", defaultValue = "PARK",
        description = "When there is nothing to do: ${COMPLETION-CANDIDATES}.")
    private Idle idle;

    @Option(names = "--loops", defaultValue = "0",
        description = "Threads that run rooms; as the host has cores unless given.")
    private int loops;

    @Option(names = "--cores", split = ",", paramLabel = "N", description = "Cores that the threads are tied to.")
    private int[] cores = {};

    @Option(names = "--database", paramLabel = "URL", defaultValue = "jdbc:h2:file:./escapement-accounts",
        description = "JDBC URL of H2 or PostgreSQL; ${DEFAULT-VALUE} unless given.")
    private String database;

    @Option(names = "--database-user", paramLabel = "NAME", description = "Who it connects as.")
    private String databaseUser;

    @Option(names = "--demo-accounts", description = "Make and let in accounts whose passwords are cheap to try: for " +
        "bots and tests, never for players.")
    private boolean isDemo;

    @Option(names = "--secret-file", paramLabel = "FILE", description = "What trunks prove themselves with.")
    private Path secretFile;

    @Option(names = "--metrics-port", paramLabel = "PORT", description = "Serve /metrics, /health and /ready on the " +
        "loopback interface.")
    private Integer metricsPort;

    @Option(names = "--hlog", paramLabel = "FILE", description = "Write histograms of every second.")
    private Path histogramLog;

    @Option(names = "--record", paramLabel = "DIR", description = "Record every command, for replay.")
    private Path record;

    @Option(names = "--stats", hidden = true, description = "Print a line of numbers every second.")
    private boolean isTelling;

    @Override
    public Integer call()
    {
        final PrintWriter out = spec.commandLine().getOut();
        Quiet.libraries();
        try (ShutdownSignalBarrier barrier = new ShutdownSignalBarrier())
        {
            final int status = serve(out, barrier);
            // A JVM that a signal ends would say 143, as if it had failed. Once the barrier is closed it goes its way.
            Runtime.getRuntime().halt(status);
            return status;
        }
    }

    private int serve(final PrintWriter out, final ShutdownSignalBarrier barrier)
    {
        final AtomicBoolean isFaulty = new AtomicBoolean();
        try (ArenaServer server = ArenaServer.launch(accounts(), isDemo, engine(() ->
        {
            isFaulty.set(true);
            barrier.signal();
        })))
        {
            final ServerStats stats = new ServerStats(server, null == metricsPort && null == histogramLog);
            tell(out, READY + " lobby=" + ArenaServer.LOBBY_ROOM_ID);
            if (isTelling)
            {
                server.engine().every(TimeUnit.SECONDS.toNanos(1), () -> tell(out, stats.next().toString()));
            }
            barrier.await();
            if (isFaulty.get())
            {
                throw new IllegalStateException("a thread of the engine has ended, see the log");
            }
            final DrainReport report = server.drain(DRAIN_NS);
            tell(out, report.toString());
            final boolean isClean = report.isClean() && 0 == server.heldSaves();
            tell(out, DRAINED + " clean=" + (isClean ? 1 : 0));
            return isClean ? 0 : 1;
        }
    }

    private AccountsContext accounts()
    {
        final AccountsContext accounts = new AccountsContext().databaseUrl(database)
            .errorHandler((ex) -> LOGGER.log(System.Logger.Level.WARNING, "accounts", ex));
        final String password = System.getenv("ESCAPEMENT_DATABASE_PASSWORD");
        if (null != databaseUser)
        {
            accounts.databaseUser(databaseUser);
        }
        if (null != password)
        {
            accounts.databasePassword(password);
        }
        return accounts;
    }

    private EngineContext engine(final Runnable faultHook)
    {
        final EngineContext context = new EngineContext()
            .idle(idle)
            .loops(loops)
            .cores(cores)
            .faultHook(faultHook)
            .trunks(new TrunkServerContext().udp(ingress, response).secret(ServerOptions
                .secret(secretFile, isDemo), false));
        if (null != mode)
        {
            context.threadingMode(mode);
        }
        if (null != aeronDirectory)
        {
            context.aeronDirectory(aeronDirectory);
        }
        if (null != profile)
        {
            context.driverProfile(profile);
        }
        if (null != record)
        {
            context.recordTo(record);
        }
        final MonitorContext monitor = new MonitorContext();
        ArenaCounters.names().forEach(monitor::counter);
        if (null != metricsPort)
        {
            monitor.metricsPort(metricsPort);
        }
        if (null != histogramLog)
        {
            monitor.histogramLog(histogramLog);
        }
        return context.monitor(monitor);
    }

    static void tell(final PrintWriter out, final String text)
    {
        synchronized (out)
        {
            out.println(text);
            out.flush();
        }
    }
}
