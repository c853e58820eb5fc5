package io.escapement.gateway;

import io.escapement.codecs.player.CloseCode;
import io.escapement.codecs.player.GatewayCode;
import io.escapement.codecs.trunk.TrunkCode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Rates, timeouts and queues: each with its code and its counter. */
class PressureTest
{
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final GatewayBench bench = new GatewayBench();

    @Test
    void shouldLimitTheRateOfMessagesAndReportItOnceASecond()
    {
        final FakeLink link = bench.seated(7, 1);
        bench.pass(3 * SECOND);
        for (int i = 0; i < 200; i++)
        {
            link.message(1, "m");
        }
        assertEquals(120, bench.engine.log.stream().filter("send 1 7 m"::equals).count());
        assertEquals(List.of("refused 1 121 5 " + TrunkCode.RATE_LIMITED.value()), link.take());
        assertEquals(80, bench.count(GatewayCounter.RATE_LIMITED));
        bench.pass(SECOND);
        link.message(1, "m");
        assertEquals(List.of(), link.take());
        assertNull(link.closed);
    }

    @Test
    void shouldLimitTheRateOfBytes()
    {
        final GatewayContext context = new GatewayContext();
        context.limits().messageRate(1_000);
        final GatewayBench bytes = new GatewayBench(context);
        final FakeLink link = bytes.seated(7, 1);
        bytes.pass(5 * SECOND);
        // Each has 530 bytes, and 64 KiB may come at once.
        assertEquals(123, sent(bytes, link, 130));
        assertEquals(7, bytes.count(GatewayCounter.RATE_LIMITED));
        bytes.pass(SECOND);
        assertEquals(61, sent(bytes, link, 130), "32 KiB a second");
    }

    private static long sent(final GatewayBench bench, final FakeLink link, final int count)
    {
        bench.engine.log.clear();
        for (int i = 0; i < count; i++)
        {
            link.message(1, "x".repeat(512));
        }
        return bench.engine.log.stream().filter((line) -> line.startsWith("send 1 7 ")).count();
    }

    @Test
    void shouldCountPingsPongsAndEmptyFragmentsForTheRate()
    {
        final FakeLink link = bench.seated(7, 1);
        bench.pass(3 * SECOND);
        final UnsafeBuffer ping = new UnsafeBuffer("ping".getBytes(StandardCharsets.US_ASCII));
        for (int i = 0; i < 200; i++)
        {
            link.connection.onPing(ping, 4);
        }
        assertEquals(120, link.pongs);
        assertEquals(80, bench.count(GatewayCounter.RATE_LIMITED));
        link.message(1, "m");
        assertEquals(List.of("refused 1 1 5 " + TrunkCode.RATE_LIMITED.value()), link.take());
        final int flushes = link.flushes;
        bench.turn();
        assertEquals(flushes + 1, link.flushes, "one flush for all of a turn");
        assertFloods(link, () -> link.connection.onPong(0));
        final FakeLink fragments = bench.seated(8, 1);
        assertFloods(fragments, fragments.connection::onFragment);
    }

    private void assertFloods(final FakeLink link, final Runnable frame)
    {
        for (int tenth = 0; tenth < 130 && null == link.closed; tenth++)
        {
            for (int i = 0; i < 30; i++)
            {
                frame.run();
            }
            bench.pass(SECOND / 10);
        }
        assertEquals(CloseCode.FLOOD, link.closed);
    }

    @Test
    void shouldCloseAConnectionThatPingsAndTakesNoPongs()
    {
        final FakeLink link = bench.seated(7, 1);
        link.isTaking = false;
        final UnsafeBuffer ping = new UnsafeBuffer(new byte[125]);
        for (int second = 0; second < 11; second++)
        {
            link.connection.onPing(ping, 125);
            bench.pass(SECOND);
        }
        assertEquals(CloseCode.SLOW_CONSUMER, link.closed);
    }

    @Test
    void shouldKeepAConnectionThatTakesItsBytesMoreSlowlyThanTheyCome()
    {
        final FakeLink link = bench.seated(7, 1);
        link.queuedBytes = 2_000;
        for (int i = 0; i < 200; i++)
        {
            bench.engine.message(1, false, "e");
            // A frame costs more in the queue than its payload.
            link.queuedBytes += 120;
            bench.pass(SECOND / 20, SECOND / 20);
            link.queuedBytes -= 60;
            link.connection.onPong(0);
            bench.pass(SECOND / 20, SECOND / 20);
        }
        assertNull(link.closed);
    }

    @Test
    void shouldCloseAFlood()
    {
        final FakeLink link = bench.seated(7, 1);
        for (int tenth = 0; tenth < 130 && null == link.closed; tenth++)
        {
            for (int i = 0; i < 30; i++)
            {
                link.message(1, "m");
            }
            bench.pass(SECOND / 10);
        }
        assertEquals(CloseCode.FLOOD, link.closed);
        assertEquals(1, bench.count(GatewayCounter.CLOSED_FLOOD));
        final FakeLink pausing = bench.seated(8, 1);
        for (int second = 0; second < 30; second++)
        {
            for (int i = 0; i < (0 == second % 3 ? 200 : 0); i++)
            {
                pausing.message(1, "m");
            }
            bench.pass(SECOND);
        }
        assertNull(pausing.closed, "a burst now and then is no flood");
    }

    @Test
    void shouldLimitLogInsOfAConnectionAndOfAnAddress()
    {
        final List<FakeLink> links = new ArrayList<>();
        int refused = 0;
        for (int player = 0; player < 4; player++)
        {
            final FakeLink link = bench.greeted();
            links.add(link);
            for (int i = 0; i < 4; i++)
            {
                link.logIn(i, "nobody");
                bench.turns(2);
            }
            for (final String text : link.take())
            {
                refused += text.contains(" " + GatewayCode.TOO_MANY_LOG_INS.value() + " ") ? 1 : 0;
            }
        }
        assertEquals(6, refused, "the fourth of each connection, and those after ten of the address");
        assertTrue(refusals(bench).contains(GatewayCode.TOO_MANY_LOG_INS.value() + "=6"), () -> refusals(bench));
        assertEquals(10, bench.engine.log.size());
        final FakeLink elsewhere = new FakeLink().open(bench.sessions, "10.0.0.2");
        elsewhere.hello(FakeLink.NO_TOKEN);
        elsewhere.logIn(1, "7");
        bench.turns(2);
        assertTrue(elsewhere.take().contains("loggedIn 1 0 7"));
    }

    @Test
    void shouldQueueALimitedNumberOfLogIns()
    {
        final GatewayContext context = new GatewayContext();
        context.limits().logInRate(10_000);
        final GatewayBench busy = new GatewayBench(context);
        busy.engine.answersLogIns = false;
        final List<FakeLink> links = new ArrayList<>();
        for (int i = 0; i < PlayerLogIns.OPEN_OF_KIND + 1_024; i++)
        {
            final FakeLink link = busy.greeted();
            link.logIn(1, Integer.toString(i));
            busy.turn();
            links.add(link);
            assertEquals(List.of(), link.take());
        }
        assertEquals(PlayerLogIns.OPEN_OF_KIND, busy.engine.log.size(), "a trunk carries 64, of both kinds");
        final FakeLink late = busy.greeted();
        late.logIn(1, "7");
        assertEquals(List.of("loggedIn 1 " + GatewayCode.TRY_LATER.value() + " 0"), late.take());
        assertEquals(1, busy.count(GatewayCounter.LOG_INS_REFUSED));
        assertEquals("197=1", refusals(busy));
        busy.pass(11 * SECOND);
        assertEquals("197=1073", refusals(busy), "each is answered, late");
    }

    private static String refusals(final GatewayBench of)
    {
        final StringBuilder text = new StringBuilder();
        of.counters.refusals().forEach((code, count) -> text.append(code).append('=').append(count));
        return text.toString();
    }

    @Test
    void shouldCountEachRefusalByItsCodeAndManyTogether()
    {
        final CodeCounts counts = new CodeCounts();
        for (int code = 1; code <= CodeCounts.LIMIT + 6; code++)
        {
            counts.increment(code);
            counts.increment(5);
        }
        final List<String> lines = new ArrayList<>();
        counts.forEach((code, count) -> lines.add(code + " " + count));
        assertEquals(CodeCounts.LIMIT + 1, lines.size());
        assertTrue(lines.contains("64 1") && lines.contains("0 6") && lines.contains("5 71"), lines::toString);
    }

    @Test
    void shouldSendMessagesTogetherForAPlayerThatAsksForIt()
    {
        final FakeLink link = new FakeLink().open(bench.sessions, "10.0.0.1");
        link.flushMs = 50;
        link.hello(FakeLink.NO_TOKEN);
        for (int i = 0; i < 4; i++)
        {
            link.pingGateway(i);
            bench.pass(TimeUnit.MILLISECONDS.toNanos(12), TimeUnit.MILLISECONDS.toNanos(12));
        }
        assertEquals(0, link.flushes);
        bench.pass(TimeUnit.MILLISECONDS.toNanos(12), TimeUnit.MILLISECONDS.toNanos(12));
        assertEquals(1, link.flushes, "50 ms after the first");
        final FakeLink much = new FakeLink().open(bench.sessions, "10.0.0.1");
        much.flushMs = 200;
        much.hello(FakeLink.NO_TOKEN);
        bench.pass(TimeUnit.MILLISECONDS.toNanos(51), TimeUnit.MILLISECONDS.toNanos(51));
        assertEquals(1, much.flushes, "it gets 50 ms");
    }

    @Test
    void shouldCloseAConnectionThatSendsOnWhileNothingIsRead()
    {
        final FakeLink link = bench.seated(7, 1);
        bench.engine.isBlocked = true;
        bench.pass(3 * SECOND);
        final int fitting = 16 * 1_024 / 530;
        for (int i = 0; i < fitting; i++)
        {
            link.message(1, "x".repeat(512));
        }
        assertNull(link.closed);
        assertFalse(link.isReading);
        link.message(1, "x".repeat(512));
        assertEquals(CloseCode.FLOOD, link.closed);
    }

    @Test
    void shouldCloseAConnectionThatIsNotGreetedLoggedInOrAlive()
    {
        final FakeLink silent = new FakeLink().open(bench.sessions, "10.0.0.1");
        bench.pass(4 * SECOND);
        assertNull(silent.closed);
        bench.pass(2 * SECOND);
        assertEquals(CloseCode.HANDSHAKE_TIMEOUT, silent.closed);
        assertEquals(1, bench.count(GatewayCounter.CLOSED_HANDSHAKE_TIMEOUT));

        final FakeLink idle = bench.seated(7, 1);
        bench.pass(24 * SECOND);
        assertNull(idle.closed);
        assertEquals(2, idle.pings);
        bench.pass(2 * SECOND);
        assertEquals(CloseCode.IDLE, idle.closed);
        assertEquals(1, bench.count(GatewayCounter.CLOSED_IDLE));
        bench.turns(2);
        assertFalse(bench.engine.seatByRoomAndPlayerMap.get("1/7").isPresentThere);

        final FakeLink anonymous = bench.greeted();
        for (int i = 0; i < 61; i++)
        {
            anonymous.connection.onPong(0);
            bench.pass(SECOND);
        }
        assertEquals(CloseCode.NOT_LOGGED_IN, anonymous.closed);
        assertEquals(1, bench.count(GatewayCounter.CLOSED_NOT_LOGGED_IN));
    }

    @Test
    void shouldStopReadingWhileTheTrunkIsBlockedAndLoseNothing()
    {
        final FakeLink link = bench.seated(7, 1);
        final FakeLink other = bench.seated(8, 1);
        bench.engine.isBlocked = true;
        bench.engine.log.clear();
        for (int i = 0; i < 10; i++)
        {
            link.message(1, "m" + i);
        }
        bench.turns(3);
        assertFalse(link.isReading);
        assertTrue(other.isReading, "it has sent nothing");
        assertEquals(List.of(), bench.engine.log);
        bench.engine.isBlocked = false;
        bench.turn();
        assertTrue(link.isReading);
        final List<String> expected = new ArrayList<>();
        for (int i = 0; i < 10; i++)
        {
            expected.add("send 1 7 m" + i);
        }
        assertEquals(expected, bench.engine.log);
        assertEquals(1, bench.count(GatewayCounter.BACK_PRESSURED));
    }

    @Test
    void shouldDropStatesOfASlowPlayerAndAskForASnapshot()
    {
        final FakeLink slow = bench.seated(7, 1);
        final FakeLink fast = bench.seated(8, 1);
        slow.isTaking = false;
        bench.engine.log.clear();
        final String state = "s".repeat(1_000);
        for (int i = 0; i < 50; i++)
        {
            bench.engine.message(1, true, state);
        }
        bench.turn();
        assertEquals(50, fast.take().size());
        final int got = slow.take().size();
        assertEquals(32, got, "each has 1,026 bytes: until more than 32 KiB are queued");
        assertEquals(50 - got, bench.count(GatewayCounter.STATES_DROPPED));
        bench.engine.message(1, false, "event");
        assertEquals(List.of("event event"), slow.take(), "events are not dropped");
        bench.pass(SECOND);
        assertEquals(List.of(), bench.engine.log, "no snapshot for a player that does not read");
        slow.queuedBytes = 8 * 1_024;
        bench.pass(SECOND);
        assertEquals(List.of(), bench.engine.log, "8 KiB are left");
        slow.queuedBytes--;
        bench.pass(SECOND);
        assertEquals(List.of("stateLost 1 7"), bench.engine.log, "once");
        assertEquals(1, bench.count(GatewayCounter.STATE_LOST_SENT));
    }

    @Test
    void shouldCloseAConnectionWhoseQueueIsTooLongOrStands()
    {
        final FakeLink long1 = bench.seated(7, 1);
        long1.isTaking = false;
        final String event = "e".repeat(8_000);
        for (int i = 0; i < 40; i++)
        {
            bench.engine.message(1, false, event);
        }
        bench.turn();
        assertEquals(CloseCode.SLOW_CONSUMER, long1.closed);

        final FakeLink standing = bench.seated(8, 2);
        standing.isTaking = false;
        bench.engine.message(2, false, "e");
        for (int i = 0; i < 9; i++)
        {
            standing.connection.onPong(0);
            bench.pass(SECOND);
        }
        assertNull(standing.closed);
        bench.pass(2 * SECOND);
        assertEquals(CloseCode.SLOW_CONSUMER, standing.closed);
        assertEquals(2, bench.count(GatewayCounter.CLOSED_SLOW_CONSUMER));
    }

    @Test
    void shouldCloseTheLongestQueuesWhenAllTogetherAreTooLong()
    {
        final GatewayContext context = new GatewayContext();
        context.limits().totalQueueLimit(50_000);
        final GatewayBench small = new GatewayBench(context);
        final FakeLink a = small.seated(7, 1);
        final FakeLink b = small.seated(8, 1);
        a.queuedBytes = 30_000;
        b.queuedBytes = 31_000;
        small.pass(SECOND / 10);
        assertNull(a.closed);
        assertEquals(CloseCode.SLOW_CONSUMER, b.closed);
        assertEquals(1, small.count(GatewayCounter.CONNECTIONS_OVER_TOTAL_QUEUE));
        assertEquals(30_000, small.counters.queuedBytes());
    }
}
