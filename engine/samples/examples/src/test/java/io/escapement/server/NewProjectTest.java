package io.escapement.server;

import io.escapement.testsupport.Browser;
import io.escapement.testsupport.BrowserPage;
import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** New projects, from a copy of the sources and a repository without Escapement to a game that is played. */
@RealTime("Maven, other processes and a browser of this machine")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class NewProjectTest
{
    private static final Path SOURCES = Path.of("..", "..", "..").toAbsolutePath().normalize();
    private static final Set<String> NOT_COPIED = Set.of("target", "node_modules", ".git");
    private static final int BUILD_MINUTES = 8;
    private static final String ORDERS_DONE = "400 orders at 200 a second after 100 to warm up: 500 accepted, " +
        "0 refused, 0 unknown, 250 trades, 250 in the ledger";

    private static final List<Process> STARTED = new ArrayList<>();

    @TempDir
    static Path directory;
    private static Path repository;

    @BeforeAll
    static void copySources() throws IOException
    {
        final Path home = directory.resolve("escapement");
        Files.createDirectories(home);
        for (final String part : List.of("pom.xml", "codecs", "driver-config", "engine", "perf"))
        {
            copy(SOURCES.resolve(part), home.resolve(part));
        }
        System.setProperty(NewCommand.HOME_PROPERTY, home.toString());
        repository = linkedRepository();
    }

    @AfterAll
    static void clear()
    {
        System.clearProperty(NewCommand.HOME_PROPERTY);
        STARTED.forEach(Process::destroyForcibly);
    }

    @Test
    void shouldPlayAGame() throws Exception
    {
        final Path project = build("game");
        try (Served game = new Served(project, "--watch", "."))
        {
            final Path page = project.resolve("src/main/resources/META-INF/resources/index.html");
            Files.writeString(page, Files.readString(page).replace("<title>Dots", "<title>My dots"));
            assertTrue(get(game.url).contains("<title>My dots"), "an edited page is not reread");
            game.await("watch build 1: rooms reloaded: 1");
            final Path room = project.resolve("src/main/java/game/DotsRoom.java");
            Files.writeString(room, Files.readString(room).replace("FRAME_RATE = 30", "FRAME_RATE = 20"));
            game.await("watch build 2: rooms reloaded: 1");
            play(game, BrowserPlays::dots);
        }
    }

    /** The tutorial of the guide, with the page's own commands: the room survives a kill, and its past is read. */
    @Test
    void shouldFollowTheTutorial() throws Exception
    {
        final GuidePage page = new GuidePage(FirstGameTest.PAGE);
        final Path project = directory.resolve("tutorial").resolve("my-game");
        create(project, "game");
        for (final GuidePage.Edit edit : page.edits())
        {
            if (!FirstGameTest.isBroken(edit))
            {
                edit.apply(project);
            }
        }
        makePackage(project);
        final List<List<String>> runs = page.commands("./run");
        final Served killed = new Served(project, options(runs.get(0)));
        play(killed, BrowserPlays::dots);
        killed.process.destroyForcibly().waitFor();
        try (Served server = new Served(project, options(runs.get(1))))
        {
            assertTrue(server.lines().toString().contains("data/journal: 1 rooms of the last server"),
                () -> server.lines().toString());
            play(server, BrowserPlays::dots);
        }
        final List<String> debug = new ArrayList<>(List.of("java", "-jar", "target/my-game.jar"));
        debug.addAll(page.commands("java -jar target/my-game.jar").get(0));
        page.debugged().forEach((line) -> debug.addAll(List.of("-e", line)));
        final List<String> lines = output(project, debug);
        assertTrue(lines.get(0).matches("turn 0, .*, not open"), lines::toString);
        assertTrue(lines.get(lines.size() - 1).matches("  dots\\[\\d+]\\.score = \\d+"), lines::toString);
    }

    /** The tutorial of a service: the page's own commands, a kill under load, and the client's count of the orders. */
    @Test
    void shouldMatchOrdersThroughAKill() throws Exception
    {
        // Installs the modules, as the page's first command does.
        create(directory.resolve("installed"), "game");
        final GuidePage page = new GuidePage(OrderMatchingTest.PAGE);
        final Path project = Files.createDirectory(directory.resolve("my-exchange-of-the-page"));
        for (final GuidePage.Edit edit : page.edits())
        {
            edit.apply(project);
        }
        Tests.writeSecret(project.resolve("secret"), "a secret of the tutorial's trunks");
        makePackage(project);
        final List<List<String>> commands = page.commands("java @jvm.flags");
        assertEquals(3, commands.size());
        final int port = Tests.freePorts(2);
        final Process killed = startServer(project, commands.get(0), port);
        final Path output = project.resolve("client.txt");
        final Process first = start(project, load(commands.get(1), "1", "3"), port, output);
        assertEquals(0, first.waitFor(), () -> lines(output).toString());
        assertTrue(lines(output).contains("2,000 orders at 500 per second: 2,000 acknowledged, 2,000 fills"),
            () -> lines(output).toString());
        final Process client = start(project, load(commands.get(2), "1", "19"), port, output);
        Tests.await(() -> !client.isAlive() || lines(output).contains("sending"), "the first order");
        final long killNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(3);
        Tests.await(() -> System.nanoTime() - killNs >= 0, "orders under way");
        killed.destroyForcibly().waitFor();
        final Process server = startServer(project, commands.get(0), port);
        assertEquals(0, client.waitFor(), () -> lines(output).toString());
        final List<String> lines = lines(output);
        assertTrue(lines.stream().anyMatch(
            (line) -> line.startsWith("10,000 orders at 500 per second: 10,000 acknowledged, ")), lines::toString);
        assertEquals("the room has each order once", lines.get(lines.size() - 1));
        for (final String side : List.of("SELL", "BUY"))
        {
            final String[] words = lines.stream().filter((line) -> line.startsWith(side + " is back: "))
                .findFirst().orElseThrow(() -> new AssertionError(lines)).split("\\D+");
            final long acknowledged = Long.parseLong(words[1]);
            assertTrue(acknowledged > 0 && acknowledged <= Long.parseLong(words[2]), lines::toString);
        }
        server.destroy();
        assertEquals(0, server.waitFor(), () -> lines(project.resolve("server.txt")).toString());
    }

    /** The page's client, at a rate that any host keeps. */
    private static List<String> load(final List<String> words, final String warmUpSeconds, final String seconds)
    {
        final List<String> load = new ArrayList<>(words.subList(0, words.size() - 3));
        load.addAll(List.of("500", warmUpSeconds, seconds));
        return load;
    }

    private static Process startServer(final Path project, final List<String> words, final int port)
        throws IOException
    {
        final Path output = project.resolve("server.txt");
        final Process server = start(project, words, port, output);
        Tests.await(() -> !server.isAlive() || lines(output).contains("room 1 is open"), "the room");
        assertTrue(server.isAlive(), () -> lines(output).toString());
        return server;
    }

    private static Process start(
        final Path project, final List<String> words, final int port, final Path output) throws IOException
    {
        final List<String> command = new ArrayList<>(List.of("java", "@jvm.flags", "-Dport=" + port));
        command.addAll(words);
        final Process process = new ProcessBuilder(command).directory(project.toFile()).redirectErrorStream(true)
            .redirectOutput(output.toFile()).start();
        STARTED.add(process);
        return process;
    }

    private static List<String> lines(final Path file)
    {
        try
        {
            return Files.readAllLines(file);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** A command's options after the page's port, which another server may have. */
    private static String[] options(final List<String> words)
    {
        assertEquals(List.of("--web-port", "8080"), words.subList(0, 2));
        return words.subList(2, words.size()).toArray(String[]::new);
    }

    @Test
    void shouldChat() throws Exception
    {
        try (Served chat = new Served(build("chat")))
        {
            play(chat, BrowserPlays::chat);
        }
    }

    @Test
    void shouldPlayFourInARow() throws Exception
    {
        try (Served turns = new Served(build("turns")))
        {
            play(turns, BrowserPlays::turns);
        }
    }

    /** The ledger has each trade once, though the server is killed and the trades are sent again. */
    @Test
    void shouldTradeThroughAKill() throws Exception
    {
        final Path project = build("exchange");
        final Served killed = new Served(project, "--journal", "data/journal");
        assertEquals(ORDERS_DONE, orders(project, killed));
        play(killed, BrowserPlays::trade);
        killed.process.destroyForcibly().waitFor();
        try (Served server = new Served(project, "--journal", "data/journal"))
        {
            assertTrue(server.lines().toString().contains("data/journal: 1 rooms of the last server"),
                () -> server.lines().toString());
            assertEquals(ORDERS_DONE, orders(project, server));
        }
        try (Connection ledger = DriverManager.getConnection("jdbc:h2:file:" + project.resolve("data/ledger"));
            ResultSet trades = ledger.createStatement().executeQuery(
                "SELECT COUNT(*), COUNT(DISTINCT trade), MAX(trade) FROM trade"))
        {
            trades.next();
            assertEquals("501 501 501", trades.getLong(1) + " " + trades.getLong(2) + " " + trades.getLong(3));
        }
    }

    private static String orders(final Path project, final Served server) throws IOException, InterruptedException
    {
        final List<String> lines = output(project, List.of("./orders", "--orders", "400", "--warm-up", "100",
            "--rate", "200", "--server", server.listen, "--respond", server.respond));
        return lines.get(lines.size() - 1);
    }

    private static List<String> output(final Path project, final List<String> command)
        throws IOException, InterruptedException
    {
        final Process process =
            new ProcessBuilder(command).directory(project.toFile()).redirectErrorStream(true).start();
        final List<String> lines =
            new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        assertEquals(0, process.waitFor(), lines::toString);
        return lines;
    }

    /** Two players in a browser, one of whom has a phone. */
    private static void play(final Served server, final BiConsumer<BrowserPage, BrowserPage> steps)
    {
        final Path program = Browser.find();
        assertTrue(null != program || !Browser.isRequired(), "no browser: set -Descapement.browser");
        if (null == program)
        {
            return;
        }
        try (Browser browser = new Browser(program); BrowserPage ann = browser.newPage();
            BrowserPage ben = browser.newPage())
        {
            ann.colours("dark");
            ben.colours("light");
            ben.size(390, 780, true);
            ann.open(server.url);
            ben.open(server.url);
            steps.accept(ann, ben);
            assertEquals(List.of(), ann.errors());
            assertEquals(List.of(), ben.errors());
        }
    }

    private static Path build(final String template) throws Exception
    {
        final Path project = directory.resolve("my-" + template);
        create(project, template);
        makePackage(project);
        return project;
    }

    private static void create(final Path project, final String template)
    {
        assertEquals(0, Escapement.commandLine().execute(
            "new", project.toString(), "--template", template, "--repository", repository.toString()));
    }

    private static void makePackage(final Path project) throws IOException, InterruptedException
    {
        final Process maven = new ProcessBuilder("mvn", "-o", "-B", "-q", "package", "-Dmaven.repo.local=" + repository)
            .directory(project.toFile()).inheritIO().start();
        assertTrue(maven.waitFor(BUILD_MINUTES, TimeUnit.MINUTES), "the build hangs");
        assertEquals(0, maven.exitValue(), "mvn package");
    }

    private static String get(final String url) throws IOException, InterruptedException
    {
        return HttpClient.newHttpClient().send(
            HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString()).body();
    }

    /** A project's server, by its script. */
    private static final class Served implements AutoCloseable
    {
        private final Path output = Files.createTempFile(directory, "run", ".txt");
        private final String listen = DemoCommand.freeEndpoint();
        private final String respond = DemoCommand.freeEndpoint();
        private final Process process;
        private final String url;

        Served(final Path project, final String... options) throws IOException
        {
            final List<String> command = new ArrayList<>(List.of("./run", "--web-port", "0",
                "--listen", listen, "--respond", respond));
            command.addAll(options.length > 0 ? List.of(options) : List.of("--journal", "none"));
            process = new ProcessBuilder(command).directory(project.toFile()).redirectErrorStream(true)
                .redirectOutput(output.toFile()).start();
            Tests.await(() -> !process.isAlive() || null != line("web "), "the page");
            url = line("web ");
            assertTrue(null != url, () -> String.join("\n", lines()));
        }

        private void await(final String line)
        {
            Tests.await(() -> lines().contains(line), () -> line + ", but " + lines());
        }

        private String line(final String begin)
        {
            return lines().stream().filter((line) -> line.startsWith(begin))
                .map((line) -> line.substring(begin.length())).findFirst().orElse(null);
        }

        private List<String> lines()
        {
            return NewProjectTest.lines(output);
        }

        @Override
        public void close()
        {
            process.destroy();
            Tests.await(() -> !process.isAlive(), "its end");
            assertEquals(0, process.exitValue(), () -> String.join("\n", lines()));
        }
    }

    /** The libraries of this machine's repository, by links, without Escapement. */
    private static Path linkedRepository() throws IOException
    {
        final String known = System.getProperty("maven.repo.local");
        final Path local = null == known ? Path.of(System.getProperty("user.home"), ".m2", "repository") :
            Path.of(known);
        final Path linked = Files.createDirectories(directory.resolve("repository"));
        link(local, linked, "io");
        link(local.resolve("io"), Files.createDirectories(linked.resolve("io")), "escapement");
        return linked;
    }

    private static void link(final Path from, final Path to, final String except) throws IOException
    {
        try (Stream<Path> parts = Files.list(from))
        {
            for (final Path part : parts.filter((path) -> !path.endsWith(except)).toList())
            {
                Files.createSymbolicLink(to.resolve(part.getFileName()), part);
            }
        }
    }

    private static void copy(final Path from, final Path to) throws IOException
    {
        Files.walkFileTree(from, new SimpleFileVisitor<>()
        {
            @Override
            public FileVisitResult preVisitDirectory(final Path part, final BasicFileAttributes attributes)
                throws IOException
            {
                if (NOT_COPIED.contains(part.getFileName().toString()))
                {
                    return FileVisitResult.SKIP_SUBTREE;
                }
                Files.createDirectories(to.resolve(from.relativize(part).toString()));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(final Path file, final BasicFileAttributes attributes) throws IOException
            {
                Files.copy(file, from.equals(file) ? to : to.resolve(from.relativize(file).toString()));
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
