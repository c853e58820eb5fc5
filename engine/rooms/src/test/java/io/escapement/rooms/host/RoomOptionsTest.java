package io.escapement.rooms.host;

import io.escapement.codecs.room.RefusalCode;
import io.escapement.rooms.CloseReason;
import io.escapement.rooms.LeaveReason;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateReader;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The close of an empty room, codes of the application, the hook for errors, data of seats, reservations at once. */
class RoomOptionsTest
{
    private static final long SECOND_NS = 1_000_000_000L;
    private static final long TICK_NS = 1L << 20;
    private static final int CODE = RoomLogic.FIRST_APPLICATION_CODE + 5;

    private final List<String> calls = new ArrayList<>();
    /** The room does these, one in each message or signal; the room of a replay does them again. */
    private final List<Action> actions = new ArrayList<>();
    private final List<Action> done = new ArrayList<>();
    private final List<Consumer<Room>> joinActions = new ArrayList<>();
    private final List<Consumer<Room>> joinsDone = new ArrayList<>();
    private RoomLogic.AfterError afterError = RoomLogic.AfterError.CLOSE;

    @FunctionalInterface
    private interface Action
    {
        void run(Room room, Seat from);
    }

    @Test
    void shouldCloseARoomThatHadNobodyForItsDelay()
    {
        final HostRig rig = new HostRig(type().closeWhenEmptyNs(SECOND_NS).graceNs(SECOND_NS / 2)).withLinks(4);
        rig.pass(SECOND_NS / 2);
        assertEquals(0, rig.join(7, 0));
        rig.pass(3 * SECOND_NS);
        assertEquals(1, rig.host.openRooms(), "a player is here");

        // A player who is away is somebody, until the grace is over.
        rig.command(rig.encoder.linkDown(rig.buffer, 0, 0));
        rig.pass(SECOND_NS / 2 + TICK_NS);
        rig.pass(SECOND_NS / 2);
        assertEquals(1, rig.host.openRooms());

        rig.command(rig.encoder.reserve(rig.buffer, 0, HostRig.ROOM, 8, SECOND_NS, 0, 0));
        rig.pass(SECOND_NS - TICK_NS);
        assertEquals(1, rig.host.openRooms(), "a seat is reserved");
        rig.pass(2 * TICK_NS);
        rig.pass(SECOND_NS - 2 * TICK_NS);
        assertEquals(1, rig.host.openRooms(), "the time began again");
        rig.pass(3 * TICK_NS);
        assertEquals(0, rig.host.openRooms());
        assertEquals("close EMPTY", calls.get(calls.size() - 1));
        assertEquals(0, rig.host.pendingTimers());
        rig.assertReplays();
    }

    @Test
    void shouldCloseAnEmptyRoomOnTimeAfterARestore()
    {
        final HostRig rig = new HostRig(type().closeWhenEmptyNs(SECOND_NS)).withLinks(4);
        rig.pass(SECOND_NS - TICK_NS);
        rig.restore();
        assertEquals(1, rig.host.openRooms());
        rig.pass(3 * TICK_NS);
        assertEquals(0, rig.host.openRooms());
    }

    @Test
    void shouldKeepAnEmptyRoomOpenWithoutTheOption()
    {
        final HostRig rig = new HostRig(type()).withLinks(4);
        rig.join(7, 0);
        rig.command(rig.encoder.leave(rig.buffer, 0, HostRig.ROOM, 0, 1, 0));
        rig.pass(1_000 * SECOND_NS);
        assertEquals(1, rig.host.openRooms());
    }

    @Test
    void shouldSendTheCodesOfTheApplication()
    {
        final HostRig rig = new HostRig(type()).withLinks(4);
        for (int player = 0; player < 4; player++)
        {
            rig.join(player, player);
        }
        rig.toLinks();
        calls.clear();
        rig.command(rig.encoder.leave(rig.buffer, 0, HostRig.ROOM, 0, 1, 0, 9));
        rig.command(rig.encoder.kick(rig.buffer, 0, HostRig.ROOM, 1));
        next((room, from) ->
        {
            room.kick(room.seatOf(2), CODE);
            assertThrows(IllegalArgumentException.class, () -> room.kick(room.seatOf(2), 1));
            assertThrows(IllegalArgumentException.class, () -> room.close(65_535));
        });
        rig.signal(1);
        next((room, from) ->
        {
            room.close(CODE + 1);
            room.close();
        });
        rig.signal(1);
        assertEquals(List.of("0: left 0/1 LEFT 9", "1: left 1/1 KICKED 0", "2: left 2/1 KICKED " + CODE,
            "3: left 3/1 ROOM_CLOSED " + (CODE + 1)), rig.toLinks());
        assertEquals(List.of("leave 0 LEFT 9", "leave 1 KICKED 0", "leave 2 KICKED " + CODE,
            "leave 3 ROOM_CLOSED " + (CODE + 1), "close BY_LOGIC"), calls);
        assertEquals(List.of(), rig.events.faults);
        repeat();
        rig.assertReplays();
    }

    @Test
    void shouldGoOnAfterAThrowWhenTheLogicDecidesSo()
    {
        final HostRig rig = new HostRig(type()).withLinks(4);
        rig.join(7, 0);
        rig.join(8, 1);
        calls.clear();
        rig.toLinks();
        afterError = RoomLogic.AfterError.CONTINUE;
        next(RoomOptionsTest::fail);
        rig.message(HostRig.ROOM, 0, 1, 0, 8);
        next(RoomOptionsTest::fail);
        rig.signal(1);
        assertEquals(List.of("error 7", "error null"), HostRig.take(calls));
        assertEquals(0, rig.message(HostRig.ROOM, 0, 1, 0, 8), "the seat goes on");

        afterError = RoomLogic.AfterError.KICK;
        next(RoomOptionsTest::fail);
        rig.message(HostRig.ROOM, 0, 1, 0, 8);
        assertEquals(List.of("error 7", "leave 7 KICKED 0"), HostRig.take(calls));
        assertEquals(List.of("0: left 0/1 KICKED 0"), rig.toLinks());
        assertEquals(1, rig.host.openRooms());

        next(RoomOptionsTest::fail);
        rig.signal(1);
        assertEquals(List.of("error null"), HostRig.take(calls));
        assertEquals(0, rig.host.openRooms(), "there is nobody to kick");
        assertEquals(3, rig.events.faults.stream().filter((text) -> text.startsWith("error at ")).count());
        assertTrue(rig.events.faults.get(3).startsWith("failed at "), rig.events.faults.toString());
    }

    @Test
    void shouldCloseARoomWhoseHookThrows()
    {
        final HostRig rig = new HostRig(type()).withLinks(4);
        afterError = null;
        next(RoomOptionsTest::fail);
        rig.signal(1);
        assertEquals(0, rig.host.openRooms());
        assertTrue(rig.events.faults.get(0).endsWith("onError"), rig.events.faults.toString());
    }

    @Test
    void shouldReplayARoomThatGoesOn()
    {
        final HostRig rig = new HostRig(type()).withLinks(4);
        afterError = RoomLogic.AfterError.CONTINUE;
        rig.join(7, 0);
        next(RoomOptionsTest::fail);
        rig.message(HostRig.ROOM, 0, 1, 0, 8);
        rig.message(HostRig.ROOM, 0, 1, 0, 8);
        repeat();
        rig.assertReplays();
    }

    @Test
    void shouldNotAskARoomThatThrewForAReasonOfTheMachine()
    {
        final HostRig rig = new HostRig(type()).withLinks(4);
        afterError = RoomLogic.AfterError.CONTINUE;
        next((room, from) -> overflow(1));
        rig.signal(1);
        assertFalse(calls.contains("error null"));
        assertEquals(0, rig.host.openRooms());
    }

    @Test
    void shouldClearTheDataOfASeatAndKeepItInASnapshot()
    {
        final HostRig rig = new HostRig(type().seatData(12)).withLinks(4);
        rig.join(7, 0);
        rig.join(8, 1);
        final long before = rig.host.stateHash();
        next((room, from) -> room.data(room.seatOf(7)).putLong(4, 77));
        rig.signal(1);
        assertNotEquals(before, rig.host.stateHash());
        rig.restore();
        next((room, from) ->
        {
            assertEquals(12, room.data(room.seatOf(8)).capacity());
            assertEquals(77, room.data(room.seatOf(7)).getLong(4));
            assertEquals(0, room.data(room.seatOf(8)).getLong(4));
            room.data(room.seatOf(8)).putInt(0, -1);
            assertEquals(77, room.data(room.seatOf(7)).getLong(4), "data of another seat");
        });
        rig.signal(1);

        rig.command(rig.encoder.leave(rig.buffer, 0, HostRig.ROOM, 0, 1, 0));
        assertTrue(calls.contains("data 77"), "data is there in onLeave: " + calls);
        for (int player = 20; player < 36; player++)
        {
            rig.join(player, 0);
        }
        next((room, from) ->
        {
            assertEquals(2, room.seat(0).generation());
            assertEquals(0, room.data(room.seat(0)).getLong(4));
        });
        rig.signal(1);
        assertEquals(List.of(), rig.events.faults);
    }

    @Test
    void shouldReserveAndReleaseAtOnce()
    {
        final HostRig rig = new HostRig(type().seats(3)).withLinks(4);
        rig.join(7, 0);
        next((room, from) ->
        {
            assertEquals(0, room.reserve(11, SECOND_NS));
            assertEquals(0, room.reserve(12, SECOND_NS));
            assertEquals(0, room.reserve(12, 2 * SECOND_NS), "again");
            assertEquals(RefusalCode.ROOM_FULL.value(), room.reserve(13, SECOND_NS));
            assertEquals(RefusalCode.ALREADY_JOINED.value(), room.reserve(7, SECOND_NS));
            assertEquals(2, room.seatsReserved());
            final Seat first = room.nextReserved(0);
            assertEquals(11, first.playerId());
            assertFalse(first.isPresent());
            assertEquals(12, room.nextReserved(first.index() + 1).playerId());
            assertNull(room.nextReserved(room.nextReserved(first.index() + 1).index() + 1));
            assertThrows(IllegalArgumentException.class, () -> room.kick(first), "it has no player");
            assertNull(room.seat(first.index()));
            assertTrue(room.release(11));
            assertFalse(room.release(11));
            assertFalse(room.release(7));
            assertEquals(1, room.seatsReserved());
        });
        rig.signal(1);
        assertEquals(List.of(), rig.events.faults);
        assertEquals(2, rig.host.seatsOccupied(HostRig.ROOM));
        rig.pass(SECOND_NS + TICK_NS);
        assertEquals(2, rig.host.seatsOccupied(HostRig.ROOM), "the second reservation lasts longer");

        assertEquals(0, rig.command(rig.encoder.reserve(rig.buffer, 0, HostRig.ROOM, 12, 0, 0, 0)), "a release");
        assertEquals(1, rig.host.seatsOccupied(HostRig.ROOM));
        assertEquals(RefusalCode.NOT_RESERVED.value(),
            rig.command(rig.encoder.reserve(rig.buffer, 0, HostRig.ROOM, 12, 0, 0, 0)));
        assertEquals(0, rig.host.pendingTimers());
        repeat();
        rig.assertReplays();
    }

    @Test
    void shouldSeatAPlayerAsTheRoomStandsAfterItsRequest()
    {
        final HostRig rig = new HostRig(type().seats(2)).withLinks(4);
        nextJoin((room) -> room.reserve(7, SECOND_NS));
        assertEquals(0, rig.join(7, 0));
        assertEquals(1, rig.host.seatsOccupied(HostRig.ROOM), "a seat of the player's own reservation");
        nextJoin((room) -> room.reserve(9, SECOND_NS));
        assertEquals(RefusalCode.ROOM_FULL.value(), rig.join(8, 0), "the last seat was given away");

        rig.command(rig.encoder.reserve(rig.buffer, 0, HostRig.ROOM, 9, 0, 0, 0));
        rig.command(rig.encoder.reserve(rig.buffer, 0, HostRig.ROOM, 8, SECOND_NS, 0, 0));
        nextJoin((room) -> room.release(8));
        assertEquals(0, rig.join(8, 0));
        assertEquals(2, rig.host.seatsOccupied(HostRig.ROOM));
        assertEquals(0, rig.host.pendingTimers(), "no reservation is left");
        repeat();
        rig.assertReplays();
    }

    private RoomType type()
    {
        return RoomType.of(1, "options", 1, Noting::new);
    }

    private void next(final Action action)
    {
        actions.add(action);
        done.add(action);
    }

    private void nextJoin(final Consumer<Room> action)
    {
        joinActions.add(action);
        joinsDone.add(action);
    }

    /** Let a replay do what the live room did. */
    private void repeat()
    {
        actions.addAll(done);
        joinActions.addAll(joinsDone);
    }

    private static void fail(final Room room, final Seat from)
    {
        throw new IllegalStateException("on purpose");
    }

    private static int overflow(final int depth)
    {
        return overflow(depth + 1) + 1;
    }

    private final class Noting implements RoomLogic
    {
        private Room room;

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            room = opened;
        }

        @Override
        public void onRestore(final Room restored, final int version, final StateReader reader)
        {
            room = restored;
        }

        @Override
        public int onJoinRequest(final long playerId, final DirectBuffer args, final int offset, final int length)
        {
            if (!joinActions.isEmpty())
            {
                joinActions.remove(0).accept(room);
            }
            return ACCEPT;
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            act(from);
        }

        @Override
        public void onSignal(final long from, final DirectBuffer buffer, final int offset, final int length)
        {
            act(null);
        }

        @Override
        public void onLeave(final Seat seat, final LeaveReason reason, final int code)
        {
            calls.add("leave " + seat.playerId() + " " + reason + " " + code);
            if (7 == seat.playerId() && LeaveReason.LEFT == reason)
            {
                noteData(seat);
            }
        }

        private void noteData(final Seat seat)
        {
            try
            {
                calls.add("data " + room.data(seat).getLong(4));
            }
            catch (final IllegalStateException e)
            {
                calls.add("no data");
            }
        }

        @Override
        public AfterError onError(final Throwable thrown, final Seat seat)
        {
            calls.add("error " + (null == seat ? null : seat.playerId()));
            return afterError;
        }

        @Override
        public void onClose(final CloseReason reason)
        {
            calls.add("close " + reason);
        }

        private void act(final Seat from)
        {
            if (!actions.isEmpty())
            {
                actions.remove(0).run(room, from);
            }
        }
    }
}
