package io.escapement.arena.program;

import java.io.PrintWriter;
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
    description = "A game server on the Escapement engine: arenas of up to 16 players, a lobby, accounts.",
    subcommands = {DemoCommand.class, ServeCommand.class, BotsCommand.class, StatCommand.class, WatchCommand.class,
        ReplayCommand.class},
    footer = {"", "Exit status: 0 all was well, 1 something was not, 2 wrong usage."})
public final class Escapement implements Runnable
{
    @Option(names = {"-h", "--help"}, usageHelp = true, scope = ScopeType.INHERIT, description = "Print this and end.")
    private boolean isHelp;

    @Option(names = "--trace", scope = ScopeType.INHERIT, description = "With a complaint, print where it comes from.")
    private boolean isTraced;

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    private Escapement()
    {
    }

    /**
     * Run a command, and end the process with its status.
     *
     * @param args of the command line.
     */
    public static void main(final String[] args)
    {
        final int status = commandLine().execute(args);
        // A signal has begun to end the JVM already, with a status of its own; this one is the program's.
        Runtime.getRuntime().halt(status);
    }

    static CommandLine commandLine()
    {
        final Escapement escapement = new Escapement();
        return new CommandLine(escapement)
            .setCaseInsensitiveEnumValuesAllowed(true)
            .setParameterExceptionHandler((ex, args) -> wrongUsage(ex))
            .setExecutionExceptionHandler((ex, line, parsed) -> escapement.complain(line.getErr(), ex));
    }

    @Override
    public void run()
    {
        throw new ParameterException(spec.commandLine(), "Which command? The first to try is: demo");
    }

    private int complain(final PrintWriter err, final Exception ex) throws Exception
    {
        if (isTraced)
        {
            throw ex;
        }
        err.println("escapement: " + (null == ex.getMessage() ? ex.toString() : ex.getMessage()));
        err.flush();
        return CommandLine.ExitCode.SOFTWARE;
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
