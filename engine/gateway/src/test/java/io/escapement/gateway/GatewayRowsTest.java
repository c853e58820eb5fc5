package io.escapement.gateway;

import io.escapement.codecs.player.CloseCode;
import io.escapement.codecs.player.GatewayCode;
import io.escapement.codecs.trunk.TrunkCode;
import io.escapement.engine.trunks.TrunkServerContext;
import io.escapement.rooms.RoomType;
import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.Tests;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Each limit and end of a connection over real sockets, without TLS and with it, before a real engine. */
@RealTime("limits of time of an engine and a gateway, by the clock of the machine")
class GatewayRowsTest extends GatewaySystem
{
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    /** The windows of the trunk hold 256 KiB. */
    private static final int MESSAGES = 700;
    private static final int TURNS = 16;
    private static final int FLUSH_MS = 40;
    private static final long FLUSH_NS = TimeUnit.MILLISECONDS.toNanos(FLUSH_MS);

    /** The trunk outlives steps of the clock, and an engine that does not run for a while. */
    @Override
    void options(final TrunkServerContext trunks)
    {
        trunks.keepaliveNs(60 * SECOND).graceNs(120 * SECOND);
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
        await("a ping's answer", () -> gateway.counter(GatewayCounter.SENT_BYTES) > 0);
        step(100);
        clock.advance(10 * SECOND);
        awaitClose(anonymous, CloseCode.NOT_LOGGED_IN);
        assertEquals(-1, player.closeCode);
        step(100);
        clock.advance(5 * SECOND);
        await("IDLE", () -> 1 == gateway.counter(GatewayCounter.CLOSED_IDLE));
        deaf.read();
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
        assertEquals(1, refusals(GatewayCode.TOO_MANY_ROOMS));
        assertEquals(1, metric("requests_of_players_refused_total"));
        while (-1 == player.closeCode)
        {
            player.message(roomId, "m");
            gateway.invoke();
            engine.invoke();
        }
        assertEquals(CloseCode.FLOOD.value(), player.closeCode);
        assertEquals(1, refusalsByRate(player), "reported once a second");
    }

    private long refusalsByRate(final BrowserClient player)
    {
        final String code = " " + TrunkCode.RATE_LIMITED.value();
        return player.all().stream().filter((line) ->
            line.startsWith("refused " + roomId) && line.endsWith(code)).count();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldLimitTheRateOfBytes(final boolean isTls)
    {
        final GatewayContext context = context(isTls);
        context.limits().messageRate(1_000);
        launch(context);
        final BrowserClient player = seated(7);
        clock.stop();
        clock.advance(5 * SECOND);
        // Each has 530 bytes, and 64 KiB may come at once.
        assertEquals(123, echoes(player, 130));
        assertEquals(7, metric("rate_limited_total"));
        assertEquals(1, refusalsByRate(player), "reported once a second");
        clock.advance(SECOND);
        assertEquals(61, echoes(player, 70), "32 KiB a second");
        assertEquals(16, metric("rate_limited_total"));
        assertEquals(-1, player.closeCode);
    }

    /** Send messages for which the gateway's clock stands still, and return how many of them come back. */
    private long echoes(final BrowserClient player, final int count)
    {
        final long received = gateway.counter(GatewayCounter.MESSAGES_RECEIVED);
        final long limited = gateway.counter(GatewayCounter.RATE_LIMITED);
        final String text = "x".repeat(512);
        player.received.clear();
        for (int i = 0; i < count; i++)
        {
            player.message(roomId, text);
            gateway.invoke();
        }
        await("all messages", () -> received + count == gateway.counter(GatewayCounter.MESSAGES_RECEIVED));
        final long taken = count - (gateway.counter(GatewayCounter.RATE_LIMITED) - limited);
        await("the refusal and the echoes", () -> taken + 1 == player.all().size());
        return player.all().stream().filter(("event " + text)::equals).count();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldSendMessagesTogetherToAPlayerThatAsksForIt(final boolean isTls)
    {
        launch(context(isTls));
        final BrowserClient eager = seated(8);
        final BrowserClient patient = new BrowserClient(http, uri());
        patient.flushMs(FLUSH_MS);
        seated(greeted(patient), 7);
        clock.stop();
        // Sends the ping of a test that takes long.
        clock.advance(FLUSH_NS);
        patient.received.clear();
        play(eager, "a", "b");
        clock.advance(FLUSH_NS - 1);
        play(eager, "c", "d");
        assertEquals(List.of(), patient.all(), "its time is not over");
        clock.advance(1);
        await("all of them", () -> 4 == patient.all().size());
        assertEquals(List.of("event a", "event b", "event c", "event d"), patient.all());
    }

    /** Send messages, each when the player has received the one before. */
    private void play(final BrowserClient player, final String... texts)
    {
        for (final String text : texts)
        {
            player.message(roomId, text);
            await(text, () -> player.has("event " + text));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldRefuseTooManyLogInsOfAConnectionAndOfAnAddress(final boolean isTls)
    {
        final GatewayContext context = context(isTls);
        context.limits().logInRate(4);
        launch(context);
        final BrowserClient often = connected();
        for (int i = 1; i <= 3; i++)
        {
            logIn(often, i, "7", "0 7");
        }
        final String refusal = GatewayCode.TOO_MANY_LOG_INS.value() + " 0";
        logIn(often, 4, "7", refusal);
        assertEquals(1, refusals(GatewayCode.TOO_MANY_LOG_INS));
        final BrowserClient neighbour = connected();
        logIn(neighbour, 1, "8", "0 8");
        logIn(neighbour, 2, "8", refusal);
        assertEquals(2, refusals(GatewayCode.TOO_MANY_LOG_INS));
        assertEquals(2, metric("log_ins_refused_total"));
        assertEquals(4, metric("log_ins_total"));
    }

    private void logIn(final BrowserClient client, final int requestId, final String name, final String answer)
    {
        client.logIn(requestId, name);
        await("an answer", () -> client.all().stream().anyMatch((line) -> line.startsWith("loggedIn " + requestId)));
        assertTrue(client.has("loggedIn " + requestId + " " + answer), () -> client.all().toString());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldAnswerLaterToLogInsThatAreTooManyForTheTrunk(final boolean isTls)
    {
        final GatewayContext context = context(isTls);
        context.limits().logInQueueLimit(1);
        launch(context);
        final List<BrowserClient> players = IntStream.range(0, 8).mapToObj((i) -> connected()).toList();
        // The gateway does not run before the last of them: a turn gets several, and sends them at its end.
        IntStream.range(0, players.size()).forEach((i) -> players.get(i).logIn(1, Integer.toString(i)));
        await("the answers", () -> players.stream().allMatch((player) -> player.all().size() > 1));
        final String refusal = "loggedIn 1 " + GatewayCode.TRY_LATER.value() + " 0";
        final long refused = players.stream().filter((player) -> player.has(refusal)).count();
        assertTrue(refused > 0);
        assertEquals(refused, refusals(GatewayCode.TRY_LATER));
        assertEquals(refused, metric("log_ins_refused_total"));
        assertEquals(players.size() - refused, metric("log_ins_total"));
        final BrowserClient later = players.stream().filter((player) -> player.has(refusal)).findFirst().orElseThrow();
        logIn(later, 2, "9", "0 9");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldForgetASessionAfterItsHoldAndFreeItsSeatAfterTheGraceOfTheRoom(final boolean isTls)
    {
        launch(context(isTls));
        final BrowserClient lost = seated(7);
        lost.cut();
        await("away", () -> calls.contains("away 7") && 1 == gateway.detached());
        clock.advance(15 * SECOND);
        final BrowserClient late = connected();
        assertEquals(1, gateway.detached());
        clock.advance(15 * SECOND);
        await("the end of its session", () -> 0 == gateway.detached());
        assertEquals(1, metric("sessions_expired_total"));
        assertEquals(1, gateway.sessions());
        final BrowserClient resuming = new BrowserClient(http, uri());
        await("a connection", resuming::isOpen);
        resuming.hello(lost.token);
        await("a new session", () -> resuming.has("welcome new"));

        assertEquals(List.of("away 7"), calls, "the engine holds the seat");
        engineClock.advance(RoomType.GRACE_NS_DEFAULT);
        await("a free seat", () -> calls.contains("left 7 GRACE_EXPIRED"));
        assertFalse(seated(late, 7).has("joined 2 " + roomId + " 7 return"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldDropStatesOfADeafPlayerSendItAFullStateAndCloseItAtLast(final boolean isTls)
    {
        final GatewayContext context = context(isTls);
        // A message that is over the rate of a fast machine is refused, and its event never arrives.
        context.limits().messageRate(100_000);
        launch(context);
        final BrowserClient player = seated(7);
        final BrowserClient deaf = seated(8);
        deaf.isReading = false;
        while (gateway.counter(GatewayCounter.STATES_DROPPED) < 5)
        {
            sendBig(player, BIG_STATE, "state ");
        }
        deaf.read();
        await("a full state", () -> deaf.has("state full state for a lost state"));
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

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldCloseTheLongestQueueWhenAllTogetherAreTooLong(final boolean isTls)
    {
        final GatewayContext context = context(isTls);
        context.limits().totalQueueLimit(160_000).slowNs(60 * SECOND).idleNs(60 * SECOND).messageRate(100_000);
        launch(context);
        final BrowserClient player = seated(7);
        final BrowserClient first = seated(8);
        final BrowserClient second = seated(9);
        first.isReading = false;
        dropStates(player, 1);
        for (int i = 0; i < 5; i++)
        {
            sendBig(player, BIG_EVENT, "event ");
        }
        second.isReading = false;
        dropStates(player, 2);
        clock.stop();
        while (0 == gateway.counter(GatewayCounter.CLOSED_SLOW_CONSUMER))
        {
            sendBig(player, BIG_EVENT, "event ");
            // The lengths of all queues are added up several times a second.
            clock.advance(SECOND / 10);
            gateway.invoke();
        }
        first.read();
        awaitClose(first, CloseCode.SLOW_CONSUMER);
        second.read();
        play(player, "on");
        await("the message", () -> second.has("event on"));
        assertEquals(1, metric("closes_total{code=\"SLOW_CONSUMER\"}"));
        assertEquals(1, metric("connections_over_total_queue_total"));
    }

    /** Have states sent until one is dropped for this many deaf players: each has more than 32 KiB queued then. */
    private void dropStates(final BrowserClient player, final int deaf)
    {
        long before;
        do
        {
            before = gateway.counter(GatewayCounter.STATES_DROPPED);
            sendBig(player, BIG_STATE, "state ");
        }
        while (gateway.counter(GatewayCounter.STATES_DROPPED) - before < deaf);
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
