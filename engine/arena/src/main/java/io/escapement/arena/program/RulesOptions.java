package io.escapement.arena.program;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The option that names newer rules of the game. */
final class RulesOptions
{
    @Option(names = "--rules", paramLabel = "DIR", description = "Directory with jars of newer versions of the " +
        "game's rooms, such as the jar of a later build. A server takes the newest at its start and at SIGHUP, and " +
        "no player leaves. Keep the older ones: a log needs all that it names when it runs again.")
    private Path directory;

    boolean isSet()
    {
        return null != directory;
    }

    Rules rules()
    {
        return new Rules(directory);
    }
}
