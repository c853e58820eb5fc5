package io.escapement.arena.program;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A server with a gateway in its process, and another gateway before it. */
@Timeout(180)
class WebProgramTest
{
    @TempDir
    Path directory;

    @Test
    void shouldServePlayersInTheServersProcessAndInAnother()
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
            Program.awaitReady(server.line("web http://").substring("web ".length()));
            Program.awaitReady(gateway.line("http://"));
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
}
