package io.escapement.gateway;

import io.escapement.codecs.player.CloseCode;
import io.escapement.codecs.player.GatewayCode;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.trunk.LeaveDecoder;
import io.escapement.codecs.trunk.TrunkCode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The life of sessions: log-in, rooms, lost connections, resumes, replacement, and the engine lost and back. */
class SessionLifeTest
{
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final int JOIN = 3;
    private static final int LEAVE = 4;
    private static final int MESSAGE = 5;

    private final GatewayBench bench = new GatewayBench();

    @Test
    void shouldPlay()
    {
        final FakeLink link = new FakeLink().open(bench.sessions, "10.0.0.1");
        link.hello(FakeLink.NO_TOKEN);
        assertEquals(List.of("welcome new"), link.take());
        link.logIn(5, "7");
        bench.turns(3);
        assertEquals(List.of("loggedIn 5 0 7"), link.take());
        assertEquals("session of 7", link.sessionToken);
        link.join(6, 1);
        bench.turns(3);
        assertEquals(List.of("joined 6 1 7"), link.take());
        link.message(1, "hi");
        bench.engine.message(1, false, "all");
        bench.engine.turn = 7;
        bench.engine.message(1, true, "full state");
        link.pingGateway(9);
        bench.turn();
        assertEquals(List.of("event all", "state of turn 7 full state", "pong 9"), link.take());
        assertTrue(link.flushes > 0);
        link.leave(1);
        bench.turns(3);
        assertEquals(List.of("left 1 0"), link.take());
        link.goodbye();
        assertEquals(CloseCode.NORMAL, link.closed);
        bench.turns(2);
        assertEquals(0, bench.sessions.sessions());
        assertEquals(List.of("logIn 7", "join 1 7", "send 1 7 hi", "leave 1 7"), bench.engine.log);
    }

    @Test
    void shouldFreeTheSeatsAtGoodbye()
    {
        final FakeLink link = bench.seated(7, 1);
        link.goodbye();
        bench.turns(3);
        assertTrue(bench.engine.seatByRoomAndPlayerMap.isEmpty());
        assertTrue(bench.engine.log.contains("leave 1 7"));
        assertEquals(0, bench.counters.seats());
    }

    @Test
    void shouldRefuseAnotherVersionOfTheSchemaByItsCode()
    {
        final FakeLink link = new FakeLink().open(bench.sessions, "10.0.0.1");
        final FakeLink.Outgoing gateway = link.outgoing;
        link.outgoing = (buffer, length) ->
        {
            link.out.putByte(6, (byte)1);
            gateway.send(buffer, length);
        };
        link.hello(FakeLink.NO_TOKEN);
        assertEquals(CloseCode.PROTOCOL_VERSION, link.closed);
        assertEquals(List.of(), link.take());
    }

    @Test
    void shouldRefuseWhatTheStateDoesNotAllow()
    {
        final FakeLink link = bench.greeted();
        link.join(4, 1);
        assertEquals(List.of("refused 1 4 " + JOIN + " " + GatewayCode.NOT_LOGGED_IN.value()), link.take());
        link.message(1, "hi");
        link.leave(1);
        assertEquals(List.of("refused 1 0 " + MESSAGE + " " + RefusalCode.NOT_JOINED.value(),
            "refused 1 0 " + LEAVE + " " + RefusalCode.NOT_JOINED.value()), link.take());
        link.logIn(5, "nobody");
        link.logIn(6, "7");
        assertEquals(List.of("loggedIn 6 " + GatewayCode.ALREADY_LOGGED_IN.value() + " 0"), link.take());
        bench.turns(2);
        assertEquals(List.of("loggedIn 5 1100 0"), link.take());
        assertEquals("", link.sessionToken);
        link.logIn(7, "7");
        bench.turns(2);
        link.take();
        link.join(8, FakeEngine.ROOMS + 1);
        bench.turns(3);
        assertEquals(List.of("refused 100 8 " + JOIN + " " + RefusalCode.UNKNOWN_ROOM.value()), link.take());
        for (int room = 1; room <= 5; room++)
        {
            link.join(10 + room, room);
        }
        link.join(20, 1);
        bench.turns(3);
        assertEquals(List.of("refused 5 15 " + JOIN + " " + GatewayCode.TOO_MANY_ROOMS.value(),
            "refused 1 20 " + JOIN + " " + RefusalCode.ALREADY_JOINED.value(),
            "joined 11 1 7", "joined 12 2 7", "joined 13 3 7", "joined 14 4 7"), link.take());
    }

    @Test
    void shouldCloseAMessageBeforeHelloASecondHelloAndOneOfAGateway()
    {
        final FakeLink early = new FakeLink().open(bench.sessions, "10.0.0.1");
        early.join(1, 1);
        assertEquals(CloseCode.MALFORMED, early.closed);
        final FakeLink twice = bench.greeted();
        twice.hello(FakeLink.NO_TOKEN);
        assertEquals(CloseCode.MALFORMED, twice.closed);
        final FakeLink wrong = bench.greeted();
        wrong.out.putShort(2, (short)48);
        wrong.connection.onMessage(wrong.out, 0, 20);
        assertEquals(CloseCode.MALFORMED, wrong.closed);
        assertEquals(3, bench.count(GatewayCounter.CLOSED_MALFORMED));
        final FakeLink newer = new FakeLink().open(bench.sessions, "10.0.0.1");
        newer.out.putShort(8, (short)2);
        newer.hello(FakeLink.NO_TOKEN);
        assertNull(newer.closed);
    }

    @Test
    void shouldHoldTheSeatOfALostConnectionAndReturnToItAtResume()
    {
        final FakeLink lost = bench.seated(7, 1);
        lost.lose();
        bench.turns(2);
        assertFalse(bench.engine.seatByRoomAndPlayerMap.get("1/7").isPresentThere);
        bench.engine.message(1, false, "missed");

        final FakeLink back = bench.resume(lost.token);
        bench.turns(3);
        assertEquals(List.of("welcome resumed", "joined 0 1 7 return"), back.take());
        assertNotEquals(List.of(lost.token), List.of(back.token));
        back.message(1, "again");
        assertEquals("send 1 7 again", bench.engine.log.get(bench.engine.log.size() - 1));
        assertEquals(List.of("welcome new"), bench.resume(lost.token).take(), "a token is valid once");
        assertEquals(1, bench.count(GatewayCounter.SESSIONS_RESUMED));
    }

    /** A player who only watches returns to watch, and may play once it has left. */
    @Test
    void shouldPassOnThatAPlayerOnlyWatches()
    {
        final FakeLink lost = bench.player(7);
        lost.join(2, 1, true);
        bench.turns(3);
        assertEquals(List.of("joined 2 1 7 to watch"), lost.take());
        bench.engine.message(1, true, "full state");
        bench.turn();
        assertEquals(List.of("state full state"), lost.take());
        lost.lose();
        bench.turns(2);
        final FakeLink back = bench.resume(lost.token);
        bench.turns(3);
        assertEquals(List.of("welcome resumed", "joined 0 1 7 return to watch"), back.take());
        back.leave(1);
        bench.turns(3);
        back.join(3, 1);
        bench.turns(3);
        assertEquals(List.of("left 1 0", "joined 3 1 7"), back.take());
        assertEquals(
            List.of("logIn 7", "watch 1 7", "away 1 7", "watch 1 7", "leave 1 7", "join 1 7"), bench.engine.log);
    }

    @Test
    void shouldNotResumeWithATokenThatDiffersInItsLastByte()
    {
        final FakeLink lost = bench.seated(7, 1);
        lost.lose();
        final byte[] guessed = lost.token.clone();
        guessed[15]++;
        assertEquals(List.of("welcome new"), bench.resume(guessed).take());
        assertEquals(List.of("welcome resumed"), bench.resume(lost.token).take());
    }

    @Test
    void shouldReplaceTheOlderConnectionOfASession()
    {
        final FakeLink first = bench.seated(7, 1);
        final FakeLink second = bench.resume(first.token);
        assertEquals(CloseCode.REPLACED, first.closed);
        bench.turns(4);
        assertEquals(List.of("welcome resumed", "joined 0 1 7 return"), second.take());
        assertEquals(List.of("logIn 7", "join 1 7", "away 1 7", "join 1 7"), bench.engine.log);
    }

    @Test
    void shouldNotReturnToASeatThatWasFreed()
    {
        final FakeLink lost = bench.seated(7, 1);
        lost.join(3, 2);
        bench.turns(3);
        lost.lose();
        bench.turns(2);
        bench.engine.free(bench.engine.seatByRoomAndPlayerMap.get("2/7"), 2);
        final FakeLink back = bench.resume(lost.token);
        bench.turns(3);
        assertEquals(List.of("welcome resumed", "left 2 2", "joined 0 1 7 return"), back.take());
    }

    @Test
    void shouldForgetASessionAfterItsGrace()
    {
        final FakeLink lost = bench.seated(7, 1);
        lost.lose();
        bench.pass(29 * SECOND);
        assertEquals(1, bench.sessions.sessions());
        bench.pass(2 * SECOND);
        assertEquals(0, bench.sessions.sessions());
        assertEquals(0, bench.counters.seats());
        assertEquals(List.of("welcome new"), bench.resume(lost.token).take());
        assertEquals(1, bench.count(GatewayCounter.SESSIONS_EXPIRED));
    }

    @Test
    void shouldKeepNoSessionThatNeverLoggedIn()
    {
        final FakeLink lost = bench.greeted();
        lost.lose();
        assertEquals(0, bench.sessions.sessions());
        assertEquals(List.of("welcome new"), bench.resume(lost.token).take());
        final FakeLink first = bench.greeted();
        final FakeLink second = bench.resume(first.token);
        assertEquals(CloseCode.REPLACED, first.closed);
        assertEquals(List.of("welcome resumed"), second.take());
    }

    @Test
    void shouldForgetTheOldestOfTooManySessionsWithoutAConnection()
    {
        final GatewayContext context = new GatewayContext();
        context.limits().connectionLimit(2);
        final GatewayBench small = new GatewayBench(context);
        final List<FakeLink> lost = new ArrayList<>();
        for (int player = 1; player <= 4; player++)
        {
            final FakeLink link = small.seated(player, 1);
            link.lose();
            lost.add(link);
            small.pass(SECOND);
        }
        assertEquals(2, small.counters.detached());
        assertEquals(2, small.count(GatewayCounter.SESSIONS_EXPIRED));
        assertEquals(List.of("welcome new"), small.resume(lost.get(1).token).take());
        assertEquals(List.of("welcome resumed"), small.resume(lost.get(2).token).take());
        small.pass(SECOND);
        assertEquals(1, small.counters.detached());
        small.pass(20 * SECOND);
        assertEquals(1, small.counters.detached());
        small.pass(10 * SECOND);
        assertEquals(3, small.count(GatewayCounter.SESSIONS_EXPIRED), "and the last one after its grace");
    }

    @Test
    void shouldLetAPlayerHaveOneSession()
    {
        final FakeLink first = bench.seated(7, 1);
        final FakeLink second = bench.greeted();
        second.logIn(1, "7");
        bench.turns(3);
        assertEquals(CloseCode.REPLACED, first.closed);
        second.join(2, 1);
        bench.turns(4);
        assertEquals(List.of("loggedIn 1 0 7", "joined 2 1 7"), second.take());
        assertEquals(1, bench.sessions.sessions());
    }

    @Test
    void shouldCountMessagesFromTheLastJoin()
    {
        final FakeLink link = bench.seated(7, 1);
        link.message(1, "a");
        link.message(1, "refuse");
        bench.turns(2);
        assertEquals(List.of("refused 1 2 " + MESSAGE + " 1024"), link.take());
        link.lose();
        bench.turns(2);
        final FakeLink back = bench.resume(link.token);
        bench.turns(3);
        back.take();
        bench.engine.isAttached = false;
        back.message(1, "b");
        back.message(1, "refuse");
        bench.turns(2);
        assertEquals(List.of(), back.take(), "they wait for the stream of the loop");
        bench.engine.isAttached = true;
        bench.turns(3);
        assertTrue(bench.engine.log.contains("send 1 7 b"), bench.engine.log::toString);
        assertEquals(List.of("refused 1 2 " + MESSAGE + " 1024"), back.take());
    }

    @Test
    void shouldSurviveATrunkThatIsLostAndResumed()
    {
        final FakeLink link = bench.seated(7, 1);
        final FakeLink gone = bench.seated(8, 1);
        bench.engine.disconnect(0);
        assertEquals(List.of("template 39"), link.take());
        link.message(1, "x");
        assertEquals(List.of("refused 1 1 " + MESSAGE + " " + GatewayCode.ENGINE_UNREACHABLE.value()), link.take());
        gone.lose();
        bench.turns(2);
        bench.engine.resume();
        bench.turns(3);
        assertEquals(List.of("template 40"), link.take());
        link.message(1, "y");
        assertTrue(bench.engine.log.contains("send 1 7 y"));
        assertFalse(bench.engine.seatByRoomAndPlayerMap.get("1/8").isPresentThere, "its player is not there");
    }

    @Test
    void shouldCloseEverybodyWhenTheEngineStartedAgain()
    {
        final FakeLink link = bench.seated(7, 1);
        final FakeLink detached = bench.seated(8, 1);
        detached.lose();
        bench.turns(2);
        bench.engine.disconnect(0);
        bench.engine.restart();
        bench.pass(6 * SECOND);
        assertEquals(CloseCode.ENGINE_LOST, link.closed);
        assertEquals(0, bench.sessions.sessions());
        assertEquals(0, bench.sessions.connections().size());
        final FakeLink next = bench.seated(7, 1);
        assertNull(next.closed);
    }

    @Test
    void shouldSendPlayersAwayFromAnEngineThatStops()
    {
        final FakeLink link = bench.seated(7, 1);
        bench.engine.disconnect(TrunkCode.ENGINE_STOPPING.value());
        assertEquals(List.of("goAway STOPPING", "template 39"), link.take());
        bench.pass(6 * SECOND);
        assertEquals(CloseCode.STOPPING, link.closed);
    }

    @Test
    void shouldDrain()
    {
        final FakeLink link = bench.seated(7, 1);
        bench.sessions.drain(SECOND);
        assertEquals(List.of("goAway GOING_AWAY"), link.take());
        bench.pass(2 * SECOND);
        assertEquals(CloseCode.GOING_AWAY, link.closed);
        assertFalse(bench.engine.seatByRoomAndPlayerMap.get("1/7").isPresentThere, "held for the player");
        final FakeLink late = new FakeLink().open(bench.sessions, "10.0.0.1");
        late.hello(FakeLink.NO_TOKEN);
        assertEquals(CloseCode.GOING_AWAY, late.closed);
    }

    @Test
    void shouldPassOnSeatsThatMovedOrLostAnEvent()
    {
        final FakeLink link = bench.seated(7, 1);
        final FakeEngine.FakeSeat seat = bench.engine.seatByRoomAndPlayerMap.get("1/7");
        seat.isPresentHere = false;
        seat.isPresentThere = false;
        bench.sessions.onSeatAway(seat, 2);
        assertEquals(List.of("away 1 2"), link.take());
        link.join(4, 1);
        bench.turns(3);
        assertEquals(List.of("joined 4 1 7 return"), link.take());
        seat.isPresentHere = false;
        bench.sessions.onSeatAway(seat, 1);
        assertEquals(List.of("away 1 1"), link.take());
        assertEquals(0, link.connection.session().places.size());
    }

    @Test
    void shouldNotComeBackToARoomThatThePlayerIsLeaving()
    {
        final FakeLink link = bench.seated(7, 1);
        link.leave(1);
        bench.turn();
        link.lose();
        final FakeLink back = bench.resume(link.token);
        back.take();
        bench.turns(3);
        assertEquals(List.of("left 1 0"), back.take());
        assertEquals(0, back.connection.session().places.size());
        assertFalse(bench.engine.seatByRoomAndPlayerMap.containsKey("1/7"));
    }

    @Test
    void shouldComeBackToARoomWhoseLeaveWasRefused()
    {
        final FakeLink link = bench.seated(7, 1);
        bench.engine.isBlocked = true;
        link.leave(1);
        bench.turn();
        link.lose();
        final FakeLink back = bench.resume(link.token);
        back.take();
        final FakeEngine.FakeSeat seat = bench.engine.seatByRoomAndPlayerMap.get("1/7");
        bench.sessions.onRefused(LeaveDecoder.TEMPLATE_ID, 1, seat.index(), 0, TrunkCode.RATE_LIMITED.value());
        assertEquals(List.of("refused 1 0 " + LEAVE + " " + TrunkCode.RATE_LIMITED.value()), back.take());
        assertEquals(Place.State.JOINING, back.connection.session().placeIn(1).state);
    }

    @Test
    void shouldJoinAgainWhenItsSeatIsFreedBeforeItsReturnIsSent()
    {
        final FakeLink link = bench.seated(7, 1);
        bench.engine.isBlocked = true;
        link.lose();
        final FakeLink back = bench.resume(link.token);
        back.take();
        bench.engine.free(bench.engine.seatByRoomAndPlayerMap.get("1/7"), 1);
        bench.engine.isBlocked = false;
        bench.turns(3);
        assertEquals(List.of("joined 0 1 7"), back.take());
        assertFalse(bench.engine.log.contains("away 1 7"), bench.engine.log.toString());
    }

    @Test
    void shouldTellAReturningPlayerThatItsReturnHadNoAnswer()
    {
        final FakeLink back = returning();
        bench.engine.disconnect(0);
        back.lose();
        bench.pass(11 * SECOND);
        final FakeLink last = bench.resume(back.token);
        assertEquals(List.of("welcome resumed", "template 39", "left 1 2"), last.take());
    }

    /** The trunk would repeat it, and the engine give the player a seat in a session that has none. */
    @Test
    void shouldWithdrawAReturnThatHadNoAnswer()
    {
        final FakeLink back = returning();
        bench.engine.answers.clear();
        back.take();
        bench.pass(11 * SECOND);
        assertEquals(List.of("left 1 2"), back.take());
        assertTrue(bench.engine.log.contains("cancel 1 7"), bench.engine.log.toString());
    }

    /** A player whose return to its seat was sent, and has no answer yet. */
    private FakeLink returning()
    {
        final FakeLink link = bench.seated(7, 1);
        link.lose();
        bench.turns(3);
        final FakeLink back = bench.resume(link.token);
        bench.turn();
        return back;
    }

    @Test
    void shouldRepeatALeaveThatIsLostWithTheTrunk()
    {
        final FakeLink link = bench.seated(7, 1);
        link.leave(1, 3);
        bench.turn();
        bench.engine.disconnect(0);
        bench.engine.resume();
        bench.turns(3);
        assertEquals(List.of("template 39", "template 40", "left 1 0 3"), link.take());
    }

    @Test
    void shouldReturnToASeatWhoseLeaveIsLostWithTheTrunk()
    {
        final FakeLink link = bench.seated(7, 1);
        link.leave(1);
        bench.turn();
        link.lose();
        final FakeLink back = bench.resume(link.token);
        bench.sessions.endTurn();
        back.take();
        bench.engine.disconnect(0);
        bench.engine.seatByRoomAndPlayerMap.get("1/7").isPresentThere = false;
        bench.engine.resume();
        bench.turns(3);
        assertEquals(List.of("refused 1 0 " + LEAVE + " " + GatewayCode.ENGINE_UNREACHABLE.value(), "template 39",
            "template 40", "joined 0 1 7 return"), back.take());
    }

    @Test
    void shouldNotResumeASessionWhoseEngineIsLost()
    {
        final FakeLink link = bench.seated(7, 1);
        bench.engine.disconnect(0);
        bench.engine.restart();
        final FakeLink next = bench.resume(link.token);
        assertEquals(CloseCode.ENGINE_LOST, link.closed);
        assertEquals(List.of("welcome new"), next.take());
        assertEquals(1, bench.sessions.sessions());
    }

    @Test
    void shouldIgnoreTheRefusalOfAJoinThatWasAnswered()
    {
        final FakeLink link = bench.seated(7, 1);
        final long requestId = link.connection.session().placeIn(1).trunkRequestId;
        bench.sessions.onRefused(io.escapement.codecs.trunk.JoinDecoder.TEMPLATE_ID, 1, -1, requestId,
            RefusalCode.ALREADY_JOINED.value());
        assertEquals(List.of(), link.take());
        assertEquals(Place.State.SEATED, link.connection.session().placeIn(1).state);
    }

    @Test
    void shouldJoinOnceMoreWhenTheLastSeatCameBackWithTheTrunk()
    {
        final FakeLink link = bench.player(7);
        link.join(5, 1);
        bench.sessions.endTurn();
        bench.sessions.onRefused(io.escapement.codecs.trunk.JoinDecoder.TEMPLATE_ID, 1, -1,
            link.connection.session().placeIn(1).trunkRequestId, RefusalCode.ALREADY_JOINED.value());
        bench.engine.answers.clear();
        bench.turns(3);
        assertEquals(List.of("joined 5 1 7"), link.take());
        assertEquals(List.of("logIn 7", "join 1 7", "join 1 7"), bench.engine.log);
    }

    @Test
    void shouldForgetASeatWhoseIndexAnotherPlayerHas()
    {
        final FakeLink gone = bench.seated(7, 1);
        final FakeEngine.FakeSeat seat = bench.engine.seatByRoomAndPlayerMap.get("1/7");
        bench.engine.disconnect(0);
        bench.engine.seatByRoomAndPlayerMap.remove("1/7");
        bench.engine.resume();
        bench.engine.nextIndex = seat.index();
        bench.seated(8, 1);
        gone.lose();
        bench.pass(45 * SECOND);
        assertEquals(1, bench.counters.seats());
    }

    @Test
    void shouldGiveUpAJoinThatCannotBeSent()
    {
        final FakeLink link = bench.player(7);
        bench.engine.isAttached = false;
        link.join(4, 1);
        bench.pass(SECOND);
        assertEquals(List.of(), link.take(), "the stream of a loop takes a while");
        bench.pass(10 * SECOND);
        assertEquals(List.of("refused 1 4 " + JOIN + " " + GatewayCode.ENGINE_UNREACHABLE.value()), link.take());
    }

    @Test
    void shouldQueueLogInsAndGiveUpLateOnes()
    {
        bench.engine.answersLogIns = false;
        final FakeLink link = bench.greeted();
        link.logIn(1, "7");
        bench.pass(11 * SECOND);
        assertEquals(List.of("loggedIn 1 " + GatewayCode.TRY_LATER.value() + " 0"), link.take());
        bench.engine.answersLogIns = true;
        link.logIn(2, "7");
        bench.turns(3);
        assertEquals(List.of("loggedIn 2 0 7"), link.take());
    }
}
