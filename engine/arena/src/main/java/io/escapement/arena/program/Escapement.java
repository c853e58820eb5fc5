package io.escapement.arena.program;

import java.io.PrintWriter;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;

/** The command line of the reference game. */
@Command(
    name = "escapement",
    mixinStandardHelpOptions = false,
    usageHelpAutoWidth = true,
    description = "A game server on the Escapement engine: a lobby, arenas of up to 16 players, accounts.",
    subcommands = {DemoCommand.class, ServeCommand.class, BotsCommand.class, StatCommand.class, WatchCommand.class,
        ReplayCommand.class},
    footer = {"", "Exit status: 0 success, 1 failure, 2 wrong usage. To begin: escapement demo"})
public final class Escapement implements Runnable
{
    private static final Map<String, String> OPTION_BY_NAME_MAP = Map.ofEntries(
        Map.entry("trunks.udp", "--listen, --respond"),
        Map.entry("udp", "--listen, --respond"),
        Map.entry("trunks.secret", "--secret-file"),
        Map.entry("aeronDirectory", "--aeron-dir"),
        Map.entry("driverProfile", "--profile"),
        Map.entry("threadingMode", "--mode"),
        Map.entry("loops", "--loops"),
        Map.entry("cores", "--cores"),
        Map.entry("databaseUrl", "--database"),
        Map.entry("databaseUser", "--database-user"),
        Map.entry("metricsPort", "--metrics-port"),
        Map.entry("histogramLog", "--hlog"),
        Map.entry("recordTo", "--record"));

    @Option(names = {"-h", "--help"}, usageHelp = true, scope = ScopeType.INHERIT, description = "Print this help.")
    private boolean isHelp;

    @Option(names = "--trace", scope = ScopeType.INHERIT, description = "Print the stack trace of an error.")
    private boolean isTracing;

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    private Escapement()
    {
    }

    /** Run a command and exit with its status. */
    public static void main(final String[] args)
    {
        final int status = commandLine().execute(args);
        // After a signal the JVM would exit with the signal's status instead of the command's.
        Runtime.getRuntime().halt(status);
    }

    static CommandLine commandLine()
    {
        final Escapement escapement = new Escapement();
        return new CommandLine(escapement)
            .setCaseInsensitiveEnumValuesAllowed(true)
            .setParameterExceptionHandler((ex, args) -> wrongUsage(ex))
            .setExecutionExceptionHandler((ex, line, parsed) -> escapement.report(line.getErr(), ex));
    }

    @Override
    public void run()
    {
        throw new ParameterException(spec.commandLine(), "No command. To begin: escapement demo");
    }

    private int report(final PrintWriter err, final Exception ex) throws Exception
    {
        if (isTracing)
        {
            throw ex;
        }
        err.println("escapement: " + (null == ex.getMessage() ? ex.toString() : named(ex.getMessage())));
        err.flush();
        return CommandLine.ExitCode.SOFTWARE;
    }

    /** The libraries' messages begin with the name of an option. Replace it by the option of the command line. */
    static String named(final String message)
    {
        final int end = message.indexOf(": ");
        final String option = end < 0 ? null : OPTION_BY_NAME_MAP.get(message.substring(0, end));
        return null == option ? message : option + message.substring(end);
    }

    private static int wrongUsage(final ParameterException ex)
    {
        final PrintWriter err = ex.getCommandLine().getErr();
        err.println(ex.getMessage());
        ex.getCommandLine().usage(err);
        err.flush();
        return CommandLine.ExitCode.USAGE;
    }
}
