package io.escapement.rooms.host;

import io.escapement.rooms.Room;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Questions of a room about its players and its timers. */
class RoomQueriesTest
{
    private static final int TYPE = 1;
    private static final int SEATS = 200;
    private static final long SECOND_NS = 1_000_000_000L;

    private final Quiet logic = new Quiet()
    {
        @Override
        public void onTimer(final long handle, final int kind, final long tag)
        {
            fired.add(kind + " " + room.isSet(handle) + " " + room.remainingNs(handle));
        }
    };
    private final List<String> fired = new ArrayList<>();
    private final HostRig rig = new HostRig(RoomType.of(TYPE, "asked", 1, () -> logic).seats(SEATS).timers(4));
    private long nowNs = 1;

    @Test
    void shouldWalkAndCountThePresentAndTheReserved()
    {
        rig.turn(0, () ->
        {
            rig.open(1, TYPE);
            rig.linkUp(0);
            rig.linkUp(1);
            for (int player = 0; player < SEATS - 2; player++)
            {
                assertEquals(0, rig.join(1, player, 0 == player % 50 ? 1 : 0));
            }
            rig.command(rig.encoder.reserve(rig.buffer, 0, 1, 999, SECOND_NS, 0, 0));
        });
        act(() ->
        {
            assertEquals(SEATS - 2, logic.room.seatsPresent());
            assertEquals(1, logic.room.seatsReserved());
            assertTrue(logic.room.isReserved(999));
            assertFalse(logic.room.isReserved(0), "a player who has joined");
            assertFalse(logic.room.isReserved(1_000), "nobody");
        });

        rig.turn(nowNs, () -> rig.command(rig.encoder.linkDown(rig.buffer, 0, 0)));
        act(() ->
        {
            assertEquals(SEATS - 2, logic.room.seatsTaken());
            assertEquals(4, logic.room.seatsPresent());
            final List<Integer> walked = new ArrayList<>();
            Seat seat = logic.room.nextPresent(0);
            while (null != seat)
            {
                walked.add(seat.index());
                seat = logic.room.nextPresent(seat.index() + 1);
            }
            assertEquals(List.of(0, 50, 100, 150), walked);
            assertNull(logic.room.nextPresent(SEATS));
            assertEquals(0, logic.room.nextPresent(-5).index());
        });

        nowNs = 2 * SECOND_NS;
        rig.turn(nowNs, () ->
        {
        });
        act(() ->
        {
            assertFalse(logic.room.isReserved(999), "the reservation has ended");
            assertEquals(0, logic.room.seatsReserved());
        });
    }

    @Test
    void shouldKnowItsOpenerInOnOpen()
    {
        final List<Long> openers = new ArrayList<>();
        final HostRig opening = new HostRig(RoomType.of(TYPE, "opened", 1, () -> new Quiet()
        {
            @Override
            public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
            {
                super.onOpen(opened, args, offset, length);
                openers.add(opened.openerRoomId());
                onSignal = () -> openers.add(room.openerRoomId());
            }
        }));
        opening.turn(0, () ->
        {
            opening.open(1, TYPE);
            opening.command(opening.encoder.openRoom(
                opening.buffer, 0, 2, 5, 1, 9, TYPE, opening.payload, 0, 0));
            opening.command(opening.encoder.signal(opening.buffer, 0, 2, 0, 0, opening.payload, 0, 1));
        });
        assertEquals(List.of(0L, 1L, 0L), openers);
        opening.finish();
    }

    @Test
    void shouldAnswerWhetherATimerIsSetAndHowLongItTakes()
    {
        final long[] handles = new long[3];
        rig.turn(0, () -> rig.open(1, TYPE));
        act(() ->
        {
            handles[0] = logic.room.after(SECOND_NS, 0, 0);
            handles[1] = logic.room.every(SECOND_NS, 1, 0);
            handles[2] = logic.room.everyFrames(2, 2, 0);
            for (final long handle : handles)
            {
                assertTrue(logic.room.isSet(handle));
            }
            assertFalse(logic.room.isSet(Room.NO_TIMER));
            assertEquals(SECOND_NS, logic.room.remainingNs(handles[0]));
            assertEquals(-1, logic.room.remainingNs(handles[2]), "a timer that counts frames");
            assertEquals(-1, logic.room.remainingNs(Room.NO_TIMER));
        });

        nowNs += SECOND_NS / 4;
        act(() -> assertEquals(SECOND_NS * 3 / 4, logic.room.remainingNs(handles[1])));
        nowNs += SECOND_NS;
        act(() ->
        {
            assertEquals(0, logic.room.remainingNs(handles[0]), "due later in this turn");
            assertTrue(logic.room.cancel(handles[2]));
            assertFalse(logic.room.isSet(handles[2]));
        });
        assertEquals(List.of("0 false -1", "1 true " + SECOND_NS * 3 / 4), fired);
        act(() -> assertFalse(logic.room.isSet(handles[0])));
    }

    /** Run assertions in a callback of the room; one that fails would close it. */
    private void act(final Runnable assertions)
    {
        logic.onSignal = assertions;
        rig.turn(nowNs, () -> rig.command(rig.encoder.signal(rig.buffer, 0, 1, 0, 0, rig.payload, 0, 1)));
        assertEquals(List.of(), rig.failures);
    }
}
