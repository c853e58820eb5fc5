package io.escapement.gateway;

import io.escapement.codecs.PlayerMessages;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Strangers who hold all places of connections without a Hello, and players who come nevertheless. */
class AdmissionTest
{
    private static final int PLACES = 128;
    private static final int NEWCOMERS = 20;
    private static final int CONNECTIONS = 10;
    private static final String PLAIN = "escapement.1";

    private final List<EmbeddedChannel> channels = new ArrayList<>();
    private final GatewayBench bench = new GatewayBench(options());

    private static GatewayContext options()
    {
        final GatewayContext options = new GatewayContext();
        options.limits().ungreetedLimit(PLACES).addressLimit(PLACES).addressRate(1_000).logInRate(1_000);
        return options;
    }

    @AfterEach
    void close()
    {
        channels.forEach(EmbeddedChannel::finishAndReleaseAll);
    }

    /** A connection that is accepted, and sends nothing. */
    private EmbeddedChannel accepted(final GatewayBench by, final String address)
    {
        final EmbeddedChannel channel = new EmbeddedChannel();
        channels.add(channel);
        final Newcomer newcomer =
            new Newcomer(channel, by.admission, by.addresses, by.counters, by.clock, null);
        assertTrue(newcomer.count(NetUtil.createInetAddressFromIpAddressString(address)), address);
        newcomer.enter(NetUtil.createInetAddressFromIpAddressString(address));
        channel.closeFuture().addListener((future) -> by.admission.depart());
        Listener.addDecoders(channel.pipeline(), new WebHandler(by.context, by.counters, by.sessions,
            new StaticFiles(AdmissionTest.class.getClassLoader(), null, "test/page.html", Runnable::run), newcomer));
        return channel;
    }

    private static String offering(final String token)
    {
        return null == token ? HostileBytesTest.UPGRADE : HostileBytesTest.UPGRADE.replace(
            PLAIN + "\r\n", PLAIN + ", " + PlayerMessages.RESUME_SUBPROTOCOL + token + "\r\n");
    }

    private static void upgrade(final EmbeddedChannel channel, final String token)
    {
        final String answer = WebSocketLinkTest.answer(channel, offering(token));
        assertTrue(answer.startsWith("HTTP/1.1 101 "), answer);
        assertTrue(answer.contains("sec-websocket-protocol: " + PLAIN + "\r\n"), answer);
        assertFalse(answer.contains(PlayerMessages.RESUME_SUBPROTOCOL), answer);
    }

    /** Hello as the first message of a connection, with the token of a session or none. */
    private static String greet(final GatewayBench by, final EmbeddedChannel channel, final byte[] token)
    {
        final FakeLink codec = new FakeLink();
        codec.outgoing = (buffer, length) ->
        {
            final byte[] hello = new byte[length];
            buffer.getBytes(0, hello);
            channel.writeInbound(WebSocketLinkTest.binary(hello));
        };
        codec.hello(token);
        by.turn();
        return channel.isActive() && 1 == by.count(GatewayCounter.SESSIONS_RESUMED) ? "resumed" :
            channel.isActive() ? "new" : "closed";
    }

    /** A /61 has eight networks of 64 bits. */
    private void flood(final GatewayBench by, final int connections, final boolean isUpgraded)
    {
        for (int i = 0; i < connections; i++)
        {
            final EmbeddedChannel channel = accepted(by, "2001:db8:0:" + i % 8 + "::" + Integer.toHexString(1 + i));
            if (isUpgraded)
            {
                upgrade(channel, null);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldLetNewcomersInWhileANetworkHoldsAllPlaces(final boolean isUpgraded)
    {
        flood(bench, PLACES + Admission.RESERVE, isUpgraded);
        assertEquals(PLACES, channels.stream().filter(EmbeddedChannel::isActive).count());
        assertEquals(Admission.RESERVE, bench.count(GatewayCounter.CONNECTIONS_DISPLACED));
        final List<EmbeddedChannel> newcomers = new ArrayList<>();
        for (int i = 0; i < NEWCOMERS; i++)
        {
            newcomers.add(accepted(bench, i % 2 == 0 ? "10.0." + i + ".1" : "2001:db8:" + i + "::1"));
            flood(bench, PLACES / 4, isUpgraded);
        }
        for (final EmbeddedChannel newcomer : newcomers)
        {
            upgrade(newcomer, null);
            flood(bench, PLACES / 4, isUpgraded);
            assertEquals("new", greet(bench, newcomer, FakeLink.NO_TOKEN));
        }
        assertEquals(NEWCOMERS, bench.sessions.connections().greeted());
    }

    /** Its own network is the fullest, but not its own 56 bits. */
    @Test
    void shouldLetInANeighbourOfTheNetworkThatHoldsAllPlaces()
    {
        flood(bench, PLACES, false);
        final EmbeddedChannel neighbour = accepted(bench, "2001:db8:0:100::1");
        flood(bench, 2 * PLACES, false);
        upgrade(neighbour, null);
        assertEquals("new", greet(bench, neighbour, FakeLink.NO_TOKEN));
    }

    private String tokenOf(final FakeLink link)
    {
        return HexFormat.of().formatHex(link.token);
    }

    /** Strangers of all networks, each as full as the player's network. */
    private void floodFromEverywhere(final int connections)
    {
        for (int i = 0; i < connections; i++)
        {
            accepted(bench, "2001:" + Integer.toHexString(1 + i / 256) + ":" + Integer.toHexString(i % 256) + "::1");
        }
    }

    @Test
    void shouldKeepThePlaceOfAPlayerWithAToken()
    {
        final FakeLink lost = bench.seated(7, 1);
        lost.lose();
        bench.turns(2);
        floodFromEverywhere(PLACES);
        final EmbeddedChannel stranger = accepted(bench, "10.0.0.1");
        upgrade(stranger, null);
        final EmbeddedChannel player = accepted(bench, "10.0.0.1");
        upgrade(player, tokenOf(lost));
        floodFromEverywhere(2 * PLACES);
        assertFalse(stranger.isActive(), "the same without a token");
        assertEquals("resumed", greet(bench, player, lost.token));
        assertEquals(0, bench.count(GatewayCounter.RESUME_TOKENS_UNKNOWN));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "00000000000000000000000000000000", "ffffffffffffffffffffffffffffffff",
        "0000000000000000000000000000000g", "000000000000000000000000000000000"})
    void shouldGiveAnUnknownTokenNoPlace(final String token)
    {
        final EmbeddedChannel stranger = accepted(bench, "10.0.0.1");
        upgrade(stranger, token);
        assertEquals(1, bench.count(GatewayCounter.RESUME_TOKENS_UNKNOWN));
        floodFromEverywhere(PLACES);
        assertFalse(stranger.isActive());
    }

    /** A stranger gets a session too, and a token with it. */
    @Test
    void shouldGiveTheTokenOfASessionWithoutAPlayerNoPlace()
    {
        final FakeLink stranger = bench.greeted();
        upgrade(accepted(bench, "10.0.0.1"), tokenOf(stranger));
        assertEquals(1, bench.count(GatewayCounter.RESUME_TOKENS_UNKNOWN));
        final FakeLink used = bench.player(7);
        final String old = tokenOf(used);
        bench.resume(used.token);
        upgrade(accepted(bench, "10.0.0.1"), old);
        assertEquals(2, bench.count(GatewayCounter.RESUME_TOKENS_UNKNOWN), "a token is valid once");
    }

    /** One account has one returning place. A network with many accounts displaces itself. */
    @Test
    void shouldBoundThePlacesOfTokens()
    {
        final FakeLink first = bench.player(1);
        final EmbeddedChannel once = accepted(bench, "10.0.0.1");
        upgrade(once, tokenOf(first));
        final EmbeddedChannel twice = accepted(bench, "10.0.0.1");
        upgrade(twice, tokenOf(first));
        assertFalse(once.isActive());
        assertTrue(twice.isActive());
        for (int i = 0; i < 2 * Admission.RESERVE; i++)
        {
            upgrade(accepted(bench, "2001:db8:0:" + i % 8 + "::1"), tokenOf(bench.player(100 + i)));
        }
        assertTrue(twice.isActive(), "of another network");
        assertEquals(Admission.RESERVE, channels.stream().filter(EmbeddedChannel::isActive).count());
    }

    @Test
    void shouldFindATokenOfAnotherWorker()
    {
        final ResumeTokens tokens = new ResumeTokens();
        final PlayerSession session = new PlayerSession();
        session.tokenHigh = 0xFC00_0000_0000_0001L;
        session.tokenLow = -2;
        tokens.put(session);
        final String digits = "fc00000000000001fffffffffffffffe";
        assertEquals(null, tokens.find(digits), "it has no player");
        session.isLoggedIn = true;
        assertEquals(session, tokens.find(digits));
        tokens.remove(session);
        assertEquals(null, tokens.find(digits));
    }

    /** A full worker still has places for players who come back. */
    @Test
    void shouldLetReturningPlayersIntoAFullWorker()
    {
        final GatewayContext options = options();
        options.limits().connectionLimit(CONNECTIONS);
        final GatewayBench full = new GatewayBench(options);
        final FakeLink lost = full.seated(7, 1);
        lost.lose();
        for (int i = 0; i < CONNECTIONS; i++)
        {
            final EmbeddedChannel channel = accepted(full, "10.0.0." + i);
            upgrade(channel, null);
            assertEquals("new", greet(full, channel, FakeLink.NO_TOKEN));
        }
        flood(full, 2 * PLACES, false);
        assertEquals(CONNECTIONS + Admission.RESERVE, channels.stream().filter(EmbeddedChannel::isActive).count());
        final EmbeddedChannel page = accepted(full, "10.1.0.1");
        final String answer = WebSocketLinkTest.answer(page, "GET /health HTTP/1.1\r\nHost: a\r\n\r\n");
        assertTrue(answer.startsWith("HTTP/1.1 503 "), answer);
        upgrade(accepted(full, "10.1.0.2"), null);
        assertEquals(1, full.count(GatewayCounter.CLOSED_FULL));
        assertEquals(2, full.count(GatewayCounter.CONNECTIONS_OVER_LIMIT));
        final EmbeddedChannel back = accepted(full, "10.1.0.3");
        upgrade(back, tokenOf(lost));
        assertEquals("resumed", greet(full, back, lost.token));
        assertEquals(CONNECTIONS + 1, full.sessions.connections().greeted());
    }

    /** A connection may be upgraded while there is a place, and send its Hello when there is none. */
    @Test
    void shouldNotGreetMoreThanAWorkerMayHave()
    {
        final GatewayContext options = options();
        options.limits().connectionLimit(CONNECTIONS);
        final GatewayBench full = new GatewayBench(options);
        final List<EmbeddedChannel> upgraded = new ArrayList<>();
        for (int i = 0; i <= CONNECTIONS; i++)
        {
            upgraded.add(accepted(full, "10.0.0." + i));
            upgrade(upgraded.get(i), null);
        }
        upgraded.forEach((channel) -> greet(full, channel, FakeLink.NO_TOKEN));
        assertEquals(CONNECTIONS, full.sessions.connections().greeted());
        assertEquals(1, full.count(GatewayCounter.CLOSED_FULL));
    }

    /** The wait for the upgrade and the wait for Hello are one. */
    @Test
    void shouldCloseAConnectionWithoutAHelloFiveSecondsAfterItWasAccepted()
    {
        final EmbeddedChannel early = accepted(bench, "10.0.0.1");
        bench.pass(TimeUnit.SECONDS.toNanos(4));
        upgrade(early, null);
        final EmbeddedChannel late = accepted(bench, "10.0.0.2");
        upgrade(late, null);
        bench.pass(TimeUnit.MILLISECONDS.toNanos(900));
        assertEquals(0, bench.count(GatewayCounter.CLOSED_HANDSHAKE_TIMEOUT));
        bench.pass(TimeUnit.MILLISECONDS.toNanos(200));
        assertEquals(1, bench.count(GatewayCounter.CLOSED_HANDSHAKE_TIMEOUT));
        assertEquals("new", greet(bench, late, FakeLink.NO_TOKEN));
    }

    /** Each page that it has taken renews its time. */
    @Test
    void shouldTimeTheHelloOfAnUpgradeAfterPagesFromTheLastOfThem()
    {
        final EmbeddedChannel channel = accepted(bench, "10.0.0.1");
        for (int i = 0; i < 3; i++)
        {
            bench.pass(TimeUnit.SECONDS.toNanos(4));
            final String answer = WebSocketLinkTest.answer(channel, "GET /health HTTP/1.1\r\nHost: a\r\n\r\n");
            assertTrue(answer.startsWith("HTTP/1.1 200 "), answer);
        }
        bench.pass(TimeUnit.SECONDS.toNanos(4));
        upgrade(channel, null);
        assertEquals("new", greet(bench, channel, FakeLink.NO_TOKEN));
    }

    /** Requests of a proxy come in the name of many, until an upgrade names one. */
    @Test
    void shouldCountAConnectionForTheClientThatItsProxyNames()
    {
        final InetAddress proxy = NetUtil.createInetAddressFromIpAddressString("10.9.9.9");
        final EmbeddedChannel channel = new EmbeddedChannel();
        channels.add(channel);
        final Newcomer proxied =
            new Newcomer(channel, bench.admission, bench.addresses, bench.counters, bench.clock, proxy);
        proxied.enter(proxy);
        floodFromEverywhere(PLACES - 2);
        final EmbeddedChannel neighbour = accepted(bench, "203.0.113.7");
        assertTrue(proxied.count(NetUtil.createInetAddressFromIpAddressString("203.0.113.8")));
        accepted(bench, "198.51.100.1");
        assertFalse(neighbour.isActive(), "the older of two of a network");
        assertTrue(channel.isActive());
    }
}
