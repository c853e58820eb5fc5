package io.escapement.driver;

import io.aeron.CommonContext;
import io.aeron.driver.Configuration;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import java.io.PrintWriter;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.agrona.concurrent.ShutdownSignalBarrier;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The launcher's command line, and all that it prints. Exit statuses: 0 for a driver that was told to end, 1 for one
 * that could not start or a host that it cannot run on, 2 for a command line that makes no sense.
 */
@Command(
    name = "escapement-driver",
    sortOptions = false,
    usageHelpAutoWidth = true,
    description = "Runs Aeron's media driver with guarded endpoints until it is told to end.",
    footer = {
        "",
        "System properties beat the profile, as in JAVA_OPTS=-Daeron.mtu.length=8k.",
        "Exit status: 0 ended as told, 1 could not start or the host lacks something, 2 wrong usage."})
final class DriverCommand implements Callable<Integer>
{
    private static final String NAME = "escapement-driver: ";

    @Spec
    private CommandSpec spec;

    @Option(
        names = "--profile",
        paramLabel = "NAME|FILE",
        defaultValue = "shared",
        description = "dedicated, shared, solo, cloud, or a file with settings; ${DEFAULT-VALUE} unless given.")
    private String profileName;

    @Option(names = "--aeron-dir", paramLabel = "DIR", description = "The driver's directory; Aeron's default else.")
    private String aeronDirectory;

    @Option(
        names = "--endpoint",
        paramLabel = "HOST:PORT",
        description = "Where an engine on this driver is to receive: refused when in use. May be given again.")
    private List<String> endpoints = List.of();

    @Option(
        names = "--cores",
        split = ",",
        paramLabel = "N",
        description = "Cores that its threads are tied to: the sender, receiver and conductor, or those there are.")
    private int[] cores = {};

    @ArgGroup
    private Checking checking = new Checking();

    @Option(names = "--trace", description = "With a complaint, print where it comes from.")
    private boolean isTraced;

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "Print this and end.")
    private boolean isHelp;

    private final ShutdownSignalBarrier barrier;
    private final Function<Path, HostFacts> host;
    private volatile boolean isEndedByTool;
    private volatile Throwable fault;
    private boolean isEndedBySignal;

    /**
     * At most one of them.
     */
    private static final class Checking
    {
        @Option(names = "--check", description = "Only say what the host lacks for the profile.")
        private boolean isOnly;

        @Option(names = "--skip-check", description = "Start whatever the host lacks.")
        private boolean isSkipped;
    }

    DriverCommand(final ShutdownSignalBarrier barrier, final Function<Path, HostFacts> host)
    {
        this.barrier = barrier;
        this.host = host;
    }

    CommandLine commandLine()
    {
        return new CommandLine(this)
            .setParameterExceptionHandler((ex, args) -> showUsage(ex))
            .setExecutionExceptionHandler((ex, line, parsed) -> complain(line.getErr(), ex));
    }

    /**
     * Whether the JVM is on its way down, for a signal ended the driver.
     */
    boolean isEndedBySignal()
    {
        return isEndedBySignal;
    }

    @Override
    public Integer call()
    {
        final DriverProfile profile = DriverProfile.load(profileName, "--profile=" + profileName);
        final MediaDriver.Context context = profile.newContext();
        if (null != aeronDirectory)
        {
            context.aeronDirectoryName(aeronDirectory);
        }
        final String origin = null == aeronDirectory ?
            CommonContext.AERON_DIR_PROP_NAME + "=" + context.aeronDirectoryName() : "--aeron-dir=" + aeronDirectory;
        if (checking.isOnly)
        {
            final List<HostCheck.Finding> findings = check(profile, context);
            print(spec.commandLine().getOut(), findings);
            spec.commandLine().getOut().println("profile " + profile.name() + ": " +
                (HostCheck.canWork(findings) ? "can work on this host" : "cannot work on this host"));
            return HostCheck.canWork(findings) ? 0 : 1;
        }
        if (ThreadingMode.INVOKER == context.threadingMode())
        {
            throw new DriverConfigException(profile + ": " + Configuration.THREADING_MODE_PROP_NAME +
                "=INVOKER has no thread, it is for a driver inside an engine");
        }
        Cores.tieDriver("--cores", cores, context);
        DriverLauncher.requireUnused(context, origin);
        endpoints.forEach(this::requireFree);
        final List<HostCheck.Finding> findings = checking.isSkipped ? List.of() : check(profile, context);
        if (!HostCheck.canWork(findings))
        {
            print(spec.commandLine().getErr(), findings);
            throw new DriverConfigException(profile + ": cannot work on this host, --skip-check starts it anyway");
        }
        return run(profile, context, origin, findings);
    }

    /** An agent of the driver that met an error does not run on, so neither does the process. */
    void onFault(final Throwable ex)
    {
        if (ex instanceof Error)
        {
            fault = ex;
            barrier.signal();
        }
    }

    private int run(
        final DriverProfile profile,
        final MediaDriver.Context context,
        final String origin,
        final List<HostCheck.Finding> findings)
    {
        context.errorHandler(this::onFault);
        context.terminationHook(() ->
        {
            isEndedByTool = true;
            barrier.signal();
        });
        try (MediaDriver driver = DriverLauncher.launch(context, profile.guardLimits(), origin))
        {
            print(spec.commandLine().getErr(), findings);
            final PrintWriter out = spec.commandLine().getOut();
            out.println("media driver in " + driver.aeronDirectoryName() + ", profile " + profile.name());
            out.flush();
            barrier.await();
        }
        if (null != fault)
        {
            throw new DriverConfigException("the driver met a fault and has ended: " + fault, fault);
        }
        isEndedBySignal = !isEndedByTool;
        return 0;
    }

    private List<HostCheck.Finding> check(final DriverProfile profile, final MediaDriver.Context context)
    {
        return HostCheck.check(profile, context, host.apply(Path.of(context.aeronDirectoryName())));
    }

    private static void print(final PrintWriter writer, final List<HostCheck.Finding> findings)
    {
        findings.forEach(writer::println);
        writer.flush();
    }

    private void requireFree(final String endpoint)
    {
        try
        {
            Endpoints.requireFree(Endpoints.parse(endpoint));
        }
        catch (final IllegalArgumentException ex)
        {
            throw new ParameterException(spec.commandLine(), "--endpoint=" + endpoint + ": " + ex.getMessage(), ex);
        }
        catch (final SocketException ex)
        {
            throw new DriverConfigException("--endpoint=" + endpoint + ": " + ex.getMessage(), ex);
        }
    }

    /** Picocli's own shows the usage only when no option is called nearly so. */
    private static int showUsage(final ParameterException ex)
    {
        final PrintWriter err = ex.getCommandLine().getErr();
        err.println(ex.getMessage());
        ex.getCommandLine().usage(err);
        err.flush();
        return CommandLine.ExitCode.USAGE;
    }

    private int complain(final PrintWriter err, final Exception ex) throws Exception
    {
        if (isTraced)
        {
            // Picocli prints all of what is thrown at it, and ends with the same status.
            throw ex;
        }
        err.println(NAME + (ex instanceof DriverConfigException ? ex.getMessage() : ex.toString()));
        err.flush();
        return CommandLine.ExitCode.SOFTWARE;
    }
}
