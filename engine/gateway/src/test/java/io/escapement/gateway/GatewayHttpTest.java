package io.escapement.gateway;

import io.escapement.codecs.player.CloseCode;
import io.escapement.codecs.player.GatewayCode;
import io.escapement.testsupport.RealTime;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Requests beside players, over sockets of this machine. */
@RealTime("an engine and a gateway by the clock of the machine")
class GatewayHttpTest extends GatewaySystem
{
    private static final long DRAIN_NS = TimeUnit.SECONDS.toNanos(5);

    private final ByteBuffer input = ByteBuffer.allocate(4 * 1_024);

    /** A drain closes the listening socket, so an orchestrator asks on the connection that it has. */
    @Test
    void shouldBeHealthyButNotReadyWhileItDrains() throws IOException
    {
        launch(context());
        final BrowserClient player = seated(7);
        try (SocketChannel probe = probe(); SocketChannel other = probe())
        {
            assertEquals(200, status(probe, "/ready"));
            assertEquals(200, status(other, "/ready"));
            final CompletableFuture<Boolean> drain =
                CompletableFuture.supplyAsync(() -> gateway.drain(DRAIN_NS));
            await("GoAway", () -> player.has("goAway GOING_AWAY"));
            assertEquals(200, status(probe, "/health"));
            assertEquals(503, status(probe, "/ready"));
            clock.advance(DRAIN_NS);
            await("GOING_AWAY", () -> CloseCode.GOING_AWAY.value() == player.closeCode);
            await("the drain", drain::isDone);
            assertTrue(drain.join());
            assertEquals(200, status(other, "/health"));
        }
    }

    private SocketChannel probe() throws IOException
    {
        final SocketChannel probe = SocketChannel.open(new InetSocketAddress("127.0.0.1", gateway.port()));
        probe.configureBlocking(false);
        return probe;
    }

    private int status(final SocketChannel probe, final String path) throws IOException
    {
        final String request = "GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
        probe.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII)));
        final StringBuilder answer = new StringBuilder();
        await("an answer to " + path, () -> isRead(probe, answer) && answer.indexOf("\r\n\r\n") > 0);
        return Integer.parseInt(answer.substring("HTTP/1.1 ".length(), "HTTP/1.1 200".length()));
    }

    private boolean isRead(final SocketChannel probe, final StringBuilder answer)
    {
        try
        {
            input.clear();
            final boolean isOpen = probe.read(input) >= 0;
            answer.append(StandardCharsets.US_ASCII.decode(input.flip()));
            return isOpen || !answer.isEmpty();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** Logs of proxies and the history of browsers keep URLs. */
    @Test
    void shouldTakeNoTokenFromAUrl()
    {
        launch(context());
        final BrowserClient player = seated(7);
        player.cut();
        await("away", () -> calls.contains("away 7"));
        final String token = HexFormat.of().formatHex(player.token);
        final BrowserClient thief = new BrowserClient(
            http, uri() + "?token=" + token + "&resumeToken=" + token + "&sessionToken=" + token + "&credentials=7");
        await("a connection", thief::isOpen);
        thief.hello(FakeLink.NO_TOKEN);
        await("welcome", () -> !thief.received.isEmpty());
        assertTrue(thief.has("welcome new"), () -> "resumed: " + thief.all());
        thief.join(1, roomId);
        await("NOT_LOGGED_IN", () ->
            thief.has("refused " + roomId + " 1 3 " + GatewayCode.NOT_LOGGED_IN.value()));
        final BrowserClient back = new BrowserClient(http, uri());
        await("a connection", back::isOpen);
        back.hello(player.token);
        await("the seat", () -> back.has("joined 0 " + roomId + " 7 return"));
    }
}
