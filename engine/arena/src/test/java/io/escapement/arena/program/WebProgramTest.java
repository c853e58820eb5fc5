package io.escapement.arena.program;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A server with a gateway in its process, and another gateway before it. */
@Timeout(180)
class WebProgramTest
{
    private static final int PATIENCE_SECONDS = 30;

    @TempDir
    Path directory;

    private final HttpClient http = HttpClient.newHttpClient();

    @Test
    void shouldServePlayersInTheServersProcessAndInAnother() throws IOException, InterruptedException
    {
        final String ingress = Program.freeEndpoint();
        final String response = Program.freeEndpoint();
        try (Program server = new Program("serve", "--demo-accounts", "--listen", ingress, "--respond", response,
            "--database", "jdbc:h2:file:" + directory.resolve("accounts"), "--web-port", "0");
            Program gateway = new Program(
                "gateway", "--server", ingress, "--respond", response, "--web-port", "0", "--drain", "1"))
        {
            server.awaitLine("web http://127.0.0.1:");
            gateway.awaitLine("http://127.0.0.1:");
            awaitReady(server.line("web http://").substring("web ".length()));
            awaitReady(gateway.line("http://"));
            assertEquals(0, gateway.end(), gateway.lines::toString);
            assertEquals(0, server.end(), server.lines::toString);
        }
        final String complaint = Program.complaint(1, "gateway", "--web-host", "0.0.0.0", "--web-port", "0");
        assertTrue(complaint.startsWith("escapement: --web-host: 0.0.0.0: set "), complaint);
        final String open = Program.complaint(1, "serve", "--demo-accounts", "--listen", ingress, "--respond",
            response, "--journal", "none", "--database", "jdbc:h2:mem:console", "--console-port", "0",
            "--console-host", "0.0.0.0");
        assertTrue(open.startsWith("escapement: --console-host: 0.0.0.0: ") && open.contains("--console-allow-host"),
            open);
    }

    private void awaitReady(final String url) throws IOException, InterruptedException
    {
        final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        int status = 0;
        while (200 != status && System.nanoTime() - deadlineNs < 0)
        {
            status = http.send(HttpRequest.newBuilder(URI.create(url + "ready")).build(),
                HttpResponse.BodyHandlers.discarding()).statusCode();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
        assertEquals(200, status, url);
    }
}
