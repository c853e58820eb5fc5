package io.escapement.server;

import io.escapement.testsupport.RealTime;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** A server without accounts and tokens serves the game of a jar to guests. */
@RealTime("a process that gets signals")
class JarGameTest
{
    @TempDir
    Path directory;

    private final List<String> lines = new ArrayList<>();

    @Test
    void shouldServeTheRoomsAndThePageOfAJar() throws IOException, InterruptedException
    {
        final String jar = GameJar.game(directory.resolve("snake.jar"), "Snake", 1).toString();
        final Process server = serve("--demo-accounts", "--types", jar, "--journal", "none", "--trunk-limit", "4",
            "--listen", DemoCommand.freeEndpoint(), "--respond", DemoCommand.freeEndpoint(), "--web-port", "0");
        try (BufferedReader out = server.inputReader())
        {
            assertEquals("types no new jar: rooms reloaded: 0", line(out, "types "));
            assertEquals("ready game=Snake 1", line(out, "ready "));
            assertEquals(GameJar.PAGE, HttpClient.newHttpClient().send(
                HttpRequest.newBuilder(URI.create(line(out, "web ").substring("web ".length()))).build(),
                HttpResponse.BodyHandlers.ofString()).body());
            server.toHandle().destroy();
            assertEquals("drained clean=1", line(out, "drained clean="));
            assertEquals(0, server.waitFor());
        }
        finally
        {
            server.destroyForcibly();
        }
    }

    @Test
    void shouldSayThatALibraryIsMissing() throws IOException, InterruptedException
    {
        assertMissing("accounts", "escapement-accounts");
        assertMissing("token", "escapement-tokens");
    }

    private void assertMissing(final String logIn, final String library) throws IOException, InterruptedException
    {
        final String jar = GameJar.game(directory.resolve("snake.jar"), "Snake", 1).toString();
        final Process server = serve("--types", jar, "--log-in", logIn);
        try (BufferedReader out = server.inputReader())
        {
            assertEquals(
                List.of("escapement: --log-in: " + logIn + ": " + library + " is not on the class path: add it"),
                out.lines().toList());
            assertEquals(2, server.waitFor());
        }
    }

    private String line(final BufferedReader out, final String start) throws IOException
    {
        String line = out.readLine();
        while (null != line && !line.startsWith(start))
        {
            lines.add(line);
            line = out.readLine();
        }
        return null == line ? "none of " + lines : line;
    }

    private static Process serve(final String... arguments) throws IOException
    {
        final List<String> command = new ArrayList<>(List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1", "-Xmx512m"));
        command.addAll(ChildCommand.program());
        command.replaceAll(JarGameTest::withoutAccounts);
        command.add("serve");
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    private static String withoutAccounts(final String classPath)
    {
        return Arrays.stream(classPath.split(File.pathSeparator))
            .filter((path) -> Stream.of("accounts", "h2database", "engine/tokens", "escapement-tokens", "nimbus")
                .noneMatch(path::contains))
            .collect(Collectors.joining(File.pathSeparator));
    }
}
