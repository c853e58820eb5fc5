package io.escapement.server;

import io.escapement.config.ConfigException;
import io.escapement.engine.Durability;
import io.escapement.engine.EngineContext;
import io.escapement.rooms.RoomType;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Reports the rooms that a start would recover from a journal. */
@Command(
    name = "recover",
    sortOptions = false,
    description = "Check a journal or a recording that no server uses, and report what a start would recover from " +
        "it. The command changes no file. The start itself recovers: escapement serve --journal DIR.",
    footer = {"", "Examples:",
        "  escapement recover ./escapement-data",
        "  escapement recover ./escapement-data --run --types game.jar"})
final class RecoverCommand implements Callable<Integer>
{
    @Spec
    private CommandSpec spec;

    @Option(names = "--run", description = "Also run the turns after the newest snapshot, and compare their output " +
        "with the server's output.")
    private boolean isRun;

    @Mixin
    private TypesOptions types;

    @Parameters(paramLabel = "DIR", description = "Directory of the journal or the recording.")
    private Path directory;

    @Override
    public Integer call()
    {
        final PrintWriter out = spec.commandLine().getOut();
        final List<RoomType> versions = isRun ? types.loadSome().types() : List.of();
        journal(directory).examine().forEach((line) -> ServeCommand.print(out, line));
        if (isRun)
        {
            final EngineContext context = new EngineContext();
            versions.forEach(context::roomType);
            journal(directory).replay(context).forEach((line) -> ServeCommand.print(out, line));
        }
        return 0;
    }

    /** An existing journal or recording. */
    static Durability journal(final Path directory)
    {
        return journal(directory, "a journal or a recording");
    }

    /** An existing journal or recording, or a refusal that names the possible logs. */
    static Durability journal(final Path directory, final String kinds)
    {
        ConfigException.check(Files.isDirectory(directory), "DIR", directory, "no such directory");
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*.journal"))
        {
            if (files.iterator().hasNext())
            {
                return Durability.journal(directory);
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(directory + ": cannot be read: " + ex, ex);
        }
        throw new ConfigException("DIR", directory, "has no log of " + kinds);
    }
}
