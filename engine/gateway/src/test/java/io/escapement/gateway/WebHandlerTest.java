package io.escapement.gateway;

import io.escapement.codecs.PlayerMessages;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Answers to requests, as the bytes that a browser or a stranger receives. */
class WebHandlerTest
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

    private static final String KEY = "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n";
    private static final String VERSION = "Sec-WebSocket-Version: 13\r\n";
    private static final String HOST = "Host: 127.0.0.1\r\n";

    private void assertRefused(final int status, final GatewayCounter counter, final String request)
    {
        final String answer = answer(request);
        assertTrue(answer.startsWith("http/1.1 " + status + " "), answer);
        assertEquals(1, bench.count(counter));
        assertEquals(1, bench.count(GatewayCounter.REQUESTS_REFUSED));
        assertEquals(0, bench.sessions.connections().size());
        assertFalse(channel.isActive());
    }

    /** Drafts of the protocol have other frames, and other limits in Netty. */
    @ParameterizedTest
    @ValueSource(strings = {"", "Sec-WebSocket-Version: 7\r\n", "Sec-WebSocket-Version: 8\r\n",
        "Sec-WebSocket-Version: 0\r\n", "Sec-WebSocket-Version: 14\r\n", "Sec-WebSocket-Version:\r\n",
        "Sec-WebSocket-Version: 13, 8\r\n", "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Version: 8\r\n"})
    void shouldRefuseAnotherVersionAndNameItsOwn(final String version)
    {
        final String answer = answer(HostileBytesTest.UPGRADE.replace(VERSION, version));
        assertTrue(answer.startsWith("http/1.1 426 "), answer);
        assertTrue(answer.contains("\r\nsec-websocket-version: 13\r\n"), answer);
        assertEquals(1, bench.count(GatewayCounter.WEBSOCKETS_REFUSED));
        assertEquals(0, bench.sessions.connections().size());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Sec-WebSocket-Key:\r\n", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA\r\n",
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAAA=\r\n", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAA====\r\n",
        "Sec-WebSocket-Key: AAAAAAAAAA-AAAAAAAAAAA==\r\n", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAAAA\r\n",
        KEY + KEY})
    void shouldRefuseAKeyThatIsNot16Bytes(final String key)
    {
        assertRefused(400, GatewayCounter.WEBSOCKETS_REFUSED, HostileBytesTest.UPGRADE.replace(KEY, key));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Origin: http://127.0.0.1\r\nOrigin: https://evil.example\r\n",
        "Origin: https://evil.example\r\nOrigin: http://127.0.0.1\r\n",
        "Origin: http://127.0.0.1\r\nOrigin: http://127.0.0.1\r\n", "Origin:\r\n", "Origin: null\r\n",
        "Origin: http://127.0.0.1, https://evil.example\r\n", "Origin: http://127.0.0.1:81\r\n"})
    void shouldRefuseAnotherOriginOrSeveral(final String origins)
    {
        assertRefused(403, GatewayCounter.ORIGINS_REFUSED, HostileBytesTest.UPGRADE.replace(HOST, HOST + origins));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", HOST + HOST, HOST + "Host: evil.example\r\n"})
    void shouldRefuseNoHostOrSeveral(final String hosts)
    {
        assertRefused(400, GatewayCounter.HOSTS_REFUSED, HostileBytesTest.UPGRADE.replace(HOST, hosts));
    }

    /** A page of a name that somebody has resolve to this gateway: its Origin equals its Host. */
    @Test
    void shouldRefuseAHostThatIsNotNamed()
    {
        final String request = HostileBytesTest.UPGRADE.replace(HOST,
            "Host: evil.example\r\nOrigin: http://evil.example\r\n");
        final String answer = answer(request);
        assertTrue(answer.startsWith("http/1.1 421 "), answer);
        assertTrue(answer.contains("allowhost, --web-allow-host"), answer);
        assertEquals(1, bench.count(GatewayCounter.HOSTS_REFUSED));
        assertFalse(channel.isActive());
    }

    @Test
    void shouldLetInAHostThatIsNamed()
    {
        final GatewayBench named = new GatewayBench(new GatewayContext().host("localhost").plain()
            .allowHost("play.example").origin("https://game.example"));
        for (final String head : List.of("Host: play.example:8443\r\nOrigin: https://play.example:8443\r\n",
            "Host: PLAY.example\r\nOrigin: https://game.example\r\n", "Host: localhost\r\n",
            "Host: 203.0.113.7\r\nOrigin: http://203.0.113.7\r\n"))
        {
            final EmbeddedChannel stranger = WebSocketLinkTest.connected(named);
            final String answer = WebSocketLinkTest.answer(stranger, HostileBytesTest.UPGRADE.replace(HOST, head));
            assertTrue(answer.startsWith("HTTP/1.1 101 "), answer);
            stranger.finishAndReleaseAll();
        }
        assertEquals(0, named.count(GatewayCounter.REQUESTS_REFUSED));
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
