package io.escapement.examples;

import io.escapement.examples.chat.ChatCommand;
import io.escapement.examples.turns.TurnsCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;

/** The command line of the examples. */
@Command(
    name = "example",
    usageHelpAutoWidth = true,
    description = "Small games on the Escapement engine, to begin with: read them, run them, change them.",
    subcommands = {ChatCommand.class, TurnsCommand.class},
    footer = {"", "Exit status: 0 success, 1 failure, 2 wrong usage. To begin: example chat"})
public final class Examples implements Runnable
{
    @Option(names = {"-h", "--help"}, usageHelp = true, scope = ScopeType.INHERIT, description = "Print this help.")
    private boolean isHelp;

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    private Examples()
    {
    }

    /** Run an example and exit with its status. */
    public static void main(final String[] args)
    {
        Runtime.getRuntime().halt(commandLine().execute(args));
    }

    /** The command line, for tests. */
    public static CommandLine commandLine()
    {
        return new CommandLine(new Examples())
            .setParameterExceptionHandler((ex, args) ->
                print(ex.getCommandLine(), ex, " (see --help)", CommandLine.ExitCode.USAGE))
            .setExecutionExceptionHandler((ex, line, parsed) -> print(line, ex, "", CommandLine.ExitCode.SOFTWARE));
    }

    @Override
    public void run()
    {
        throw new ParameterException(spec.commandLine(), "No example. To begin: example chat");
    }

    private static int print(
        final CommandLine line, final Exception ex, final String hint, final int status)
    {
        final String message = null == ex.getMessage() ? ex.toString() : ex.getMessage();
        line.getErr().println("example: " + message.lines().findFirst().orElse("") + hint);
        line.getErr().flush();
        return status;
    }
}
