package io.escapement.gateway;

import io.escapement.codecs.PlayerMessages;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Answers to requests, as the bytes that a browser or a stranger receives. */
class HttpHandlerTest
{
    /** Nothing inline, nothing from elsewhere, and the WebSocket of the page's own host. */
    private static final String POLICY = "content-security-policy: default-src 'self'; base-uri 'none'; " +
        "form-action 'none'; frame-ancestors 'none'; object-src 'none'";
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

    /** Every kind of answer, to a browser that has a cookie of another program on this host. */
    @ParameterizedTest
    @CsvSource({
        "GET / HTTP/1.1, 200",
        "HEAD / HTTP/1.1, 200",
        "GET /test/page.html?token=1 HTTP/1.1, 200",
        "GET /health HTTP/1.1, 200",
        "GET /ready HTTP/1.1, 200",
        "GET / of old, 400",
        "GET /nothing.html HTTP/1.1, 404",
        "POST / HTTP/1.1, 405"})
    void shouldSendThePolicyAndNoCookieWithEachAnswer(final String request, final int status)
    {
        final String answer = answer(request + "\r\nHost: a\r\nCookie: token=1\r\n\r\n");
        assertTrue(answer.startsWith("http/1.1 " + status + " "), answer);
        final List<String> head = answer.lines().takeWhile((line) -> !line.isEmpty()).toList();
        assertEquals(List.of(POLICY), head.stream().filter((line) -> line.startsWith("content-security")).toList());
        assertTrue(head.contains("x-content-type-options: nosniff"), answer);
        assertTrue(head.contains("referrer-policy: no-referrer"), answer);
        assertFalse(answer.contains("cookie"), answer);
    }

    @Test
    void shouldSetNoCookieWithAnUpgrade()
    {
        final String answer = answer(upgrade(OFFER + PlayerMessages.SUBPROTOCOL + "\r\nCookie: token=1\r\n"));
        assertTrue(answer.startsWith("http/1.1 101 "), answer);
        assertFalse(answer.contains("cookie"), answer);
    }
}
