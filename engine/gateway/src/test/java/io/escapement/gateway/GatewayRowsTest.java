package io.escapement.gateway;

import io.escapement.codecs.GatewayCode;
import io.escapement.codecs.player.CloseCode;
import io.escapement.codecs.trunk.TrunkCode;
import io.escapement.engine.TrunkServerContext;
import io.escapement.testsupport.Tests;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Each limit and end of a connection over real sockets, without TLS and with it, before a real engine. */
@Timeout(120)
class GatewayRowsTest extends GatewaySystem
{
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    /** The windows of the trunk hold 256 KiB. */
    private static final int MESSAGES = 700;
    private static final int TURNS = 16;

    @TempDir
    static Path directory;

    private static TestCertificate certificate;

    @BeforeAll
    static void makeCertificate() throws Exception
    {
        certificate = TestCertificate.write(directory, TestCertificate.FIRST);
    }

    /** The trunk outlives steps of the clock, and an engine that does not run for a while. */
    @Override
    void options(final TrunkServerContext trunks)
    {
        trunks.keepaliveNs(60 * SECOND).graceNs(120 * SECOND);
    }

    private GatewayContext context(final boolean isTls)
    {
        final GatewayContext context = context();
        if (isTls)
        {
            context.certificate(certificate.chain(), certificate.key());
            useTls(certificate);
        }
        return context;
    }

    private void awaitClose(final BrowserClient client, final CloseCode code)
    {
        await(code.name(), () -> -1 != client.closeCode);
        assertEquals(code.value(), client.closeCode, () -> code + ": " + client.all());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldCloseThoseThatGreetLogInOrAnswerTooLate(final boolean isTls)
    {
        final GatewayContext context = context(isTls);
        context.limits().logInNs(20 * SECOND);
        launch(context);
        final BrowserClient silent = new BrowserClient(http, uri());
        await("a connection", silent::isOpen);
        clock.advance(6 * SECOND);
        awaitClose(silent, CloseCode.HANDSHAKE_TIMEOUT);

        await("the trunk", gateway::isReady);
        final BrowserClient anonymous = connected();
        final BrowserClient deaf = seated(7);
        final BrowserClient player = seated(8);
        deaf.isReading = false;
        // The last message before it is asked for no more.
        player.message(roomId, "last");
        await("the last message", () -> player.has("event last") && deaf.has("event last"));
        clock.advance(11 * SECOND);
        await("a ping's answer", () -> gateway.counter(GatewayCounter.BYTES_SENT) > 0);
        step(100);
        clock.advance(10 * SECOND);
        awaitClose(anonymous, CloseCode.NOT_LOGGED_IN);
        assertEquals(-1, player.closeCode);
        step(100);
        clock.advance(5 * SECOND);
        await("IDLE", () -> 1 == gateway.counter(GatewayCounter.CLOSED_IDLE));
        deaf.isReading = true;
        deaf.socket().request(1);
        awaitClose(deaf, CloseCode.IDLE);
        assertEquals(-1, player.closeCode, "it answered its pings");
    }

    /** Give programs and gateway time for what they send each other. */
    private void step(final long ms)
    {
        final long startNs = System.nanoTime();
        await("a while", () -> System.nanoTime() - startNs > TimeUnit.MILLISECONDS.toNanos(ms));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldRefuseAndThenCloseAFloodAndRefuseTooManyRooms(final boolean isTls)
    {
        final GatewayContext context = context(isTls);
        context.limits().messageRate(20).floodNs(TimeUnit.MILLISECONDS.toNanos(100)).roomLimit(1);
        launch(context);
        final BrowserClient player = seated(7);
        final long second = engine.openRoom(1).roomId();
        player.join(3, second);
        await("TOO_MANY_ROOMS", () ->
            player.has("refused " + second + " 3 3 " + GatewayCode.TOO_MANY_ROOMS.value()));
        while (-1 == player.closeCode)
        {
            player.message(roomId, "m");
            gateway.invoke();
            engine.invoke();
        }
        assertEquals(CloseCode.FLOOD.value(), player.closeCode);
        final String code = " " + TrunkCode.RATE_LIMITED.value();
        assertEquals(1, player.all().stream().filter((line) ->
            line.startsWith("refused " + roomId) && line.endsWith(code)).count(), "reported once a second");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldDropStatesOfADeafPlayerSendItAPictureAndCloseItAtLast(final boolean isTls)
    {
        launch(context(isTls));
        final BrowserClient player = seated(7);
        final BrowserClient deaf = seated(8);
        deaf.isReading = false;
        while (gateway.counter(GatewayCounter.STATES_DROPPED) < 5)
        {
            sendBig(player, BIG_STATE, "state ");
        }
        deaf.isReading = true;
        deaf.socket().request(1);
        await("a picture", () -> deaf.has("state picture for a lost state"));
        assertTrue(gateway.counter(GatewayCounter.STATE_LOST_SENT) > 0);

        deaf.isReading = false;
        while (0 == gateway.counter(GatewayCounter.CLOSED_SLOW_CONSUMER))
        {
            sendBig(player, BIG_EVENT, "event ");
        }
        await("away", () -> calls.contains("away 8"));
        assertEquals(-1, player.closeCode);
        deaf.cut();
    }

    /** One at a time, so that the player who reads loses none. */
    private void sendBig(final BrowserClient player, final String message, final String prefix)
    {
        final String text = prefix + "b".repeat(BIG_LENGTH);
        player.received.clear();
        player.message(roomId, message);
        await(message, () -> player.has(text));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldStopReadingWhileTheTrunkIsBlockedAndLoseNothing(final boolean isTls)
    {
        final GatewayContext context = context(isTls);
        context.limits().messageRate(100_000).byteRate(100_000_000);
        launch(context);
        final BrowserClient player = seated(7);
        final String text = "x".repeat(490);
        final CompletableFuture<Void> sending = CompletableFuture.runAsync(() ->
        {
            for (int i = 0; i < MESSAGES; i++)
            {
                player.message(roomId, i + text);
            }
        });
        Tests.await(() ->
        {
            for (int i = 0; i < TURNS; i++)
            {
                gateway.invoke();
            }
            return gateway.counter(GatewayCounter.BACK_PRESSURED) > 0;
        }, "a blocked trunk, for the engine does not run");
        await("all messages", () -> player.has("event " + (MESSAGES - 1) + text));
        sending.join();
        final List<String> expected = new ArrayList<>();
        IntStream.range(0, MESSAGES).forEach((i) -> expected.add("event " + i + text));
        assertEquals(expected, player.all().stream().filter((line) -> line.startsWith("event ")).toList());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldSendPlayersAwayFromAnEngineThatStops(final boolean isTls)
    {
        launch(context(isTls));
        final BrowserClient player = seated(7);
        final CompletableFuture<Void> drain = CompletableFuture.runAsync(() -> engine.drain(10 * SECOND));
        // The drain runs the engine.
        Tests.await(() -> 0 <= gateway.invoke() && player.has("goAway STOPPING"), "the announcement");
        clock.advance(6 * SECOND);
        Tests.await(() -> 0 <= gateway.invoke() && CloseCode.STOPPING.value() == player.closeCode, "STOPPING");
        Tests.await(() -> 0 <= gateway.invoke() && drain.isDone(), "the drain");
    }
}
