package io.escapement.server;

import io.escapement.config.ConfigException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * Writes an archive of the classes that a server loads, for later starts of this jar. A server plays with bots for
 * seconds and exits, and its JVM writes the archive.
 */
@Command(
    name = "warm",
    sortOptions = false,
    description = "Write an archive of the program's classes next to its jar. Later starts load the classes from " +
        "it. The command runs a server for a few seconds, with bots if the game has bots.",
    footer = {"", "Examples:",
        "  escapement warm",
        "  escapement warm --types game.jar --log-in guests"})
final class WarmCommand implements Callable<Integer>
{
    private static final String NAME = "warm";
    private static final String SUFFIX = ".jar";
    private static final long START_NS = TimeUnit.SECONDS.toNanos(60);
    /** The JVM writes the archive after the server has stopped. */
    private static final long END_SECONDS = 120;
    /** Flags of the start that this command prepares. The preparing process must not have them. */
    private static final List<String> NOT_PASSED_ON = List.of("-XX:SharedArchiveFile=", "-Xshare:", "-Xlog:");

    @Mixin
    private TypesOptions types;

    @Mixin
    private LogInOptions logIn;

    @Spec
    private CommandSpec spec;

    private final List<String> lines = new CopyOnWriteArrayList<>();

    @Override
    public Integer call() throws IOException
    {
        final Path jar = ChildCommand.jar();
        ConfigException.check(
            null != jar && jar.toString().endsWith(SUFFIX), NAME, jar, "start the program by java -jar");
        final Path directory = jar.toAbsolutePath().getParent();
        ConfigException.check(Files.isWritable(directory), NAME, directory, "this user cannot write there");
        final Game game = types.loadSome().game();
        logIn.conclude(game);
        final String name = jar.getFileName().toString();
        final Path archive = directory.resolve(name.substring(0, name.length() - SUFFIX.length()) + ".jsa");
        // Until the move, a start finds the last archive.
        final Path written = directory.resolve(archive.getFileName() + "." + ProcessHandle.current().pid());
        try
        {
            play(game, written);
            if (!Files.exists(written))
            {
                throw new IllegalStateException("this JVM writes no archive of classes:\n" + String.join("\n", lines));
            }
            Files.move(written, archive, StandardCopyOption.ATOMIC_MOVE);
        }
        finally
        {
            Files.deleteIfExists(written);
        }
        ServeCommand.print(spec.commandLine().getOut(),
            "archive " + archive + "; the flag of java: -XX:SharedArchiveFile=" + archive);
        return 0;
    }

    /** Run a server that writes the archive when it exits. */
    private void play(final Game game, final Path archive) throws IOException
    {
        final String ingress = DemoCommand.freeEndpoint();
        final String response = DemoCommand.freeEndpoint();
        final List<String> flags = new ArrayList<>(ManagementFactory.getRuntimeMXBean().getInputArguments());
        flags.removeIf((flag) -> NOT_PASSED_ON.stream().anyMatch(flag::startsWith));
        flags.addAll(List.of("-XX:ArchiveClassesAtExit=" + archive, "-Xlog:disable", "-Xlog:all=error"));
        try (TemporaryDirectory directory = new TemporaryDirectory("--journal", null);
            ChildCommand server = new ChildCommand(
                "server", flags, serve(game, directory.path(), ingress, response), lines::add))
        {
            directory.usedBy(server::awaitEnd);
            await(server, ServeCommand.READY + " ");
            if (WebOptions.hasPage(game))
            {
                try (InputStream page = URI.create(await(server, ServeCommand.WEB + " ")).toURL().openStream())
                {
                    page.readAllBytes();
                }
                catch (final IOException ex)
                {
                    check(false, "the server's page cannot be loaded: " + ex.getMessage());
                }
            }
            if (null != game.bots())
            {
                final List<String> bots = new ArrayList<>(List.of("bots", "--server", ingress, "--respond", response,
                    "--rooms", "1", "--seats", "2", "--trunks", "1", "--warm-up", "1", "--seconds", "2"));
                bots.addAll(types.arguments());
                try (ChildCommand playing = new ChildCommand("bots", List.of(), bots, lines::add))
                {
                    check(0 == playing.awaitEnd(), "the bots failed");
                }
            }
            server.signalEnd();
            check(0 == server.awaitEnd(END_SECONDS), "the server failed");
            ChildCommand.awaitShutdown();
        }
    }

    private List<String> serve(final Game game, final Path directory, final String ingress, final String response)
    {
        final List<String> arguments = new ArrayList<>(List.of("serve", "--demo-accounts", "--listen", ingress,
            "--respond", response, "--journal", directory.resolve("journal").toString(),
            "--tail", directory.toString(), "--console-port", "0", "--metrics-port", "0"));
        arguments.addAll(types.arguments());
        arguments.addAll(logIn.arguments());
        if (logIn.isByAccounts())
        {
            arguments.addAll(List.of("--database", "jdbc:h2:file:" + directory.resolve("accounts")));
        }
        if (WebOptions.hasPage(game))
        {
            arguments.addAll(List.of("--web-port", "0"));
        }
        return arguments;
    }

    /** Wait for a line of the server, and return the rest of it. */
    private String await(final ChildCommand server, final String start)
    {
        final long startNs = System.nanoTime();
        while (true)
        {
            for (final String line : lines)
            {
                if (line.startsWith(start))
                {
                    return line.substring(start.length());
                }
            }
            check(server.isAlive() && System.nanoTime() - startNs < START_NS, "the server did not start within 60 s");
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
    }

    private void check(final boolean isGood, final String fault)
    {
        if (!isGood)
        {
            throw new IllegalStateException(fault + ":\n" + String.join("\n", lines));
        }
    }
}
