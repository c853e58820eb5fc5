package io.escapement.rooms.host;

import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.config.ConfigException;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.log.LogFile;
import io.escapement.rooms.output.ByteSink;
import io.escapement.rooms.replay.RoomCut;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Joins that wait for the decision of their room, in every state and under every command. */
class WaitingJoinTest
{
    private static final long TIMEOUT_NS = 2_000_000_000;
    private static final long RESERVED_NS = 1_000_000_000;
    private static final long TICK_NS = 2L << 20;

    private final List<String> events = new ArrayList<>();
    private final UnsafeBuffer data = new UnsafeBuffer(new byte[128]);
    private HostRig rig = new HostRig(type(2, 2)).withLinks(4);
    private int dataLength;

    private RoomType type(final int seats, final int joins)
    {
        return RoomType.of(1, "asking", 1, () -> new AskingRoom(events)).seats(seats).joinRequests(joins)
            .joinTimeoutNs(TIMEOUT_NS).graceNs(5_000_000_000L);
    }

    @Test
    void shouldHoldTheLastSeatUntilTheRoomAdmits()
    {
        rig = new HostRig(type(1, 2)).withLinks(4);
        assertEquals(0, rig.join(7, 0));
        assertEvents("request 1 of 7 at 10");
        assertLinks();
        assertEquals(1, rig.host.seatsOccupied(HostRig.ROOM));
        assertEquals(RefusalCode.ROOM_FULL.value(), rig.join(8, 1));
        assertLinks("1: refused 108 ROOM_FULL");
        tell('a', 1);
        assertLinks("0: joined 107 0/1");
        assertEvents("join 7, 0 wait, 0 kept");
        assertEquals(0, rig.message(HostRig.ROOM, 0, 1, 0, 8));
        tell('a', 1);
        tell('r', 1);
        assertEvents("no effect", "no effect");
        assertLinks();
        rig.assertReplays();
    }

    @Test
    void shouldGiveThePlayerBytesWithItsSeat()
    {
        rig.join(7, 0);
        tell('b', 1);
        assertLinks("0: joined 107 0/1 welcome");
        join(8, 1, "b at once");
        assertLinks("1: joined 108 1/1  at once");
        // The answer is of that request only.
        rig.command(rig.encoder.leave(rig.buffer, 0, HostRig.ROOM, 0, 1, 0));
        rig.toLinks();
        join(9, 2, "a");
        assertLinks("2: joined 109 0/2");
        rig.command(rig.encoder.seatDown(rig.buffer, 0, HostRig.ROOM, 1, 1, 1));
        rig.join(8, 1);
        assertLinks("1: joined 108 1/1");
        rig.assertReplays();
    }

    @Test
    void shouldRefuseWithACode()
    {
        rig.join(7, 0);
        tell('r', 1);
        assertLinks("0: refused 107 APPLICATION_1500");
        assertEvents("request 1 of 7 at 10");
        assertEquals(0, rig.host.seatsOccupied(HostRig.ROOM));
        assertEquals(1, rig.host.refusals(AskingRoom.REFUSED));
        assertEquals(AskingRoom.REFUSED, join(8, 1, "refuse"));
        rig.join(7, 0);
        tell('a', 3);
        assertEvents("request 2 of 8 at 11", "request 3 of 7 at 10", "join 7, 0 wait, 0 kept");
        rig.assertReplays();
    }

    @Test
    void shouldDecideSeveralInTheOrderOfTheirRequests()
    {
        rig = new HostRig(type(4, 3)).withLinks(4);
        rig.join(7, 0);
        rig.join(8, 1);
        rig.join(9, 2);
        events.clear();
        tell('b', 3, 'r', 2, 'a', 1, 'a', 2);
        assertLinks("0: joined 107 0/1", "1: refused 108 APPLICATION_1500", "2: joined 109 2/1 welcome");
        assertEvents("no effect", "join 7, 2 wait, 2 kept", "join 9, 0 wait, 0 kept");
        rig.assertReplays();
    }

    @Test
    void shouldRefuseBeforeItAsksWhenAsManyWaitAsTheTypeAllows()
    {
        rig = new HostRig(type(8, 2)).withLinks(4);
        rig.join(7, 0);
        rig.join(8, 0);
        events.clear();
        final long state = rig.host.stateHash(HostRig.ROOM);
        assertEquals(RefusalCode.JOIN_LIMIT.value(), rig.join(9, 1));
        assertEquals(RefusalCode.JOIN_LIMIT.value(), join(9, 1, "a"));
        assertEvents();
        assertLinks("1: refused 109 JOIN_LIMIT", "1: refused 109 JOIN_LIMIT");
        assertEquals(state, rig.host.stateHash(HostRig.ROOM));
        tell('r', 1);
        assertEquals(0, rig.join(9, 1));
        assertEvents("request 3 of 9 at 11");
        rig.assertReplays();
    }

    @Test
    void shouldEndAJoinThatTheRoomDoesNotDecideInTime()
    {
        rig.join(7, 0);
        rig.pass(TIMEOUT_NS - 2);
        assertLinks();
        rig.pass(TICK_NS);
        assertLinks("0: refused 107 JOIN_TIMEOUT");
        assertEvents("request 1 of 7 at 10", "ended 1 of 7 JOIN_TIMEOUT");
        assertEquals(0, rig.host.seatsOccupied(HostRig.ROOM));
        tell('a', 1);
        assertEvents("no effect");
        rig.assertReplays();
    }

    @Test
    void shouldRefuseASecondJoinThroughTheSameLink()
    {
        rig.join(7, 0);
        assertEquals(RefusalCode.JOIN_WAITS.value(), rig.join(7, 0));
        tell('a', 1);
        assertLinks("0: refused 107 JOIN_WAITS", "0: joined 107 0/1");
        assertEquals(RefusalCode.ALREADY_JOINED.value(), rig.join(7, 0));
        rig.assertReplays();
    }

    @Test
    void shouldReplaceAJoinByOneThroughAnotherLink()
    {
        rig = new HostRig(type(1, 1)).withLinks(4);
        rig.join(7, 0);
        assertEquals(0, rig.join(7, 1));
        assertLinks("0: refused 107 JOIN_CANCELLED");
        assertEvents("request 1 of 7 at 10", "ended 1 of 7 JOIN_CANCELLED", "request 2 of 7 at 11");
        tell('a', 1);
        assertEvents("no effect");
        tell('a', 2);
        assertLinks("1: joined 107 0/2");
        rig.assertReplays();
    }

    /** As after the loss of its first link: the lock is for new players. */
    @Test
    void shouldNotReplaceAJoinInALockedRoom()
    {
        rig.join(7, 0);
        tell('l', 1);
        assertEquals(RefusalCode.ROOM_LOCKED.value(), rig.join(7, 1));
        assertLinks("0: refused 107 JOIN_CANCELLED", "1: refused 107 ROOM_LOCKED");
        assertEquals(0, rig.host.seatsOccupied(HostRig.ROOM));
        rig.assertReplays();
    }

    @Test
    void shouldEndWithItsLink()
    {
        rig.join(7, 0);
        rig.join(8, 1);
        events.clear();
        rig.command(rig.encoder.linkDown(rig.buffer, 0, 0));
        assertLinks();
        assertEvents("ended 1 of 7 UNKNOWN_LINK");
        assertEquals(1, rig.host.seatsOccupied(HostRig.ROOM));
        // A trunk that is resumed sends the join again.
        assertEquals(0, rig.command(rig.encoder.linkResumed(rig.buffer, 0, 10, 0, 0)));
        assertLinks();
        tell('a', 1);
        assertEvents("no effect");
        assertEquals(0, rig.join(7, 0));
        tell('a', 3, 'a', 2);
        assertLinks("1: joined 108 1/1", "0: joined 107 0/2");
        rig.assertReplays();
    }

    @Test
    void shouldEndAllWithTheLastIncarnation()
    {
        rig.join(7, 0);
        rig.join(8, 1);
        events.clear();
        rig.command(rig.encoder.hostResumed(rig.buffer, 0, 5, 1, 0));
        assertEvents("ended 1 of 7 UNKNOWN_LINK", "ended 2 of 8 UNKNOWN_LINK");
        assertEquals(0, rig.host.seatsOccupied(HostRig.ROOM));
        rig.assertReplays();
    }

    @Test
    void shouldEndWhenThePlayerWithdraws()
    {
        rig.join(7, 0);
        events.clear();
        assertEquals(RefusalCode.NOT_JOINED.value(), cancel(7, 107, 1));
        assertEquals(RefusalCode.NOT_JOINED.value(), cancel(7, 106, 0));
        assertEquals(RefusalCode.NOT_JOINED.value(), cancel(8, 107, 0));
        assertLinks("1: refused 107 NOT_JOINED", "0: refused 106 NOT_JOINED", "0: refused 107 NOT_JOINED");
        assertEvents();
        assertEquals(0, cancel(7, 107, 0));
        assertLinks("0: refused 107 JOIN_CANCELLED");
        assertEvents("ended 1 of 7 JOIN_CANCELLED");
        assertEquals(RefusalCode.NOT_JOINED.value(), cancel(7, 107, 0));
        rig.join(7, 0);
        tell('a', 2);
        rig.toLinks();
        // It crossed the decision.
        assertEquals(RefusalCode.NOT_JOINED.value(), cancel(7, 107, 0));
        assertLinks("0: refused 107 NOT_JOINED");
        assertEquals(RefusalCode.UNKNOWN_ROOM.value(),
            rig.command(rig.encoder.cancelJoin(rig.buffer, 0, 5, 7, 107, 0)));
        rig.assertReplays();
    }

    @Test
    void shouldOutliveLocks()
    {
        rig.join(7, 0);
        tell('l', 1);
        rig.command(rig.encoder.lockRoom(rig.buffer, 0, HostRig.ROOM, true));
        rig.command(rig.encoder.lockType(rig.buffer, 0, 1, true));
        assertEquals(RefusalCode.ROOM_LOCKED.value(), rig.join(8, 1));
        tell('a', 1);
        assertLinks("1: refused 108 ROOM_LOCKED", "0: joined 107 0/1");
        rig.assertReplays();
    }

    @Test
    void shouldBeRefusedWhenTheRoomCloses()
    {
        rig.join(7, 0);
        rig.command(rig.encoder.closeRoom(rig.buffer, 0, HostRig.ROOM));
        assertLinks("0: refused 107 UNKNOWN_ROOM");
        assertEvents("request 1 of 7 at 10", "close BY_COMMAND");
        rig.assertReplays();
    }

    @Test
    void shouldBeRefusedWithTheCodeOfTheClose()
    {
        rig = new HostRig(type(4, 3)).withLinks(4);
        rig.join(7, 0);
        rig.join(8, 1);
        rig.join(9, 2);
        events.clear();
        tell('a', 1, 'r', 2, 'x', 0);
        assertLinks("0: refused 107 APPLICATION_2000", "1: refused 108 APPLICATION_1500",
            "2: refused 109 APPLICATION_2000");
        assertEvents("close BY_LOGIC");
        rig.assertReplays();
    }

    @Test
    void shouldBeRefusedWhenTheRequestClosesTheRoom()
    {
        rig.join(7, 0);
        assertEquals(RefusalCode.UNKNOWN_ROOM.value(), join(8, 1, "x"));
        assertLinks("0: refused 107 UNKNOWN_ROOM", "1: refused 108 UNKNOWN_ROOM");
        rig.assertReplays();
    }

    @Test
    void shouldBeRefusedWhenTheRoomFails()
    {
        rig.join(7, 0);
        join(8, 1, "a");
        rig.toLinks();
        tell('a', 1, 'c', 1);
        assertLinks("0: refused 107 ROOM_FAILED", "1: left 1/1 ROOM_FAILED 0");
        assertEquals(1, rig.events.faults.size());
        rig.assertReplays();
    }

    @Test
    void shouldBeRefusedWhenTheHostDrainsBeforeTheRoomIsAsked()
    {
        rig.join(7, 0);
        rig.join(8, 1);
        events.clear();
        rig.command(rig.encoder.drain(rig.buffer, 0, 1_000_000_000));
        assertEvents("ended 1 of 7 DRAINING", "ended 2 of 8 DRAINING", "drain");
        assertLinks("0: refused 107 DRAINING", "1: refused 108 DRAINING");
        assertEquals(RefusalCode.DRAINING.value(), rig.join(9, 0));
        rig.assertReplays();
    }

    @Test
    void shouldGoOnInARestoredHost()
    {
        final RoomType type = type(2, 2);
        rig = new HostRig(type).withLinks(4);
        rig.join(7, 0);
        rig.command(rig.encoder.reserve(rig.buffer, 0, HostRig.ROOM, 8, RESERVED_NS, 0, 0));
        rig.join(8, 1);
        final long alone = rig.host.stateHash(HostRig.ROOM);
        rig.restore();
        assertEquals(alone, rig.host.stateHash(HostRig.ROOM));
        rig.toLinks();
        events.clear();
        assertEquals(RefusalCode.ROOM_FULL.value(), rig.join(9, 2));
        rig.toLinks();
        tell('b', 1);
        assertLinks("0: joined 107 0/1 welcome");
        rig.restore();
        rig.pass(TIMEOUT_NS + TICK_NS);
        assertLinks("1: refused 108 JOIN_TIMEOUT");
        assertEquals(1, rig.host.seatsOccupied(HostRig.ROOM));
    }

    @Test
    void shouldBePartOfTheHash()
    {
        final long empty = rig.host.stateHash(HostRig.ROOM);
        rig.join(7, 0);
        final long waiting = rig.host.stateHash(HostRig.ROOM);
        assertNotEquals(empty, waiting);
        rig.command(rig.encoder.reserve(rig.buffer, 0, HostRig.ROOM, 7, RESERVED_NS, 0, 0));
        assertNotEquals(waiting, rig.host.stateHash(HostRig.ROOM));
        rig.command(rig.encoder.reserve(rig.buffer, 0, HostRig.ROOM, 7, RoomCommands.RELEASE, 0, 0));
        assertEquals(waiting, rig.host.stateHash(HostRig.ROOM));
    }

    /** A client has not received the seat that its join holds, but may guess it. */
    @Test
    void shouldHaveNoSeatForThePlayerYet()
    {
        rig.join(7, 0);
        final int stale = RefusalCode.STALE_SEAT.value();
        assertEquals(stale, rig.message(HostRig.ROOM, 0, 1, 0, 8));
        assertEquals(stale, rig.command(rig.encoder.leave(rig.buffer, 0, HostRig.ROOM, 0, 1, 0)));
        assertEquals(stale, rig.command(rig.encoder.seatDown(rig.buffer, 0, HostRig.ROOM, 0, 1, 0)));
        assertEquals(stale, rig.command(rig.encoder.stateLost(rig.buffer, 0, HostRig.ROOM, 0, 1, 0)));
        assertEquals(stale, rig.command(rig.encoder.stateLost(rig.buffer, 0, HostRig.ROOM, 0, 1)));
        assertEquals(RefusalCode.NOT_JOINED.value(), rig.command(rig.encoder.kick(rig.buffer, 0, HostRig.ROOM, 7)));
        assertEquals(0, rig.command(rig.encoder.linkStateLost(rig.buffer, 0, 0)));
        rig.toLinks();
        tell('a', 1);
        assertLinks("0: joined 107 0/1");
        rig.assertReplays();
    }

    @Test
    void shouldKeepAReservationThatThePlayerHas()
    {
        assertEquals(0, rig.command(rig.encoder.reserve(rig.buffer, 0, HostRig.ROOM, 7, RESERVED_NS, 0, 0)));
        rig.join(7, 0);
        tell('r', 1);
        assertEquals(1, rig.host.seatsOccupied(HostRig.ROOM));
        rig.join(7, 0);
        tell('a', 2);
        assertLinks("0: refused 107 APPLICATION_1500", "0: joined 107 0/1");
        rig.assertReplays();
    }

    @Test
    void shouldLetAReservationEndWhileTheJoinWaits()
    {
        assertEquals(0, rig.command(rig.encoder.reserve(rig.buffer, 0, HostRig.ROOM, 7, RESERVED_NS, 0, 0)));
        rig.join(7, 0);
        rig.pass(RESERVED_NS + TICK_NS);
        assertEquals(1, rig.host.seatsOccupied(HostRig.ROOM));
        tell('r', 1);
        assertEquals(0, rig.host.seatsOccupied(HostRig.ROOM));
        rig.assertReplays();
    }

    @Test
    void shouldReserveAndReleaseBeneathTheJoin()
    {
        rig.join(7, 0);
        tell('f', 7, 'v', 7);
        assertEvents("request 1 of 7 at 10", "no effect", "reserve NONE");
        tell('r', 1);
        assertEquals(1, rig.host.seatsOccupied(HostRig.ROOM));
        rig.pass(RESERVED_NS + TICK_NS);
        assertEquals(0, rig.host.seatsOccupied(HostRig.ROOM));
        rig.join(7, 0);
        tell('v', 7, 'f', 7, 'r', 2);
        assertEvents("request 2 of 7 at 10", "reserve NONE");
        assertEquals(0, rig.host.seatsOccupied(HostRig.ROOM));
        rig.assertReplays();
    }

    @Test
    void shouldRefuseAJoinWhoseSeatItsRequestGaveAway()
    {
        rig = new HostRig(type(1, 1)).withLinks(4);
        assertEquals(RefusalCode.ROOM_FULL.value(), join(7, 0, "s"));
        assertEvents("request 1 of 7 at 10", "ended 1 of 7 ROOM_FULL");
        assertLinks("0: refused 107 ROOM_FULL");
        rig.assertReplays();
    }

    @Test
    void shouldCarryOutKicksBeforeTheNextDecision()
    {
        rig = new HostRig(type(4, 3)).withLinks(4);
        join(6, 3, "a");
        rig.join(7, 0);
        events.clear();
        tell('a', 2, 'k', 6);
        assertEvents("leave 6 KICKED 0", "join 7, 0 wait, 0 kept");
        rig.assertReplays();
    }

    @Test
    void shouldCarryOutDecisionsOfACallbackThatThrewInARoomThatGoesOn()
    {
        rig.join(7, 0);
        assertEquals(RefusalCode.ROOM_FAILED.value(), join(8, 1, "t"));
        tell('a', 1, 't', 0);
        assertLinks("1: refused 108 ROOM_FAILED", "0: joined 107 0/1");
        assertEquals(2, rig.events.faults.size());
        rig.assertReplays();
    }

    @ParameterizedTest
    @CsvSource({"o, a join request was used after its onJoinRequest", "c, a refusal's code must be 1 to 65535: 0",
        "m, an answer must have 0 to 512 bytes: 513"})
    void shouldFailARoomThatMisusesItsJoins(final char what, final String message)
    {
        rig.join(7, 0);
        tell(what, 1);
        assertEquals(1, rig.events.faults.size());
        assertTrue(rig.events.faults.get(0).contains(message), rig.events.faults.get(0));
        assertLinks("0: refused 107 ROOM_FAILED");
        rig.assertReplays();
    }

    @Test
    void shouldFailARoomThatLetsAJoinWaitWithoutTheOption()
    {
        rig = new HostRig(type(2, 0)).withLinks(4);
        assertEquals(0, join(6, 0, "a"));
        assertEvents("request 0 of 6 at 10", "join 6, 0 wait, 0 kept");
        rig.join(7, 0);
        assertEquals(1, rig.events.faults.size());
        assertTrue(rig.events.faults.get(0).contains("set RoomType.joinRequests"), rig.events.faults.get(0));
        rig.assertReplays();
        rig = new HostRig(type(2, 1)).withLinks(4);
        join(7, 0, "n");
        assertTrue(rig.events.faults.get(0).contains("ACCEPT, LATER or a refusal"), rig.events.faults.get(0));
    }

    @Test
    void shouldAskAServiceWhoseAnswersMayComeInAnyOrder()
    {
        join(7, 0, "q");
        join(8, 1, "q");
        rig.command(rig.encoder.reply(rig.buffer, 0, HostRig.ROOM, 2, 3, data, 0, 0));
        rig.command(rig.encoder.reply(rig.buffer, 0, HostRig.ROOM, 1, 0, AskingRoom.WELCOME, 0, 7));
        assertLinks("1: refused 108 APPLICATION_1503", "0: joined 107 0/1 welcome");
        join(9, 1, "q");
        rig.command(rig.encoder.linkDown(rig.buffer, 0, 1));
        events.clear();
        rig.command(rig.encoder.reply(rig.buffer, 0, HostRig.ROOM, 3, 0, AskingRoom.WELCOME, 0, 7));
        assertEvents("no effect");
        rig.assertReplays();
    }

    @Test
    void shouldNotCloseARoomAsEmptyWhileAJoinWaits()
    {
        rig = new HostRig(type(2, 2).closeWhenEmptyNs(RESERVED_NS)).withLinks(4);
        rig.join(7, 0);
        rig.pass(RESERVED_NS + TICK_NS);
        assertEvents("request 1 of 7 at 10");
        rig.pass(RESERVED_NS + TICK_NS);
        assertEvents("ended 1 of 7 JOIN_TIMEOUT");
        rig.pass(RESERVED_NS + TICK_NS);
        assertEvents("close EMPTY");
        rig.assertReplays();
    }

    @Test
    void shouldRunInTheReplayOfOneRoom()
    {
        rig.join(7, 0);
        rig.join(8, 1);
        rig.command(rig.encoder.openRoom(rig.buffer, 0, 2, 1, 0, 0, 1, rig.buffer, 0, 0));
        cancel(7, 107, 0);
        rig.command(rig.encoder.linkDown(rig.buffer, 0, 1));
        rig.join(7, 0);
        rig.pass(TIMEOUT_NS + TICK_NS);
        rig.recorded.logStateHash();
        final RoomCut cut = new RoomCut(LogFile.openUnfinished(rig.log.buffer(), 0, rig.log.length()),
            HostRig.ROOM, rig::context, new ByteSink()).run();
        assertTrue(cut.isSame(), cut::difference);
        assertEquals(rig.host.stateHash(HostRig.ROOM), cut.stateHash());
    }

    @Test
    void shouldHaveBoundsThatAreNamed()
    {
        assertEquals("joinRequests", assertThrows(ConfigException.class, () -> type(1, -1)).option());
        assertEquals("joinRequests",
            assertThrows(ConfigException.class, () -> type(1, RoomType.MAX_JOIN_REQUESTS + 1)).option());
        assertEquals("joinTimeoutNs",
            assertThrows(ConfigException.class, () -> type(1, 1).joinTimeoutNs(0)).option());
        final RoomType plain = type(1, 0);
        assertEquals(plain.settingsHash(), type(1, 0).joinTimeoutNs(1).settingsHash());
        assertNotEquals(plain.settingsHash(), type(1, 1).settingsHash());
        assertNotEquals(type(1, 1).settingsHash(), type(1, 1).joinTimeoutNs(1).settingsHash());
        assertFalse(type(1, 1).settingsHash() == type(1, 2).settingsHash());
    }

    private int join(final long player, final int link, final String args)
    {
        data.putStringWithoutLengthAscii(0, args);
        return rig.command(rig.encoder.join(
            rig.buffer, 0, HostRig.ROOM, player, 100 + player, link, data, 0, args.length()));
    }

    private int cancel(final long player, final long requestId, final int link)
    {
        return rig.command(rig.encoder.cancelJoin(rig.buffer, 0, HostRig.ROOM, player, requestId, link));
    }

    /** A signal of pairs of a character and a number. */
    private void tell(final Object... pairs)
    {
        dataLength = 0;
        for (int i = 0; i < pairs.length; i += 2)
        {
            data.putByte(dataLength, (byte)(char)(Character)pairs[i]);
            data.putLong(dataLength + 1, ((Number)pairs[i + 1]).longValue());
            dataLength += 9;
        }
        rig.command(rig.encoder.signal(rig.buffer, 0, HostRig.ROOM, 0, 0, data, 0, dataLength));
    }

    private void assertEvents(final String... expected)
    {
        assertEquals(List.of(expected), HostRig.take(events));
    }

    private void assertLinks(final String... expected)
    {
        assertEquals(List.of(expected), rig.toLinks());
    }
}
