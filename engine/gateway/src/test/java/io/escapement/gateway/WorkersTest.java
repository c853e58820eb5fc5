package io.escapement.gateway;

import io.escapement.codecs.player.CloseCode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Two workers of a gateway, stepped by hand, with what they hand each other in between. */
class WorkersTest
{
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final int HERE = 0;
    private static final int THERE = 1;

    /** Tasks for the other worker wait until a test runs them. */
    private final class FakeWorkers implements Workers
    {
        private final int number;

        FakeWorkers(final int number)
        {
            this.number = number;
        }

        @Override
        public int number()
        {
            return number;
        }

        @Override
        public boolean isOther(final int worker)
        {
            return worker == 1 - number;
        }

        @Override
        public void move(final PlayerConnection connection, final int worker)
        {
            tasks.add(() -> benches.get(worker).sessions.arrive(connection, isFull));
        }

        @Override
        public long onLogIn(final long playerId)
        {
            final long order = ++logIns;
            tasks.add(() -> benches.get(1 - number).sessions.onLogInElsewhere(playerId, order));
            return order;
        }
    }

    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    private final List<GatewayBench> benches = new ArrayList<>();
    private final GatewayBench here = bench(HERE);
    private final GatewayBench there = bench(THERE);
    private boolean isFull;
    private long logIns;

    private GatewayBench bench(final int number)
    {
        final GatewayBench bench =
            new GatewayBench(new GatewayContext(), new FakeLink.FakeShared(), new FakeWorkers(number));
        benches.add(bench);
        return bench;
    }

    private void runTasks()
    {
        while (!tasks.isEmpty())
        {
            tasks.remove().run();
        }
        here.turns(3);
        there.turns(3);
    }

    @Test
    void shouldResumeASessionOfAnotherWorker()
    {
        final FakeLink lost = here.seated(7, 1);
        runTasks();
        lost.lose();
        here.turns(2);
        final FakeLink back = new FakeLink().open(there.sessions, "10.0.0.1");
        final UnsafeBuffer ping = new UnsafeBuffer("ping".getBytes(StandardCharsets.US_ASCII));
        back.connection.onPing(ping, 4);
        back.hello(lost.token);
        assertFalse(back.isReading, "on its way");
        back.message(1, "early");
        back.connection.onPing(ping, 4);
        there.turns(3);
        assertEquals(List.of(), back.take());
        assertEquals(1, back.pongs, "the ping before Hello");
        assertEquals(0, there.sessions.connections().size());
        runTasks();
        assertTrue(back.isReading);
        assertEquals("welcome resumed", back.received.get(0));
        assertTrue(back.take().contains("joined 0 1 7 return"));
        assertEquals(0, there.sessions.sessions());
        assertEquals(1, here.sessions.connections().greeted());
        assertEquals(1, there.count(GatewayCounter.CONNECTIONS_MOVED));
        assertEquals(1, here.count(GatewayCounter.SESSIONS_RESUMED));
        back.message(1, "hi");
        back.pingGateway(5);
        here.turn();
        assertEquals(List.of("pong 5"), back.take());
        assertTrue(here.engine.log.contains("send 1 7 hi"));
        back.lose();
        here.turns(2);
        assertEquals(0, here.sessions.connections().size());
        assertFalse(here.engine.seatByRoomAndPlayerMap.get("1/7").isPresentThere);
    }

    @Test
    void shouldHandleWhatCameBehindHelloInOrder()
    {
        final FakeLink lost = here.player(7);
        runTasks();
        lost.lose();
        final FakeLink back = new FakeLink().open(there.sessions, "10.0.0.1");
        back.hello(lost.token);
        back.logIn(3, "7");
        back.pingGateway(4);
        runTasks();
        assertEquals(List.of("welcome resumed", "pong 4", "loggedIn 3 0 7"), back.take());
    }

    @Test
    void shouldBeginASessionWhereTheUnknownTokenPoints()
    {
        final FakeLink lost = here.seated(7, 1);
        runTasks();
        lost.lose();
        here.pass(31 * SECOND);
        final FakeLink back = new FakeLink().open(there.sessions, "10.0.0.1");
        back.hello(lost.token);
        runTasks();
        assertEquals(List.of("welcome new"), back.take());
        assertEquals(1, here.sessions.sessions());
        final byte[] nowhere = lost.token.clone();
        nowhere[0] = (byte)0xFC;
        final FakeLink stray = new FakeLink().open(there.sessions, "10.0.0.1");
        stray.hello(nowhere);
        assertEquals(List.of("welcome new"), stray.take(), "there is no worker 63");
    }

    @Test
    void shouldCloseAConnectionThatIsLostOrFloodsOnItsWayOrFindsNoPlace()
    {
        final FakeLink player = here.seated(7, 1);
        runTasks();
        final FakeLink gone = new FakeLink().open(there.sessions, "10.0.0.1");
        gone.hello(player.token);
        gone.lose();
        runTasks();
        assertNull(player.closed, "nobody has come for its session");
        final FakeLink flood = new FakeLink().open(there.sessions, "10.0.0.1");
        flood.hello(player.token);
        for (int i = 0; i < 40; i++)
        {
            flood.message(1, "x".repeat(512));
        }
        assertEquals(CloseCode.FLOOD, flood.closed);
        runTasks();
        isFull = true;
        final FakeLink late = new FakeLink().open(there.sessions, "10.0.0.1");
        late.hello(player.token);
        runTasks();
        assertEquals(CloseCode.FULL, late.closed);
        assertEquals(1, here.count(GatewayCounter.CLOSED_FULL));
        assertEquals(1, here.sessions.connections().size());
        assertEquals(0, there.sessions.connections().size());
        assertNull(player.closed);
    }

    @Test
    void shouldLetAPlayerHaveOneSessionAtAllWorkers()
    {
        final FakeLink first = here.seated(7, 1);
        runTasks();
        final FakeLink second = there.player(7);
        assertNull(first.closed);
        runTasks();
        assertEquals(CloseCode.REPLACED, first.closed);
        assertEquals(0, here.sessions.sessions());
        assertEquals(1, here.count(GatewayCounter.SESSIONS_REPLACED));
        assertNull(second.closed);

        // Both log in before either has word of the other: the later one stays.
        final FakeLink third = here.player(8);
        final FakeLink fourth = there.player(8);
        runTasks();
        assertEquals(CloseCode.REPLACED, third.closed);
        assertNull(fourth.closed);
    }
}
