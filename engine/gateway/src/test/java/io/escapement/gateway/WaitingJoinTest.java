package io.escapement.gateway;

import io.escapement.codecs.player.GatewayCode;
import io.escapement.codecs.room.RefusalCode;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Joins on which a room decides later, what its logic gives to players, and the codes of applications. */
class WaitingJoinTest
{
    private static final long ROOM = FakeEngine.ASKING_ROOM;
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final String CANCELLED = " 3 " + RefusalCode.JOIN_CANCELLED.value();

    private final GatewayBench bench = new GatewayBench();

    @Test
    void shouldJoinWhenTheRoomAdmits()
    {
        final FakeLink link = asking();
        bench.turns(5);
        assertEquals(List.of(), link.take());
        bench.engine.admit();
        assertEquals(List.of("joined 6 98 7"), link.take());
    }

    @Test
    void shouldGiveThePlayerTheAnswerOfTheRoom()
    {
        bench.engine.answer = "red team";
        final FakeLink link = asking();
        bench.engine.admit();
        assertEquals(List.of("joined 6 98 7 red team"), link.take());
        final FakeLink atOnce = bench.seated(8, 1);
        assertEquals(List.of(), atOnce.take());
    }

    @Test
    void shouldCarryCodesInBothDirections()
    {
        final FakeLink link = bench.seated(7, 1);
        link.leave(1, 99);
        bench.turns(3);
        assertEquals(List.of("left 1 0 99"), link.take());
        assertTrue(bench.engine.log.contains("leave 1 7 99"), bench.engine.log::toString);
        final FakeLink kicked = bench.seated(8, 1);
        bench.engine.free(bench.engine.seatByRoomAndPlayerMap.get("1/8"), 1, 2_000);
        assertEquals(List.of("left 1 1 2000"), kicked.take());
    }

    @Test
    void shouldWithdrawTheJoinOfAPlayerWhoLeaves()
    {
        final FakeLink link = asking();
        link.leave(ROOM);
        bench.turns(3);
        assertEquals(List.of("refused 98 6" + CANCELLED), link.take());
        assertTrue(bench.engine.waiting.isEmpty());
        // The place is free.
        link.join(7, ROOM);
        bench.turns(3);
        bench.engine.admit();
        assertEquals(List.of("joined 7 98 7"), link.take());
    }

    @Test
    void shouldWithdrawAJoinThatTheTrunkHasNotTaken()
    {
        final FakeLink link = bench.seated(7, 1);
        bench.engine.isBlocked = true;
        link.join(6, ROOM);
        bench.turns(2);
        link.leave(ROOM);
        assertEquals(List.of("refused 98 6" + CANCELLED), link.take());
        bench.engine.isBlocked = false;
        bench.turns(3);
        assertTrue(bench.engine.log.stream().noneMatch((order) -> order.contains(" 98 ")), bench.engine.log::toString);
    }

    @Test
    void shouldWithdrawOnceTheTrunkTakesIt()
    {
        final FakeLink link = asking();
        bench.engine.isBlocked = true;
        link.leave(ROOM);
        link.leave(ROOM);
        bench.turns(3);
        assertEquals(List.of(), link.take());
        bench.engine.isBlocked = false;
        bench.turns(3);
        assertEquals(List.of("refused 98 6" + CANCELLED), link.take());
    }

    /** The engine frees the seat that the player does not want any more, and the player never had it. */
    @Test
    void shouldLeaveASeatThatCrossesTheWithdrawal()
    {
        final FakeLink link = asking();
        link.leave(ROOM);
        bench.engine.admit();
        assertEquals(List.of("refused 98 6" + CANCELLED), link.take());
        bench.turns(4);
        assertEquals(List.of(), link.take());
        assertFalse(bench.engine.seatByRoomAndPlayerMap.containsKey("98/7"), bench.engine.log::toString);
        link.join(7, ROOM);
        bench.turns(3);
        bench.engine.admit();
        assertEquals(List.of("joined 7 98 7"), link.take());
        assertTrue(bench.engine.seatByRoomAndPlayerMap.containsKey("98/7"));
    }

    /** The room had forgotten the join, which a trunk that was lost between may cause. */
    @Test
    void shouldEndAWithdrawnJoinThatTheRoomDoesNotHave()
    {
        final FakeLink link = asking();
        bench.engine.waiting.clear();
        link.leave(ROOM);
        bench.turns(3);
        assertEquals(List.of("refused 98 6" + CANCELLED), link.take());
    }

    @Test
    void shouldWithdrawTheJoinOfASessionThatIsOver()
    {
        final FakeLink link = asking();
        link.goodbye();
        bench.turns(3);
        assertTrue(bench.engine.waiting.isEmpty(), bench.engine.log::toString);
        assertEquals(0, bench.sessions.sessions());
    }

    @Test
    void shouldWithdrawAJoinThatItGivesUp()
    {
        final FakeLink link = asking();
        bench.pass(11 * SECOND);
        assertEquals(List.of("refused 98 6 3 " + GatewayCode.ENGINE_UNREACHABLE.value()), link.take());
        bench.turns(2);
        assertTrue(bench.engine.waiting.isEmpty(), bench.engine.log::toString);
    }

    @Test
    void shouldHoldTheSeatOfAPlayerWhoIsAwayWhenTheRoomAdmits()
    {
        final FakeLink link = asking();
        link.lose();
        bench.turns(2);
        bench.engine.admit();
        bench.turns(2);
        final FakeLink again = new FakeLink().open(bench.sessions, "10.0.0.1");
        again.hello(link.token);
        bench.turns(3);
        assertEquals(List.of("welcome resumed", "joined 0 1 7 return", "joined 0 98 7 return"), again.take());
    }

    private FakeLink asking()
    {
        final FakeLink link = bench.seated(7, 1);
        link.join(6, ROOM);
        bench.turns(3);
        assertEquals(1, bench.engine.waiting.size());
        return link;
    }
}
