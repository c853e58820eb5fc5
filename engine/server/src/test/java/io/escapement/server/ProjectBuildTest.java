package io.escapement.server;

import io.escapement.config.ConfigException;
import io.escapement.engine.EngineOperator;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Jars of a project's sources, and which projects and options are refused. */
class ProjectBuildTest
{
    private static final String SERVICES = "META-INF/services/io.escapement.rooms.RoomType$Provider";
    private static final String ROOMS = """
        package mine;

        public final class Rooms implements io.escapement.rooms.RoomType.Provider
        {
            @Override
            public java.util.List<io.escapement.rooms.RoomType> roomTypes()
            {
                return java.util.List.of(io.escapement.rooms.RoomType.of(1, "mine", 1, () -> null));
            }
        }
        """;

    @TempDir
    Path directory;

    @Test
    void shouldMakeAJarOfSourcesAndResources() throws IOException
    {
        final Path project = project();
        write(project.resolve("src/main/resources/mine/levels.txt"), "3");
        write(project.resolve("src/main/resources/META-INF/resources/index.html"), "page");
        final Path jar = new ProjectBuild(project).jar(directory);
        assertEquals("mine", EngineOperator.load(jar).get(0).name());
        try (JarFile files = new JarFile(jar.toFile()))
        {
            assertEquals(List.of(SERVICES, "mine/Rooms.class", "mine/levels.txt"),
                files.stream().map(ZipEntry::getName).sorted().toList());
        }
    }

    @Test
    void shouldNameTheFileAndTheLineOfAnError() throws IOException
    {
        final Path project = project();
        final Path source = project.resolve("src/main/java/mine/Rooms.java");
        write(source, ROOMS.replace("return ", "retrun "));
        final String message = assertThrows(
            IllegalArgumentException.class, () -> new ProjectBuild(project).jar(directory)).getMessage();
        assertTrue(message.startsWith(source + ":8: "), message);
        assertFalse(Files.exists(directory.resolve("project.jar")));
    }

    @Test
    void shouldRefuseADirectoryThatIsNoProject() throws IOException
    {
        assertEquals("--watch: " + directory + ": name a project's directory, which has src/main/java",
            assertThrows(ConfigException.class, () -> new ProjectBuild(directory)).getMessage());
        final Path project = project();
        Files.delete(project.resolve("src/main/resources/" + SERVICES));
        assertEquals("--watch: " + project + ": src/main/resources/" + SERVICES +
            " is missing: name the game's class in it", complaint("--watch", project.toString()));
    }

    @Test
    void shouldRefuseToKeepRooms() throws IOException
    {
        final String project = project().toString();
        final String remedy = ": the versions of --watch end with the server: remove it";
        assertEquals("--journal: data" + remedy, complaint("--watch", project, "--journal", "data"));
        assertEquals("--record: data" + remedy, complaint("--watch", project, "--record", "data"));
        assertEquals("--cluster: a:1,b:1,c:1" + remedy, complaint("--watch", project, "--cluster", "a:1,b:1,c:1"));
        assertEquals("--types: none: name a jar with rooms, or put one on the class path",
            complaint("--watch", project, "--journal", "none"));
        assertFalse(Files.exists(Path.of("escapement-data")));
    }

    private Path project() throws IOException
    {
        final Path project = directory.resolve("project");
        write(project.resolve("src/main/java/mine/Rooms.java"), ROOMS);
        write(project.resolve("src/main/resources/" + SERVICES), "mine.Rooms\n");
        return project;
    }

    private static void write(final Path file, final String text) throws IOException
    {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    /** The only line of a server with wrong options. */
    private static String complaint(final String... options)
    {
        final StringWriter err = new StringWriter();
        final String[] arguments = new String[options.length + 1];
        arguments[0] = "serve";
        System.arraycopy(options, 0, arguments, 1, options.length);
        assertEquals(2, Escapement.commandLine().setErr(new PrintWriter(err)).execute(arguments), err::toString);
        assertEquals(1, err.toString().lines().count(), err::toString);
        return err.toString().strip().substring("escapement: ".length());
    }
}
