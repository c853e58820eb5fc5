package io.escapement.server;

import io.escapement.cluster.NodeStoppedException;
import io.escapement.config.ConfigException;
import io.escapement.driver.DriverLauncher;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command line of a server, which serves the game on its class path or in a jar. */
@Command(
    name = "escapement",
    mixinStandardHelpOptions = false,
    versionProvider = Escapement.Version.class,
    usageHelpAutoWidth = true,
    description = "A game server on the Escapement engine. It serves the game on the class path, or in the jars of " +
        "--types.",
    subcommands = {NewCommand.class, DemoCommand.class, ServeCommand.class, ClusterCommand.class, GatewayCommand.class,
        BotsCommand.class, StatCommand.class, WatchCommand.class, ReplayCommand.class, DebugCommand.class,
        RecoverCommand.class, AccountCommand.class, WarmCommand.class},
    footer = {"", "Exit status: 0 success, 1 failure, 2 wrong option.",
        "", "Examples:",
        "  escapement demo",
        "  escapement new my-game"})
public final class Escapement implements Runnable
{
    private static final String NAME = "escapement: ";

    @Option(names = {"-h", "--help"}, usageHelp = true, scope = ScopeType.INHERIT, description = "Print this help.")
    private boolean isHelp;

    @Option(names = "--version", versionHelp = true, description = "Print the version.")
    private boolean isVersion;

    @Option(names = "--trace", scope = ScopeType.INHERIT, description = "Print the stack trace of an error.")
    private boolean isTracing;

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    /** The version of this build. */
    static final class Version implements CommandLine.IVersionProvider
    {
        @Override
        public String[] getVersion() throws IOException
        {
            return new String[]{"escapement " + of()};
        }

        static String of() throws IOException
        {
            return resource("version").strip();
        }
    }

    /** A text file of this package. */
    static String resource(final String name) throws IOException
    {
        try (InputStream in = Escapement.class.getResourceAsStream(name))
        {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private Escapement()
    {
    }

    /** Run a command and exit with its status. */
    public static void main(final String[] args)
    {
        if (!Object.class.getModule().isOpen("jdk.internal.misc", Escapement.class.getModule()))
        {
            // Agrona's own failure names neither the flag nor the cause.
            System.err.println("escapement: java needs a flag: --add-opens java.base/jdk.internal.misc=ALL-UNNAMED");
            Runtime.getRuntime().halt(CommandLine.ExitCode.USAGE);
        }
        // Objects that a gateway's worker reuses in a turn. No stacks are recorded to look for leaks.
        setDefault("io.netty.recycler.chunkSize", "4096");
        setDefault("io.netty.leakDetection.level", "disabled");
        DriverLauncher.setUmask(false);
        ChildCommand.endWithParent();
        final int status = commandLine().execute(args);
        // After a signal the JVM would exit with the signal's status instead of the command's.
        Runtime.getRuntime().halt(status);
    }

    /** Set a property of a library that the command line of java does not set. */
    private static void setDefault(final String name, final String value)
    {
        System.setProperty(name, System.getProperty(name, value));
    }

    static CommandLine commandLine()
    {
        final Escapement escapement = new Escapement();
        return new CommandLine(escapement)
            .setCaseInsensitiveEnumValuesAllowed(true)
            .setParameterExceptionHandler((ex, args) -> wrongUsage(ex))
            .setExecutionExceptionHandler((ex, line, parsed) -> escapement.report(line, ex));
    }

    @Override
    public void run()
    {
        throw new ParameterException(spec.commandLine(), "No command. To start: escapement demo, or escapement --help");
    }

    private int report(final CommandLine line, final Exception ex) throws Exception
    {
        final PrintWriter err = line.getErr();
        final Object command = line.getCommand();
        final boolean isServer = !(command instanceof BotsCommand || command instanceof WatchCommand ||
            command instanceof GatewayCommand);
        if (isTracing)
        {
            throw ex;
        }
        err.println(NAME + (null == ex.getMessage() ? ex.toString() : OptionNames.replaced(ex.getMessage(), isServer)));
        err.flush();
        return ex instanceof ConfigException ? CommandLine.ExitCode.USAGE :
            ex instanceof NodeStoppedException ? NodeStoppedException.EXIT_STATUS : CommandLine.ExitCode.SOFTWARE;
    }

    private static int wrongUsage(final ParameterException ex)
    {
        final PrintWriter err = ex.getCommandLine().getErr();
        final List<String> nearest =
            ex instanceof UnmatchedArgumentException unmatched ? unmatched.getSuggestions() : List.of();
        err.println(NAME + ex.getMessage() +
            (nearest.isEmpty() ? "" : ": did you mean " + String.join(" or ", nearest) + "?"));
        err.flush();
        return CommandLine.ExitCode.USAGE;
    }
}
