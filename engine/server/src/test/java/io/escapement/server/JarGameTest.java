package io.escapement.server;

import io.escapement.driver.DriverDirectory;
import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.Tests;
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
import org.agrona.IoUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A server without accounts and tokens serves the game of a jar to guests. */
@RealTime("a process that gets signals")
class JarGameTest
{
    private static final int OK = 200;

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
            assertPage(line(out, "web ").substring("web ".length()));
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
    void shouldServeThePageAtAGatewayOverSharedMemory() throws IOException, InterruptedException
    {
        final String jar = GameJar.game(directory.resolve("snake.jar"), "Snake", 1).toString();
        final String driver = DriverDirectory.temporary();
        final Process server = serve("--demo-accounts", "--types", jar, "--journal", "none", "--trunk-limit", "4",
            "--listen", "none", "--ipc", "--driver-dir", driver);
        try (BufferedReader out = server.inputReader())
        {
            final String serving = line(out, "serving ");
            assertTrue(serving.startsWith("serving trunks over shared memory; "), serving);
            assertEquals("ready game=Snake 1", line(out, "ready "));
            final Process gateway = program("gateway", "--types", jar, "--driver-dir", driver, "--web-port", "0");
            try (BufferedReader ofGateway = gateway.inputReader())
            {
                final URI page = URI.create(line(ofGateway, "http"));
                Tests.await(() -> OK == get(page.resolve("/ready")).statusCode(), "a trunk over shared memory");
                assertPage(page.toString());
            }
            finally
            {
                gateway.destroyForcibly();
            }
        }
        finally
        {
            server.destroyForcibly();
            IoUtil.delete(new File(driver), true);
        }
    }

    /** The page has the policy that the game set. */
    private static void assertPage(final String url)
    {
        final HttpResponse<String> page = get(URI.create(url));
        assertEquals(GameJar.PAGE, page.body());
        assertEquals(List.of(GameJar.POLICY), page.headers().allValues("Content-Security-Policy"));
    }

    private static HttpResponse<String> get(final URI url)
    {
        try
        {
            return HttpClient.newHttpClient().send(
                HttpRequest.newBuilder(url).build(), HttpResponse.BodyHandlers.ofString());
        }
        catch (final IOException | InterruptedException ex)
        {
            throw new AssertionError(url + ": " + ex, ex);
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
        return program("serve", arguments);
    }

    private static Process program(final String name, final String... arguments) throws IOException
    {
        final List<String> command = new ArrayList<>(List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1", "-Xmx512m"));
        command.addAll(ChildCommand.program());
        command.replaceAll(JarGameTest::withoutAccounts);
        command.add(name);
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
