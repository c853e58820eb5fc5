package io.escapement.server;

import io.escapement.testsupport.RealTime;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** The server where shared memory is as small as in a container: 64 MiB at /dev/shm, in a mount namespace. */
@RealTime("a file system that is mounted small")
class SmallMemoryTest
{
    private static final String MOUNT = "mount -t tmpfs -o size=64m tmpfs /dev/shm";

    @TempDir
    private Path directory;

    private final String listen = Program.freeEndpoint();
    private final String respond = Program.freeEndpoint();

    @BeforeAll
    static void needNamespaces() throws IOException, InterruptedException
    {
        final Process trial = new ProcessBuilder("sh", "-c", "unshare -rm sh -c '" + MOUNT + "'").start();
        assumeTrue(0 == trial.waitFor(), "no unprivileged mount namespaces here");
    }

    @Test
    void shouldSayWhichOptionsLowerTheNeed() throws IOException, InterruptedException
    {
        final Process server = server();
        final String text = new String(server.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(2, server.waitFor(), text);
        assertTrue(text.startsWith("escapement: --trunk-limit: "), text);
        assertTrue(text.contains("lower --trunk-limit, --term-length, or enlarge the file system (in a container: " +
            "--shm-size)"), text);
    }

    @Test
    void shouldServeBotsWithOptionsThatFit() throws IOException, InterruptedException
    {
        final int port = Integer.parseInt(Program.freeEndpoint().split(":")[1]);
        final Process server = server("--trunk-limit", "8", "--term-length", "65536", "--metrics-host", "0.0.0.0",
            "--metrics-port", Integer.toString(port));
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
            server.getInputStream(), StandardCharsets.UTF_8)))
        {
            final String warnings = String.join("\n", linesUntilReady(lines));
            assertTrue(warnings.contains("--term-length: 65536: a trunk takes at most half"), warnings);
            assertTrue(warnings.contains("--trunk-limit: 8: "), warnings);
            assertTrue(warnings.contains("--metrics-host: 0.0.0.0: whoever can reach port"), warnings);
            final HttpResponse<String> ready = HttpClient.newHttpClient().send(HttpRequest.newBuilder(
                URI.create("http://127.0.0.2:" + port + "/ready")).build(), HttpResponse.BodyHandlers.ofString());
            assertEquals(200, ready.statusCode());
            play(5);
            stop(server);
        }
        finally
        {
            server.destroyForcibly();
        }
    }

    @Test
    void shouldRefuseStreamsWhileTheStoreIsFullAndTakeThemAfterwards() throws IOException, InterruptedException
    {
        final Process server = server("--trunk-limit", "8", "--term-length", "65536");
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
            server.getInputStream(), StandardCharsets.UTF_8)))
        {
            linesUntilReady(lines);
            final Path filler = Path.of("/proc", Long.toString(server.pid()), "root/dev/shm/filler");
            fill(filler);
            try (Program bots = bots(4))
            {
                // Nobody enters, and a line every second says so.
                bots.awaitLine("enter players=0");
                assertTrue(server.isAlive());
            }
            Files.delete(filler);
            // More than half of the trunks, which the bots leave in order. The second run finds the rooms of the first.
            play(5);
            play(5);
            stop(server);
            final List<String> rest = lines.lines().toList();
            assertTrue(rest.stream().noneMatch((line) -> line.contains("InternalError")), rest::toString);
            assertTrue(rest.stream().anyMatch((line) -> line.contains("insufficient usable storage")), rest::toString);
        }
        finally
        {
            server.destroyForcibly();
        }
    }

    static List<String> linesUntilReady(final BufferedReader lines) throws IOException
    {
        final List<String> read = new ArrayList<>();
        String line = lines.readLine();
        while (null != line && !line.startsWith("ready "))
        {
            read.add(line);
            line = lines.readLine();
        }
        assertTrue(null != line, read::toString);
        return read;
    }

    /** Write to the server's shared memory until nothing more fits. */
    private static void fill(final Path file) throws IOException
    {
        final ByteBuffer block = ByteBuffer.allocate(4_096);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE))
        {
            assertThrows(IOException.class, () ->
            {
                while (true)
                {
                    channel.write(block.clear());
                }
            });
        }
    }

    private void play(final int trunks)
    {
        try (Program bots = bots(trunks))
        {
            assertEquals(0, bots.awaitEnd(100), bots.lines::toString);
        }
    }

    private Program bots(final int trunks)
    {
        return new Program("bots", "--server", listen, "--respond", respond, "--rooms", "2", "--seats", "4", "--trunks",
            Integer.toString(trunks), "--seconds", "2", "--warm-up", "1", "--term-length", "65536");
    }

    private static void stop(final Process server) throws InterruptedException
    {
        server.toHandle().destroy();
        assertTrue(server.waitFor(60, TimeUnit.SECONDS));
        assertEquals(0, server.exitValue());
    }

    private Process server(final String... options) throws IOException
    {
        final List<String> command = new ArrayList<>(List.of("unshare", "-rm", "sh", "-c",
            MOUNT + " && exec \"$@\"", "sh", Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx256m"));
        command.addAll(ChildCommand.program());
        command.addAll(List.of("serve", "--demo-accounts", "--listen", listen.replace("127.0.0.1", "0.0.0.0"),
            "--respond", respond.replace("127.0.0.1", "0.0.0.0"), "--database", "jdbc:h2:mem:small",
            "--journal", directory.resolve("journal").toString()));
        command.addAll(List.of(options));
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }
}
