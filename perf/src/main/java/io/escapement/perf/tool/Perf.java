package io.escapement.perf.tool;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Measures the engine, and the components and designs that it is compared with. */
@Command(
    name = "perf",
    mixinStandardHelpOptions = true,
    version = "escapement perf 0.1.0",
    description = "Measures the engine and its peers in the same run.",
    subcommands = {
        EchoCommand.class, IngressCommand.class, RingCommand.class, TimersCommand.class, FramesCommand.class,
        PlayersCommand.class, CapacityCommand.class, OverloadCommand.class, ReplaySpeedCommand.class},
    footer = {"", "Examples:",
        "  perf echo",
        "  perf players --rooms 64 --seconds 30"})
public final class Perf
{
    private Perf()
    {
    }

    /** Run a command. */
    public static void main(final String[] arguments)
    {
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine()
    {
        return new CommandLine(new Perf());
    }
}
