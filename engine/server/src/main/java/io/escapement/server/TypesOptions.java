package io.escapement.server;

import io.escapement.config.ConfigException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The option that names the jars of a game. */
final class TypesOptions
{
    private static final String OPTION = "--types";

    @Option(names = OPTION, paramLabel = "PATH", split = ",", description = "Jars with room types, and directories " +
        "of such jars: a game, or newer versions of its rooms. At its start and at SIGHUP a server loads the newest " +
        "version of each type, and players stay. Keep the older jars, because a log needs every version that it " +
        "names.")
    private List<Path> paths = List.of();

    boolean isSet()
    {
        return !paths.isEmpty();
    }

    /** The option for another process. */
    List<String> arguments()
    {
        return isSet() ? List.of(OPTION, String.join(",", paths.stream().map(Path::toString).toList())) : List.of();
    }

    /** The game and the types, which may be missing. */
    Types load()
    {
        return new Types(paths);
    }

    /** The game and the types, of which there is one. */
    Types loadSome()
    {
        final Types types = load();
        ConfigException.check(
            !types.types().isEmpty(), OPTION, "none", "name a jar with rooms, or put one on the class path");
        return types;
    }

    /** The bots of a game, which have these options. */
    static BotProvider bots(final CommandSpec spec, final Game game, final BotOptions options)
    {
        final BotProvider bots = game.bots();
        ConfigException.check(null != bots, OPTION, game.name(), "has no bots");
        try
        {
            bots.check(options);
        }
        catch (final IllegalArgumentException ex)
        {
            throw new ParameterException(spec.commandLine(), ex.getMessage(), ex);
        }
        return bots;
    }
}
