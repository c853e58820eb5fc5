package io.escapement.server;

import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** The program's jar as users start it. */
@RealTime("processes of the jar that the build has made before")
class ProgramJarTest
{
    private static final Path ENGINE = Path.of("..", "..").toAbsolutePath().normalize();
    private static final Path JAR = Path.of("samples", "arena", "target", "escapement.jar");
    private static final Path SCRIPT = Path.of("bin", "escapement");
    private static final String LOADED = "io.escapement.engine.Engine source: ";

    @TempDir
    Path directory;

    @BeforeEach
    void checkJar()
    {
        assumeTrue(Files.exists(ENGINE.resolve(JAR)), "mvn package makes the jar");
    }

    private static Stream<String> launchers()
    {
        return Stream.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            System.getProperty("escapement.other.java", "")).filter((java) -> !java.isEmpty());
    }

    /** Not of packages that are closed, of native access and of sun.misc.Unsafe. */
    @ParameterizedTest
    @MethodSource("launchers")
    void shouldServeWithoutAWarning(final String java) throws IOException, InterruptedException
    {
        serve("", java, "-XX:TieredStopAtLevel=1", "-Xmx512m", "-jar", ENGINE.resolve(JAR).toString());
    }

    @Test
    void shouldLoadClassesFromAnArchiveThatIsNewerThanTheJar() throws IOException, InterruptedException
    {
        final Path engine = Files.createDirectories(directory.resolve("engine"));
        final Path jar = engine.resolve(JAR);
        final Path script = engine.resolve(SCRIPT);
        final Path archive = jar.resolveSibling("escapement.jsa");
        for (final Path parent : List.of(jar.getParent(), script.getParent(), directory.resolve("codecs"),
            directory.resolve("driver-config")))
        {
            Files.createDirectories(parent);
        }
        Files.createFile(directory.resolve("pom.xml"));
        Files.copy(ENGINE.resolve(SCRIPT), script);
        Files.copy(ENGINE.resolve(JAR), jar);
        final Path out = directory.resolve("warm");
        assertEquals(0, new ProcessBuilder("sh", script.toString(), "warm").redirectErrorStream(true)
            .redirectOutput(out.toFile()).start().waitFor(), () -> lines(out).toString());
        assertTrue(lines(out).get(0).startsWith("archive " + archive), lines(out).toString());
        assertEquals(Set.of(PosixFilePermission.OWNER_READ), Files.getPosixFilePermissions(archive));

        final Path loaded = directory.resolve("loaded");
        final String log = "-Xlog:class+load:file=" + loaded;
        final String flag = "-XX:SharedArchiveFile=" + archive;
        assertTrue(serve(log, "sh", script.toString()).contains(flag));
        assertTrue(lines(loaded).stream().anyMatch((line) -> line.endsWith(LOADED + "shared objects file (top)")));

        Files.setLastModifiedTime(
            jar, FileTime.fromMillis(Files.getLastModifiedTime(archive).toMillis() + 2_000));
        assertFalse(serve(log, "sh", script.toString()).contains(flag));
        assertTrue(lines(loaded).stream().anyMatch((line) -> line.contains(LOADED + "file:")));
    }

    /** Start a server, load its page, stop it, find nothing on its standard error, and return its arguments of java. */
    private List<String> serve(final String options, final String... program) throws IOException, InterruptedException
    {
        final Path out = directory.resolve("out");
        final Path err = directory.resolve("err");
        final List<String> command = new ArrayList<>(List.of(program));
        command.addAll(List.of("serve", "--demo-accounts", "--journal", "none", "--database", "jdbc:h2:mem:jar",
            "--web-port", "0", "--listen", DemoCommand.freeEndpoint(), "--respond", DemoCommand.freeEndpoint()));
        final ProcessBuilder builder =
            new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
        builder.environment().put("JAVA_OPTS", options);
        final Process server = builder.start();
        try
        {
            Tests.await(() -> !server.isAlive() || null != line(out, "web "), "the page");
            final String url = line(out, "web ");
            assertTrue(null != url, () -> lines(out) + " " + lines(err));
            assertEquals(200, HttpClient.newHttpClient().send(HttpRequest.newBuilder(URI.create(url)).build(),
                HttpResponse.BodyHandlers.discarding()).statusCode());
            final List<String> arguments = List.of(server.info().arguments().orElseThrow());
            server.toHandle().destroy();
            assertEquals(0, server.waitFor(), () -> lines(out) + " " + lines(err));
            assertEquals(List.of(), lines(err));
            return arguments;
        }
        finally
        {
            server.destroyForcibly();
        }
    }

    /** The rest of the first line that has a prefix, or null. */
    private static String line(final Path file, final String prefix)
    {
        return lines(file).stream().filter((line) -> line.startsWith(prefix))
            .map((line) -> line.substring(prefix.length())).findFirst().orElse(null);
    }

    private static List<String> lines(final Path file)
    {
        try
        {
            return Files.readAllLines(file);
        }
        catch (final IOException ex)
        {
            throw new IllegalStateException(ex);
        }
    }
}
