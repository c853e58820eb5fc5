package io.escapement.gateway;

import io.escapement.codecs.PlayerMessages;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Answers to requests, as the bytes that a browser or a stranger receives. */
@Timeout(30)
class HttpHandlerTest
{
    private static final String OFFER = "Sec-WebSocket-Protocol: ";

    private final GatewayBench bench = new GatewayBench();
    private final EmbeddedChannel channel = WebSocketLinkTest.connected(bench);

    @AfterEach
    void close()
    {
        channel.finishAndReleaseAll();
    }

    private String answer(final String request)
    {
        return WebSocketLinkTest.answer(channel, request).toLowerCase(Locale.ROOT);
    }

    private static String upgrade(final String offer)
    {
        return HostileBytesTest.UPGRADE.replace(OFFER + PlayerMessages.SUBPROTOCOL + "\r\n", offer);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "''",
        "Sec-WebSocket-Protocol:",
        "Sec-WebSocket-Protocol: escapement",
        "Sec-WebSocket-Protocol: escapement.2",
        "Sec-WebSocket-Protocol: escapement.10",
        "Sec-WebSocket-Protocol: ESCAPEMENT.1",
        "Sec-WebSocket-Protocol: chat, escapement.2"})
    void shouldRefuseAnUpgradeThatDoesNotOfferTheSubprotocol(final String offer)
    {
        final String answer = answer(upgrade(offer.isEmpty() ? "" : offer + "\r\n"));
        assertTrue(answer.startsWith("http/1.1 400 "), answer);
        assertTrue(answer.contains("connection: close"), answer);
        assertEquals(1, bench.count(GatewayCounter.REQUESTS_REFUSED));
        assertEquals(0, bench.sessions.connections().size());
        assertFalse(channel.isActive());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "escapement.1",
        "chat, escapement.1",
        "escapement.1, chat",
        "escapement.2,escapement.1 , chat"})
    void shouldSelectTheSubprotocolAmongThoseThatAreOffered(final String offered)
    {
        final String answer = answer(upgrade(OFFER + offered + "\r\n"));
        assertTrue(answer.startsWith("http/1.1 101 "), answer);
        assertEquals(List.of("sec-websocket-protocol: escapement.1"),
            answer.lines().filter((line) -> line.startsWith("sec-websocket-protocol")).toList());
        assertEquals(1, bench.sessions.connections().size());
    }
}
