package io.escapement.server;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The files of a new project, where a repository has the modules already. */
class NewCommandTest
{
    private static final int POM_LINES = 40;
    private static final Pattern PLACEHOLDER = Pattern.compile("%[A-Z]+%");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    @TempDir
    Path directory;
    private Path repository;

    @BeforeEach
    void installNothing() throws IOException
    {
        System.setProperty(NewCommand.HOME_PROPERTY, Path.of("..", "..", "..").toAbsolutePath().normalize().toString());
        repository = installedRepository(directory);
    }

    /** A repository that seems to have the modules already. */
    static Path installedRepository(final Path directory) throws IOException
    {
        final Path repository = directory.resolve("repository");
        final String version = Escapement.Version.of();
        final Path jar = repository.resolve(
            "io/escapement/escapement-server/" + version + "/escapement-server-" + version + ".jar");
        Files.createDirectories(jar.getParent());
        Files.createFile(jar);
        // Newer than each source.
        Files.setLastModifiedTime(jar, FileTime.from(Long.MAX_VALUE / 2, TimeUnit.NANOSECONDS));
        return repository;
    }

    @AfterEach
    void clear()
    {
        System.clearProperty(NewCommand.HOME_PROPERTY);
    }

    @ParameterizedTest
    @CsvSource({"game, game.DotsGame", "exchange, exchange.ExchangeGame", "chat, chat.ChatGame",
        "turns, turns.TurnsGame"})
    void shouldCreateAProject(final String template, final String game) throws IOException
    {
        final Path project = directory.resolve("my-game-2");
        assertEquals(0, execute(project.toString(), "--template", template), err::toString);
        assertEquals(List.of("created " + project + " from the template " + template + ". Next:",
            "  cd " + project, "  mvn package -Dmaven.repo.local=" + repository, "  ./run"),
            out.toString().lines().toList());
        final List<String> pom = Files.readAllLines(project.resolve("pom.xml"));
        assertTrue(pom.size() <= POM_LINES, () -> pom.size() + " lines");
        assertTrue(pom.stream().noneMatch((line) -> line.contains("${")), "a version is missing");
        assertTrue(Files.isExecutable(project.resolve("run")));
        assertEquals(List.of(game), Files.readAllLines(
            project.resolve("src/main/resources/META-INF/services/io.escapement.rooms.RoomType$Provider")));
        assertTrue(Files.exists(project.resolve("src/main/resources/META-INF/resources/index.html")));
        try (Stream<Path> files = Files.walk(project))
        {
            for (final Path file : files.filter(Files::isRegularFile).toList())
            {
                final String text = Files.readString(file);
                for (final String left : List.of("escapement.examples", "examples/", "testsupport"))
                {
                    assertFalse(text.contains(left), file + " has " + left);
                }
                assertFalse(PLACEHOLDER.matcher(text).find(), file.toString());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Game", "1game", "a b", "a_b", "-a"})
    void shouldRefuseAName(final String name)
    {
        assertEquals(2, execute("--", name));
        assertEquals("escapement: NAME: " + name + ": use lower-case letters, digits and hyphens, at most 64", line());
    }

    @Test
    void shouldKeepWhatIsThere() throws IOException
    {
        final Path project = Files.createDirectories(directory.resolve("mine"));
        assertEquals(2, execute(project.toString()));
        assertEquals("escapement: NAME: " + project + ": exists already: choose another name or directory", line());
        try (Stream<Path> files = Files.list(project))
        {
            assertEquals(0, files.count());
        }
    }

    @Test
    void shouldNameTheTemplates()
    {
        assertEquals(2, execute(directory.resolve("a").toString(), "--template", "chess"));
        assertTrue(line().contains("expected one of [GAME"), err::toString);
    }

    @Test
    void shouldNeedTheSources()
    {
        System.clearProperty(NewCommand.HOME_PROPERTY);
        assertEquals(2, execute(directory.resolve("a").toString()));
        assertEquals("escapement: the sources of Escapement are missing: use engine/bin/escapement", line());
    }

    private String line()
    {
        assertEquals(1, err.toString().lines().count(), err::toString);
        return err.toString().strip();
    }

    private int execute(final String... arguments)
    {
        final List<String> all = Stream.concat(
            Stream.of("new", "--repository", repository.toString()), Stream.of(arguments)).toList();
        return Escapement.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err))
            .execute(all.toArray(String[]::new));
    }
}
