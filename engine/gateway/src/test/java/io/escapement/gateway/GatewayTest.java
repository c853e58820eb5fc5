package io.escapement.gateway;

import io.escapement.codecs.player.CloseCode;
import io.escapement.config.ConfigException;
import io.escapement.testsupport.Tests;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Options, workers in threads, and a gateway without an engine. */
class GatewayTest
{
    private static final long HANDSHAKE_NS = TimeUnit.SECONDS.toNanos(30);
    /** Less than the 5 s that a handshake of TLS may take. */
    private static final int AT_ONCE_MS = 4_000;

    @TempDir
    Path directory;
    private final List<Throwable> errors = new CopyOnWriteArrayList<>();
    private HttpClient http = HttpClient.newHttpClient();
    /** Null without TLS. */
    private SSLSocketFactory tls;

    private GatewayContext context()
    {
        return new GatewayContext().udp("127.0.0.1:" + Tests.freePort(), "127.0.0.1:" + Tests.freePort())
            .secret(new byte[16]).errorHandler(errors::add);
    }

    /** Options of a gateway with TLS, which the clients of a test use from now on, or without it. */
    private GatewayContext context(final boolean isTls) throws Exception
    {
        if (!isTls)
        {
            return context();
        }
        final TestCertificate certificate = TestCertificate.write(directory, TestCertificate.FIRST);
        http = certificate.client();
        tls = http.sslContext().getSocketFactory();
        return context().certificate(certificate.chain(), certificate.key());
    }

    /** A socket that speaks TLS if the gateway does. */
    private Socket connect(final Gateway gateway) throws IOException
    {
        return null == tls ? new Socket("127.0.0.1", gateway.port()) : tls.createSocket("127.0.0.1", gateway.port());
    }

    @Test
    void shouldNameTheOptionThatCannotWork()
    {
        assertOption("udp", new GatewayContext().secret(new byte[16]));
        assertOption("secret", context().secret(new byte[15]));
        assertOption("port", context().port(65_536));
        assertOption("workers", context().workers(0));
        assertOption("feed", context().workers(2).feed("127.0.0.1:4000"));
        assertOption("feed", context().feed("bad"));
        assertOption("gateway.metricsPort", context().metricsPort(-1));
        assertOption("host", context().host("0.0.0.0"));
        assertOption("host", context().host("http://play.example").plain());
        assertOption("certificate", context().certificate(Path.of("chain.pem"), null));
        assertOption("files", context().files(Path.of("no-such-directory")));
        assertOption("contentSecurityPolicy", context().contentSecurityPolicy(null));
        assertOption("contentSecurityPolicy", context().contentSecurityPolicy(" "));
        assertOption("contentSecurityPolicy", context().contentSecurityPolicy("a\r\nset-cookie: b"));
        final GatewayContext limited = context();
        limited.limits().pingNs(TimeUnit.MINUTES.toNanos(1));
        assertOption("limits.pingNs", limited);
        final GatewayContext none = context();
        none.limits().messageRate(0);
        assertOption("limits.messageRate", none);
        final GatewayContext plain = context().host("0.0.0.0").plain();
        plain.conclude();
        assertThrows(IllegalStateException.class, () -> plain.port(1));
        assertThrows(IllegalStateException.class, () -> plain.limits().graceNs(1));
        final Path missing = Path.of("no-such-file.pem");
        assertOption("certificate.chain", context().certificate(missing, missing));
    }

    private static void assertOption(final String option, final GatewayContext context)
    {
        final String message = assertThrows(ConfigException.class, context::conclude).getMessage();
        assertTrue(message.startsWith(option + ":"), message);
    }

    @Test
    void shouldNameAPortThatWasTakenAfterTheCheck() throws IOException
    {
        final GatewayContext context = context().port(Tests.freePort()).metricsPort(Tests.freePort());
        context.conclude();
        try (ServerSocket metrics = new ServerSocket(context.metricsPort(), 1, InetAddress.getLoopbackAddress()))
        {
            assertLaunch("gateway.metricsPort: " + metrics.getLocalPort() + ": name a free port (", context);
        }
        final GatewayContext other = context().port(Tests.freePort()).conclude();
        try (ServerSocket players = new ServerSocket(other.port(), 1, InetAddress.getLoopbackAddress()))
        {
            assertLaunch("port: " + players.getLocalPort() + ": name a free port (", other);
        }
        assertEquals(List.of(), errors, "the caller has the exception");
    }

    private static void assertLaunch(final String start, final GatewayContext context)
    {
        final String message =
            assertThrows(ConfigException.class, () -> Gateway.launch(context).close()).getMessage();
        assertTrue(message.startsWith(start), message);
        assertThrows(IllegalStateException.class, () -> Gateway.launch(context).close());
    }

    @Test
    void shouldShareOnePortAmongWorkersAndDrain() throws Exception
    {
        final GatewayContext context = context().workers(2);
        context.limits().addressRate(1_000);
        try (Gateway gateway = Gateway.launch(context))
        {
            for (int i = 0; i < 20; i++)
            {
                assertEquals(200, get(http, gateway, "health"));
            }
            assertEquals(503, get(http, gateway, "ready"), "there is no engine");
            assertFalse(gateway.isReady());
            assertOption("port", context().port(gateway.port()));
            assertTrue(gateway.drain(TimeUnit.MILLISECONDS.toNanos(10)));
            assertThrows(ConnectException.class, () -> get(HttpClient.newHttpClient(), gateway, "health"));
        }
        assertEquals(List.of(), errors);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldRefuseConnectionsOverTheLimitByStatusOrCode(final boolean isTls) throws Exception
    {
        final GatewayContext context = context(isTls);
        context.limits().connectionLimit(2).addressLimit(1_000).addressRate(1_000).handshakeNs(HANDSHAKE_NS);
        final List<BrowserClient> players = new ArrayList<>();
        try (Gateway gateway = Gateway.launch(context))
        {
            for (int i = 0; i < 2; i++)
            {
                final BrowserClient player = connect(gateway, players);
                player.hello(FakeLink.NO_TOKEN);
                Tests.await(() -> player.has("welcome new"), "a welcome");
            }
            assertEquals("HTTP/1.1 503 Service Unavailable", answer(gateway, "GET /health HTTP/1.1\r\n\r\n"));
            assertEquals("HTTP/1.1 101 Switching Protocols", answer(gateway, HostileBytesTest.UPGRADE));
            final BrowserClient third = connect(gateway, players);
            Tests.await(() -> CloseCode.FULL.value() == third.closeCode, "FULL");
            assertEquals(3, gateway.counter(GatewayCounter.CONNECTIONS_OVER_LIMIT));
            assertEquals(2, gateway.counter(GatewayCounter.CLOSED_FULL));
            players.get(0).cut();
            Tests.await(() -> isServed(gateway), "a connection in the place of another");
        }
        finally
        {
            players.forEach(BrowserClient::cut);
        }
    }

    private BrowserClient connect(final Gateway gateway, final List<BrowserClient> players)
    {
        final BrowserClient player =
            new BrowserClient(http, (null == tls ? "ws" : "wss") + "://localhost:" + gateway.port() + "/");
        players.add(player);
        return player;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldCloseTheFirstOfTooManyConnectionsWithoutAHello(final boolean isTls) throws Exception
    {
        final GatewayContext context = context(isTls);
        context.limits().ungreetedLimit(2).addressLimit(1_000).addressRate(1_000).handshakeNs(HANDSHAKE_NS);
        try (Gateway gateway = Gateway.launch(context); Socket first = new Socket("127.0.0.1", gateway.port()))
        {
            try (Socket second = new Socket("127.0.0.1", gateway.port()))
            {
                Tests.await(() -> 2 == gateway.counter(GatewayCounter.CONNECTIONS_ACCEPTED), "two connections");
                assertTrue(isServed(gateway));
                first.setSoTimeout(AT_ONCE_MS);
                assertEquals(-1, first.getInputStream().read());
                assertTrue(second.isConnected());
            }
            assertEquals(1, gateway.counter(GatewayCounter.CONNECTIONS_DISPLACED));
            assertEquals(0, gateway.counter(GatewayCounter.CONNECTIONS_OVER_LIMIT));
        }
    }

    /** Before it is late with its handshake or its request. */
    private static void assertClosesAtOnce(final Gateway gateway) throws IOException
    {
        try (Socket socket = new Socket("127.0.0.1", gateway.port()))
        {
            socket.setSoTimeout(AT_ONCE_MS);
            assertEquals(-1, socket.getInputStream().read());
        }
    }

    private String answer(final Gateway gateway, final String request) throws IOException
    {
        try (Socket socket = connect(gateway);
            BufferedReader in =
                new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII)))
        {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return in.readLine();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldCloseSocketsOverTheLimitsOfTheirAddress(final boolean isTls) throws Exception
    {
        final GatewayContext address = context(isTls);
        address.limits().addressLimit(2).handshakeNs(HANDSHAKE_NS);
        assertClosesTheThird(address, GatewayCounter.CONNECTIONS_OVER_ADDRESS_LIMIT);
    }

    private void assertClosesTheThird(final GatewayContext context, final GatewayCounter counter)
        throws Exception
    {
        try (Gateway gateway = Gateway.launch(context); Socket first = new Socket("127.0.0.1", gateway.port()))
        {
            final Socket second = new Socket("127.0.0.1", gateway.port());
            Tests.await(() -> 2 == gateway.counter(GatewayCounter.CONNECTIONS_ACCEPTED), "two connections");
            assertClosesAtOnce(gateway);
            assertEquals(1, gateway.counter(counter));
            second.close();
            // Its place is free again.
            Tests.await(() -> isServed(gateway), "a connection in the place of the second");
            assertTrue(first.isConnected());
        }
    }

    private boolean isServed(final Gateway gateway)
    {
        try (Socket next = connect(gateway))
        {
            next.getOutputStream().write("GET /health HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            return new String(next.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).contains(" 200 ");
        }
        catch (final IOException ignored)
        {
            return false;
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldCloseSocketsThatSendNoRequestOrALongOne(final boolean isTls) throws Exception
    {
        final GatewayContext context = context(isTls);
        context.limits().handshakeNs(TimeUnit.MILLISECONDS.toNanos(200));
        try (Gateway gateway = Gateway.launch(context); Socket silent = new Socket("127.0.0.1", gateway.port()))
        {
            assertEquals(-1, silent.getInputStream().read());
            try (Socket handshaken = connect(gateway))
            {
                assertEquals(-1, handshaken.getInputStream().read());
            }
            assertEquals(2, gateway.counter(GatewayCounter.CLOSED_HANDSHAKE_TIMEOUT));
            try (Socket talkative = connect(gateway))
            {
                talkative.getOutputStream().write(("GET /health HTTP/1.1\r\nX-Long: " + "x".repeat(5_000) + "\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
                final String answer =
                    new String(talkative.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
                assertTrue(answer.startsWith("HTTP/1.1 400 "), answer);
            }
            assertEquals(1, gateway.counter(GatewayCounter.REQUESTS_REFUSED));
        }
    }

    private static int get(final HttpClient http, final Gateway gateway, final String path) throws Exception
    {
        return http.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + gateway.port() + "/" + path)).build(),
            HttpResponse.BodyHandlers.ofString()).statusCode();
    }
}
