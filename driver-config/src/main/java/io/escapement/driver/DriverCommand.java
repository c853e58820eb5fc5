package io.escapement.driver;

import io.aeron.CommonContext;
import io.aeron.driver.Configuration;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.escapement.config.ConfigException;
import io.escapement.driver.guard.GuardedEndpoints;
import io.escapement.driver.internal.UntilSignal;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The launcher's command line, and the only code of this module that prints. Exit status: 0 after an orderly shutdown,
 * 1 for a driver that cannot start or has failed, 2 for a wrong option.
 */
@Command(
    name = "escapement-driver",
    sortOptions = false,
    usageHelpAutoWidth = true,
    description = "Run Aeron's media driver with guarded endpoints until SIGINT or SIGTERM.",
    footer = {
        "",
        "System properties override the profile, for example JAVA_OPTS=-Daeron.mtu.length=8k.",
        "Exit status: 0 orderly shutdown, 1 driver or host unfit to run, 2 wrong option.",
        "", "Examples:",
        "  escapement-driver --profile dedicated --check",
        "  escapement-driver --aeron-dir /dev/shm/game --cores 1,2,3"})
final class DriverCommand implements Callable<Integer>
{
    private static final String NAME = "escapement-driver: ";

    @Spec
    private CommandSpec spec;

    @Option(
        names = "--profile",
        paramLabel = "NAME|FILE",
        defaultValue = "shared",
        description = "Profile: dedicated, shared, solo, cloud, or a properties file (default: ${DEFAULT-VALUE}).")
    private String profileName;

    @Option(names = "--aeron-dir", paramLabel = "DIR", description = "Directory of the driver (default: Aeron's).")
    private String aeronDirectory;

    @Option(
        names = "--endpoint",
        paramLabel = "HOST:PORT",
        description = "UDP endpoint of an engine. If it is in use, the driver does not start. Repeatable.")
    private List<String> endpoints = List.of();

    @Option(
        names = "--cores",
        split = ",",
        paramLabel = "N",
        description = "Cores to pin threads to, in the order sender, receiver, conductor.")
    private int[] cores = {};

    @ArgGroup
    private Checking checking = new Checking();

    @Option(names = "--trace", description = "Print a stack trace with an error.")
    private boolean isTraced;

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "Print this help and exit.")
    private boolean isHelp;

    private final UntilSignal until;
    private final Function<Path, HostFacts> host;
    private volatile Throwable fault;

    /** Mutually exclusive options. */
    private static final class Checking
    {
        @Option(names = "--check", description = "Check the host against the profile and exit.")
        private boolean isOnly;

        @Option(names = "--skip-check", description = "Start even if the host check fails.")
        private boolean isSkipped;
    }

    DriverCommand(final UntilSignal until, final Function<Path, HostFacts> host)
    {
        this.until = until;
        this.host = host;
    }

    CommandLine commandLine()
    {
        return new CommandLine(this)
            .setParameterExceptionHandler((ex, args) -> showUsage(ex))
            .setExecutionExceptionHandler((ex, line, parsed) -> printError(line.getErr(), ex));
    }

    @Override
    public Integer call()
    {
        final DriverProfile profile = DriverProfile.load("--profile", profileName);
        final MediaDriver.Context context = profile.newContext();
        if (null != aeronDirectory)
        {
            context.aeronDirectoryName(aeronDirectory);
        }
        final String option = null == aeronDirectory ? CommonContext.AERON_DIR_PROP_NAME : "--aeron-dir";
        if (checking.isOnly)
        {
            final List<HostCheck.Finding> findings = check(profile, context);
            print(spec.commandLine().getOut(), findings);
            spec.commandLine().getOut().println("segmentation offload: " + offload(profile));
            spec.commandLine().getOut().println("profile " + profile.name() + ": " +
                (HostCheck.canRun(findings) ? "can run on this host" : "cannot run on this host"));
            return HostCheck.canRun(findings) ? 0 : 1;
        }
        if (ThreadingMode.INVOKER == context.threadingMode())
        {
            throw new ConfigException("--profile", profile.name(), Configuration.THREADING_MODE_PROP_NAME +
                "=INVOKER needs an embedding engine, use a profile with threads");
        }
        Cores.pinDriver("--cores", cores, context);
        DriverLauncher.requireUnused(context, option);
        endpoints.forEach((endpoint) -> Endpoints.checkUdp("--endpoint", endpoint));
        final List<HostCheck.Finding> findings = checking.isSkipped ? List.of() : check(profile, context);
        if (!HostCheck.canRun(findings))
        {
            print(spec.commandLine().getErr(), findings);
            throw new IllegalStateException("--profile: " + profile.name() +
                ": cannot run on this host, --skip-check starts it anyway");
        }
        return run(profile, context, option, findings);
    }

    /** An Error terminates the driver's agent. It must also terminate the process. */
    void onFault(final Throwable ex)
    {
        if (ex instanceof Error)
        {
            fault = ex;
            until.end();
        }
    }

    private int run(
        final DriverProfile profile,
        final MediaDriver.Context context,
        final String option,
        final List<HostCheck.Finding> findings)
    {
        context.errorHandler(this::onFault);
        context.terminationHook(until::end);
        try (MediaDriver driver = DriverLauncher.launch(
            context, profile.guardLimits(), profile.isOffloaded(), option))
        {
            print(spec.commandLine().getErr(), findings);
            final PrintWriter out = spec.commandLine().getOut();
            out.println("media driver in " + driver.aeronDirectoryName() + ", profile " + profile.name() +
                ", segmentation offload " + offload(profile));
            out.flush();
            until.await();
        }
        if (null != fault)
        {
            throw new IllegalStateException("media driver failed: " + fault, fault);
        }
        return 0;
    }

    private static String offload(final DriverProfile profile)
    {
        return profile.isOffloaded() ?
            GuardedEndpoints.offloadObstacle().map((reason) -> "off, " + reason).orElse("on") : "off";
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

    /** Always shows the usage; Picocli's handler omits it when it can suggest a similar option. */
    private static int showUsage(final ParameterException ex)
    {
        final PrintWriter err = ex.getCommandLine().getErr();
        err.println(ex.getMessage());
        ex.getCommandLine().usage(err);
        err.flush();
        return CommandLine.ExitCode.USAGE;
    }

    private int printError(final PrintWriter err, final Exception ex) throws Exception
    {
        if (isTraced)
        {
            // Picocli prints the stack trace of an exception thrown here and returns the same status.
            throw ex;
        }
        err.println(NAME + (ex instanceof ConfigException || ex instanceof IllegalStateException ?
            ex.getMessage() : ex.toString()));
        err.flush();
        return ex instanceof ConfigException ? CommandLine.ExitCode.USAGE : CommandLine.ExitCode.SOFTWARE;
    }
}
