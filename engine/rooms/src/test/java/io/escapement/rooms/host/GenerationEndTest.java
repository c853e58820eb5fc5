package io.escapement.rooms.host;

import io.escapement.codecs.room.RefusalCode;
import io.escapement.rooms.DamagedRecordException;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.log.LogReader;
import io.escapement.rooms.log.LogRecords;
import io.escapement.rooms.log.LogWriter;
import io.escapement.rooms.output.ByteSink;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A seat or a timer that has used up its generations is not used again, because the handles of its first would become
 * valid. The generations come from a snapshot: counting there takes hours.
 */
class GenerationEndTest
{
    private static final int TYPE = 1;
    private static final int ROOM_KIND = 4;
    /** A generation that no other value of the snapshot equals. */
    private static final int MARK = 7_919;
    private static final int LAST = Integer.MAX_VALUE - 1;

    private final Quiet[] logic = new Quiet[1];
    private final HostRig rig = new HostRig(RoomType.of(TYPE, "old", 1, () -> logic[0] = new Quiet())
        .seats(1).timers(2));
    private final UnsafeBuffer payload = new UnsafeBuffer(new byte[8]);

    @Test
    void shouldSeatNobodyWhereThePlayersOfAllGenerationsHaveBeen()
    {
        useSeat();
        restart(LAST);
        inTurn(() ->
        {
            assertEquals(0, join(8));
            assertEquals(0, message(LAST));
            act(() -> assertEquals(8, logic[0].room.seat(0, LAST).playerId()));
            assertEquals(0, kick(8));
            assertNobodyFits();
        });
        final long hash = rig.host.stateHash();
        restart(0, 0);
        assertEquals(hash, rig.host.stateHash());
        inTurn(this::assertNobodyFits);
    }

    @Test
    void shouldSetNoTimerWhereThoseOfAllGenerationsHaveBeen()
    {
        final long[] handles = new long[3];
        useTimer(handles);
        restart(LAST);
        inTurn(() -> act(() ->
        {
            handles[1] = logic[0].room.after(1, 1, 1);
            assertEquals((long)LAST << 32, handles[1]);
            assertTrue(logic[0].room.cancel(handles[1]));
            // The other slot.
            handles[2] = logic[0].room.after(1, 1, 1);
            assertNotEquals(Room.NO_TIMER, handles[2]);
            assertOneTimerIsLeft(handles);
        }));
        final long hash = rig.host.stateHash();
        restart(0, 0);
        assertEquals(hash, rig.host.stateHash());
        inTurn(() -> act(() ->
        {
            assertOneTimerIsLeft(handles);
            assertEquals(1, logic[0].room.cancelAll());
        }));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldCallASnapshotDamagedWhoseSeatIsPastItsGenerations(final boolean isTaken)
    {
        useSeat();
        if (isTaken)
        {
            inTurn(() -> assertEquals(0, join(8)));
        }
        assertThrows(DamagedRecordException.class, () -> restart(Integer.MAX_VALUE));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldCallASnapshotDamagedWhoseTimerIsPastItsGenerations(final boolean isSet)
    {
        useTimer(new long[3]);
        if (isSet)
        {
            inTurn(() -> act(() -> logic[0].room.after(1_000_000_000, 1, 1)));
        }
        assertThrows(DamagedRecordException.class, () -> restart(Integer.MAX_VALUE));
    }

    private void useSeat()
    {
        open();
        inTurn(() ->
        {
            for (int i = 1; i < MARK; i++)
            {
                assertEquals(0, join(7));
                assertEquals(0, kick(7));
            }
        });
    }

    private void useTimer(final long[] handles)
    {
        open();
        inTurn(() -> act(() ->
        {
            for (int i = 1; i < MARK; i++)
            {
                final long handle = logic[0].room.after(1, 1, 1);
                handles[0] = 1 == i ? handle : handles[0];
                // So that the number of timers set is another than the generation.
                assertTrue(logic[0].room.reschedule(handle, 2));
                assertTrue(logic[0].room.cancel(handle));
            }
        }));
    }

    private void assertNobodyFits()
    {
        assertEquals(RefusalCode.ROOM_FULL.value(), join(9));
        assertEquals(RefusalCode.ROOM_FULL.value(),
            command(rig.encoder.reserve(rig.buffer, 0, 1, 9, 1_000_000, 0, 0)));
        for (final int generation : new int[]{1, 2, LAST, Integer.MAX_VALUE, Integer.MIN_VALUE, 0})
        {
            assertEquals(RefusalCode.STALE_SEAT.value(), message(generation));
            act(() -> assertNull(logic[0].room.seat(0, generation)));
        }
    }

    private void assertOneTimerIsLeft(final long[] handles)
    {
        final Room room = logic[0].room;
        assertEquals(Room.NO_TIMER, room.after(1, 1, 1));
        assertEquals(Room.NO_TIMER, room.everyFrames(1, 1, 1));
        assertFalse(room.cancel(handles[0]));
        assertFalse(room.cancel(handles[1]));
        assertTrue(room.reschedule(handles[2], 1_000_000_000));
    }

    private void open()
    {
        inTurn(() ->
        {
            assertEquals(0, rig.linkUp(0));
            assertEquals(0, rig.open(1, TYPE));
        });
    }

    private int join(final long playerId)
    {
        return command(rig.encoder.join(rig.buffer, 0, 1, playerId, 0, 0, payload, 0, 0));
    }

    private int kick(final long playerId)
    {
        return command(rig.encoder.kick(rig.buffer, 0, 1, playerId));
    }

    private int message(final int generation)
    {
        return command(rig.encoder.message(rig.buffer, 0, 1, 1, 0, generation, 0, payload, 0, 8));
    }

    private void act(final Runnable action)
    {
        logic[0].onSignal = action;
        assertEquals(0, command(rig.encoder.signal(rig.buffer, 0, 1, 0, 0, payload, 0, 8)));
        assertEquals(1, rig.host.openRooms());
    }

    private void inTurn(final Runnable commands)
    {
        rig.turn(1, commands);
    }

    private int command(final int length)
    {
        return rig.command(length);
    }

    private void restart(final int generation)
    {
        restart(MARK, generation);
    }

    /** Continue in another host, from a snapshot in which one number is replaced. */
    private void restart(final long number, final long replacement)
    {
        final ByteSink snapshot = rig.snapshot();
        final LogReader records =
            new LogReader(snapshot.buffer(), 0, snapshot.length(), LogRecords.SNAPSHOT);
        final ByteSink changed = new ByteSink();
        final LogWriter writer = new LogWriter(changed, LogRecords.SNAPSHOT);
        int found = 0;
        while (records.next())
        {
            final UnsafeBuffer body = new UnsafeBuffer(new byte[records.bodyLength()]);
            body.putBytes(0, records.buffer(), records.bodyOffset(), records.bodyLength());
            for (int at = 0; 0 != number && ROOM_KIND == records.kind() && at <= body.capacity() - Long.BYTES; at++)
            {
                if (number == body.getLong(at))
                {
                    body.putLong(at, replacement);
                    found++;
                }
            }
            writer.append(records.kind(), body, 0, body.capacity());
        }
        writer.end();
        assertEquals(0 == number ? 0 : 1, found);
        rig.restore(changed.toArray());
    }
}
