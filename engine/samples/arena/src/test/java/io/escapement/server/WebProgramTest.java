package io.escapement.server;

import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A server with a gateway and a console in its process, and another gateway before it. */
@RealTime("a server, a gateway and their start in processes")
class WebProgramTest
{
    private static final String VIEW = "view".repeat(8);
    private static final String OPERATE = "operate".repeat(5);

    @TempDir
    Path directory;

    @Test
    void shouldServePlayersInTheServersProcessAndInAnother() throws IOException, InterruptedException
    {
        final Path tokens = Tests.writeSecret(
            directory.resolve("tokens"), "view=" + VIEW + "\noperate=" + OPERATE + "\n");
        final String ingress = Program.freeEndpoint();
        final String response = Program.freeEndpoint();
        try (Program server = new Program("serve", "--demo-accounts", "--listen", ingress, "--respond", response,
            "--database", "jdbc:h2:file:" + directory.resolve("accounts"), "--web-port", "0", "--console-port", "0",
                "--console-token-file", tokens.toString(), "--term-length", "65536");
            Program gateway = new Program(
                "gateway", "--server", ingress, "--respond", response, "--web-port", "0", "--drain", "1",
                "--term-length", "65536"))
        {
            server.awaitLine("web http://127.0.0.1:");
            gateway.awaitLine("http://127.0.0.1:");
            Program.awaitReady(server.line("web http://").substring("web ".length()));
            Program.awaitReady(gateway.line("http://"));
            server.awaitLine(ServeCommand.CONSOLE);
            assertTokensOfTheFile(server.line(ServeCommand.CONSOLE).substring(ServeCommand.CONSOLE.length()).trim());
            assertEquals(0, gateway.end(), gateway.lines::toString);
            assertEquals(0, server.end(), server.lines::toString);
        }
        final String complaint = Program.complaint(2, "gateway", "--web-host", "0.0.0.0", "--web-port", "0");
        assertTrue(complaint.startsWith("escapement: --web-host: 0.0.0.0: set "), complaint);
        final String name =
            Program.complaint(2, "gateway", "--web-allow-host", "https://play.example", "--web-port", "0");
        assertTrue(name.startsWith("escapement: --web-allow-host: https://play.example: use a name "), name);
        final String open = Program.complaint(2, "serve", "--demo-accounts", "--listen", ingress, "--respond",
            response, "--journal", "none", "--database", "jdbc:h2:mem:console", "--console-port", "0",
            "--console-host", "0.0.0.0");
        assertTrue(open.startsWith("escapement: --console-host: 0.0.0.0: ") && open.contains("--console-allow-host"),
            open);
    }

    private static void assertTokensOfTheFile(final String url) throws IOException, InterruptedException
    {
        assertTrue(url.endsWith("/#" + OPERATE), url);
        final URI about = URI.create(url.replace("#" + OPERATE, "api/about"));
        final HttpResponse<String> operator = get(about, OPERATE);
        assertEquals(200, operator.statusCode());
        assertTrue(operator.body().contains("\"isOperator\":true"), operator.body());
        final HttpResponse<String> viewer = get(about, VIEW);
        assertEquals(200, viewer.statusCode());
        assertTrue(viewer.body().contains("\"isOperator\":false"), viewer.body());
        assertEquals(401, get(about, OPERATE.toUpperCase()).statusCode());
    }

    private static HttpResponse<String> get(final URI uri, final String token) throws IOException, InterruptedException
    {
        return HttpClient.newHttpClient().send(HttpRequest.newBuilder(uri)
            .header("Authorization", "Bearer " + token).build(), HttpResponse.BodyHandlers.ofString());
    }
}
