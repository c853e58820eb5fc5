package io.escapement.gateway;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Seats of sessions that are over: no seat stays present without a player if the engine refuses orders for a time. */
class PartingTest
{
    private static final int REFUSALS = 3;
    private static final long REQUEST_NS = TimeUnit.SECONDS.toNanos(10);

    private final GatewayBench bench = new GatewayBench();

    private long count(final String order)
    {
        return bench.engine.log.stream().filter(order::equals).count();
    }

    /** The gauge of seats, which a tick sets. */
    private int seats()
    {
        bench.pass(TimeUnit.MILLISECONDS.toNanos(100));
        return bench.counters.seats();
    }

    @Test
    void shouldRepeatTheLeaveOfAGoodbye()
    {
        final FakeLink player = bench.seated(7, 1);
        bench.engine.ordersToRefuse = REFUSALS;
        player.goodbye();
        bench.turns(3 * REFUSALS);
        assertEquals(1 + REFUSALS, count("leave 1 7"));
        assertTrue(bench.engine.seatByRoomAndPlayerMap.isEmpty(), "a seat without a player");
        assertEquals(0, seats());
        assertEquals(0, bench.sessions.sessions());
    }

    /** The player logs in with another connection, which ends the session of the first. */
    @Test
    void shouldRepeatTheAwayOfASessionThatIsReplaced()
    {
        bench.seated(7, 1);
        final FakeEngine.FakeSeat seat = bench.engine.seatByRoomAndPlayerMap.get("1/7");
        bench.engine.ordersToRefuse = REFUSALS;
        bench.player(7);
        bench.turns(3 * REFUSALS);
        assertEquals(1 + REFUSALS, count("away 1 7"));
        assertFalse(seat.isPresentThere, "a seat without a player");
        assertEquals(1, seats());
        bench.pass(REQUEST_NS);
        assertEquals(0, seats(), "nothing can be refused any more");
        assertEquals(1 + REFUSALS, count("away 1 7"));
    }

    /** The session is over while its Away is under way. */
    @Test
    void shouldRepeatAnAwayThatIsRefusedAfterTheEnd()
    {
        final GatewayContext context = new GatewayContext();
        context.limits().graceNs(TimeUnit.MILLISECONDS.toNanos(60));
        final GatewayBench brief = new GatewayBench(context);
        final FakeLink player = brief.seated(7, 1);
        final FakeEngine.FakeSeat seat = brief.engine.seatByRoomAndPlayerMap.get("1/7");
        player.lose();
        brief.engine.ordersToRefuse = 1;
        brief.sessions.beginTurn();
        brief.sessions.endTurn();
        brief.clock.advance(TimeUnit.SECONDS.toNanos(1));
        brief.sessions.beginTurn();
        brief.sessions.endTurn();
        assertEquals(0, brief.sessions.sessions());
        brief.turns(3);
        assertFalse(seat.isPresentThere, "a seat without a player");
    }

    /** The player comes back before the place of its last session is forgotten. */
    @ParameterizedTest
    @ValueSource(ints = {0, REFUSALS})
    void shouldGiveTheSeatToTheNextSession(final int refusals)
    {
        bench.seated(7, 1);
        bench.engine.ordersToRefuse = refusals;
        final FakeLink next = bench.player(7);
        bench.turns(3 * REFUSALS);
        next.join(5, 1);
        bench.turns(3);
        assertTrue(next.take().contains("joined 5 1 7"));
        bench.pass(2 * REQUEST_NS);
        assertTrue(bench.engine.seatByRoomAndPlayerMap.get("1/7").isPresentThere);
        next.message(1, "hi");
        assertEquals(1, count("send 1 7 hi"));
        assertEquals(1, seats());
    }

    /** The trunk takes the refusal with it, and brings the seat back. */
    @Test
    void shouldLeaveASeatThatComesBackWithTheTrunk()
    {
        final FakeLink player = bench.seated(7, 1);
        player.goodbye();
        bench.sessions.endTurn();
        bench.engine.disconnect(0);
        bench.engine.resume();
        bench.turns(3);
        assertFalse(bench.engine.seatByRoomAndPlayerMap.containsKey("1/7"), "a seat without a player");
        bench.engine.disconnect(0);
        bench.engine.restart();
        bench.turns(2);
        assertEquals(0, seats());
    }
}
