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
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** The program's jar as users start it. */
@RealTime("processes of the jar that the build has made before")
class ProgramJarTest
{
    private static final Path JAR = Path.of("..", "arena", "target", "escapement.jar").toAbsolutePath().normalize();

    @TempDir
    Path directory;

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
        assumeTrue(Files.exists(JAR), "mvn package makes the jar");
        final Path out = directory.resolve("out");
        final Path err = directory.resolve("err");
        final Process server = new ProcessBuilder(java, "-XX:TieredStopAtLevel=1", "-Xmx512m", "-jar", JAR.toString(),
            "serve", "--demo-accounts", "--journal", "none", "--database", "jdbc:h2:mem:jar", "--web-port", "0",
            "--listen", DemoCommand.freeEndpoint(), "--respond", DemoCommand.freeEndpoint())
            .redirectOutput(out.toFile()).redirectError(err.toFile()).start();
        try
        {
            Tests.await(() -> !server.isAlive() || null != line(out, "web "), "the page");
            final String url = line(out, "web ");
            assertTrue(null != url, () -> lines(out) + " " + lines(err));
            assertEquals(200, HttpClient.newHttpClient().send(HttpRequest.newBuilder(URI.create(url)).build(),
                HttpResponse.BodyHandlers.discarding()).statusCode());
            server.toHandle().destroy();
            assertEquals(0, server.waitFor());
            assertEquals(List.of(), lines(err));
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
