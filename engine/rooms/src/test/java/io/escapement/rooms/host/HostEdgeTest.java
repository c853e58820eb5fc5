package io.escapement.rooms.host;

import io.escapement.codecs.room.RefusalCode;
import io.escapement.rooms.DamagedRecordException;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.RoomUseException;
import io.escapement.rooms.SeatGroup;
import io.escapement.rooms.StateHash;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import io.escapement.rooms.log.LogReader;
import io.escapement.rooms.log.LogRecords;
import io.escapement.rooms.log.LogWriter;
import io.escapement.rooms.output.ByteSink;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A host at the edges: restores, hashes, the end of time, calls at the wrong moment. */
class HostEdgeTest
{
    private static final int TYPE = 1;
    private static final int ROOM_KIND = 4;
    /** Behind the id, the type and the ordinal of the room. */
    private static final int SEATS_OFFSET = 4 * Long.BYTES;
    private static final int TIMERS = 1_000_000;
    private static final long NOW_NS = 5_000_000_000L;

    private final List<Object> seen = new ArrayList<>();
    private Quiet logic = new Quiet();

    @ParameterizedTest
    @ValueSource(strings = {"send", "timer", "close", "kick", "rate", "count", "group"})
    void shouldRefuseToActInOnRestore(final String act)
    {
        final Throwable refusal = assertThrows(RuntimeException.class, () -> restored(new Quiet()
        {
            @Override
            public void onRestore(final Room restored, final int version, final StateReader reader)
            {
                act(restored, act);
            }
        }));
        assertFalse(refusal instanceof DamagedRecordException, "the snapshot is intact");
        assertInstanceOf(RoomUseException.class, refusal.getCause());
    }

    @ParameterizedTest
    @ValueSource(strings = {"send", "timer", "close", "kick", "rate", "count", "group"})
    void shouldRefuseToActInOnSnapshotAndStateHash(final String act)
    {
        final HostRig rig = rig(new Quiet()
        {
            @Override
            public void onSnapshot(final StateWriter writer)
            {
                act(room, act);
            }
        });
        final Throwable refusal = assertThrows(
            IllegalStateException.class, () -> rig.host.snapshot(new ByteSink()));
        assertInstanceOf(RoomUseException.class, refusal.getCause());
        // The default of stateHash calls onSnapshot.
        assertNotEquals(0, rig.host.stateHash(1));
        assertEquals(1, rig.events.hashFailures);
        assertEquals(1, rig.host.openRooms());
    }

    @Test
    void shouldShowTheTimeAndTheSeatsInOnRestore()
    {
        restored(new Quiet()
        {
            @Override
            public void onRestore(final Room restored, final int version, final StateReader reader)
            {
                seen.add(restored.nowNs());
                seen.add(restored.seatsTaken());
            }
        });
        assertEquals(List.of(NOW_NS, 1), seen);
    }

    @Test
    void shouldShowTheTimeAndTheSeatsInOnSnapshotAndStateHash()
    {
        final HostRig rig = rig(new Quiet()
        {
            @Override
            public void onSnapshot(final StateWriter writer)
            {
                seen.add(room.nowNs());
                seen.add(room.seatsTaken());
            }
        });
        rig.host.snapshot(new ByteSink());
        rig.host.stateHash(1);
        assertEquals(List.of(NOW_NS, 1, NOW_NS, 1), seen);
    }

    @Test
    void shouldNotCallAnErrorOfTheLogicDamage()
    {
        final RuntimeException failure = new IllegalStateException("on purpose");
        final Throwable thrown = assertThrows(RuntimeException.class, () -> restored(new Quiet()
        {
            @Override
            public void onRestore(final Room restored, final int version, final StateReader reader)
            {
                throw failure;
            }
        }));
        assertFalse(thrown instanceof DamagedRecordException);
        assertEquals(failure, thrown.getCause());
        assertTrue(thrown.getMessage().contains("onRestore threw java.lang.IllegalStateException"), thrown::getMessage);
    }

    /** The largest room whose groups are one mask. */
    @Test
    void shouldRestoreAMessageToAGroupOfARoomOfSixtyFourSeats()
    {
        final HostRig rig = new HostRig(
            RoomType.of(TYPE, "edge", 1, () -> logic).seats(Long.SIZE).flushEveryNs(1_000_000_000));
        rig.turn(1, () ->
        {
            rig.open(1, TYPE);
            rig.linkUp(0);
            rig.join(1, 7, 0);
        });
        act(rig, (room) ->
        {
            final SeatGroup group = room.newGroup();
            group.add(room.seat(0));
            room.sendEvent(group, new UnsafeBuffer(new byte[8]), 0, 8);
        });
        final ByteSink snapshot = new ByteSink();
        rig.host.snapshot(snapshot);
        logic = new Quiet();
        final RoomHost restored = RoomHost.restore(rig.context(), snapshot.buffer(), 0, snapshot.length());
        assertEquals(rig.host.stateHash(), restored.stateHash());
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 0, 5, 1_000_000_000, Integer.MAX_VALUE})
    void shouldCallASnapshotDamagedThatAsksForMoreThanItsTypeHas(final long seats)
    {
        final HostRig rig = rig(new Quiet());
        final ByteSink snapshot = new ByteSink();
        rig.host.snapshot(snapshot);
        final LogReader records =
            new LogReader(snapshot.buffer(), 0, snapshot.length(), LogRecords.SNAPSHOT);
        final ByteSink changed = new ByteSink();
        final LogWriter writer = new LogWriter(changed, LogRecords.SNAPSHOT);
        while (records.next())
        {
            final UnsafeBuffer body = new UnsafeBuffer(new byte[records.bodyLength()]);
            body.putBytes(0, records.buffer(), records.bodyOffset(), records.bodyLength());
            if (ROOM_KIND == records.kind())
            {
                assertEquals(4, body.getLong(SEATS_OFFSET));
                body.putLong(SEATS_OFFSET, seats);
            }
            writer.append(records.kind(), body, 0, body.capacity());
        }
        writer.end();
        assertThrows(DamagedRecordException.class,
            () -> RoomHost.restore(rig.context(), changed.buffer(), 0, changed.length()));
    }

    @Test
    void shouldHashEveryNanTheSame()
    {
        final StateHash quiet = new StateHash();
        quiet.putDouble(Double.NaN);
        final StateHash other = new StateHash();
        other.putDouble(Double.longBitsToDouble(0xFFF8_0000_0000_1234L));
        assertEquals(quiet.value(), other.value());
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE})
    void shouldRefuseAFailureAtNoCallback(final long callback)
    {
        final HostRig rig = rig(new Quiet());
        rig.turn(NOW_NS, () -> assertEquals(RefusalCode.BAD_VALUE.value(),
            rig.command(rig.encoder.failedAt(rig.buffer, 0, 1, callback))));
        assertEquals(1, rig.host.openRooms());
    }

    @Test
    void shouldCountMissedFramesWithoutOverflow()
    {
        final HostRig rig = rig(new Quiet());
        act(rig, (room) -> room.frameRate(1_000));
        rig.turn(Long.MAX_VALUE / 2, () ->
        {
        });
        assertEquals(Integer.MAX_VALUE, rig.events.missed);
    }

    @Test
    void shouldEndATurnAtTheEndOfTime()
    {
        final HostRig rig = rig(new Quiet());
        act(rig, (room) ->
        {
            room.frameRate(60);
            room.every(1_000, 1, 1);
        });
        for (int i = 0; i < 3; i++)
        {
            rig.turn(Long.MAX_VALUE, () ->
            {
            });
        }
        assertEquals(1, rig.host.openRooms());
    }

    @Test
    void shouldRefuseToEndATurnInsideACallbackOrOutsideATurn()
    {
        final HostRig rig = rig(new Quiet());
        assertThrows(IllegalStateException.class, rig.host::endTurn);
        act(rig, (room) -> rig.host.endTurn());
        assertEquals(0, rig.host.openRooms());
        assertTrue(rig.failures.get(0).getMessage().contains("inside a callback"));
    }

    @Test
    void shouldShowItsStateBetweenTurnsOnly()
    {
        final HostRig rig = rig(new Quiet());
        for (final Executable read : List.<Executable>of(rig.host::openRoomIds, rig.host::stateHash,
            () -> rig.host.stateHash(1), () -> rig.host.snapshot(new ByteSink()),
            () -> rig.host.beginAnnounce(true), rig.host::announceNext))
        {
            assertDoesNotThrow(read);
            rig.turn(NOW_NS, () -> assertThrows(IllegalStateException.class, read));
        }
    }

    @Test
    void shouldRunAClosureInATurnOnly()
    {
        final HostRig rig = rig(new Quiet());
        assertThrows(IllegalStateException.class, () -> rig.host.execute(1, (room) -> seen.add(room)));
        assertEquals(List.of(), seen);
    }

    /** An application may hand a host to another thread between turns. */
    @Test
    void shouldLetTheLogicReadOnWhicheverThreadAsksForItsState() throws InterruptedException
    {
        final HostRig rig = rig(new Quiet()
        {
            @Override
            public void onSnapshot(final StateWriter writer)
            {
                seen.add(room.nowNs());
            }
        });
        final Thread other = new Thread(() -> rig.host.stateHash(1));
        other.start();
        other.join();
        rig.host.snapshot(new ByteSink());
        assertEquals(List.of(NOW_NS, NOW_NS), seen);
        assertEquals(0, rig.events.hashFailures);
    }

    @Test
    void shouldNotCountAClaimForAnAwaySeatAsOverTheLimit()
    {
        final HostRig rig = rig(new Quiet());
        rig.turn(NOW_NS, () -> rig.command(rig.encoder.linkDown(rig.buffer, 0, 0)));
        act(rig, (room) ->
        {
            room.claimEvent(room.seat(0), 64).putLong(0, 1);
            room.commit(8);
        });
        assertEquals(0, rig.host.refusals(RefusalCode.OUTPUT_LIMIT.value()));
    }

    @Test
    void shouldCloseARoomOfManyFrameTimersWithoutMovingThem()
    {
        final HostRig rig = new HostRig(RoomType.of(TYPE, "edge", 1, () -> logic).timers(TIMERS));
        rig.turn(1, () -> rig.open(1, TYPE));
        act(rig, (room) ->
        {
            for (int i = 0; i < TIMERS; i++)
            {
                room.everyFrames(1 + i, 1, i);
            }
            assertEquals(TIMERS, room.cancelAll());
            for (int i = 0; i < TIMERS; i++)
            {
                assertNotEquals(Room.NO_TIMER, room.everyFrames(1 + i, 1, i));
            }
        });
        // Moving the rest of the list for each timer copies 2 TB, which takes longer than the build's limit.
        rig.turn(3, () -> rig.command(rig.encoder.closeRoom(rig.buffer, 0, 1)));
    }

    private interface Act
    {
        void in(Room room);
    }

    private void act(final HostRig rig, final Act act)
    {
        final Quiet running = logic;
        running.onSignal = () -> act.in(running.room);
        rig.turn(NOW_NS, () -> rig.command(rig.encoder.signal(rig.buffer, 0, 1, 0, 0, rig.payload, 0, 8)));
    }

    private static void act(final Room room, final String act)
    {
        switch (act)
        {
            case "send" -> room.sendEvent(room.everyone(), new UnsafeBuffer(new byte[8]), 0, 8);
            case "timer" -> room.after(1, 1, 1);
            case "close" -> room.close();
            case "kick" -> room.kick(room.seat(0));
            case "rate" -> room.frameRate(30);
            case "count" -> room.count(1, 1);
            default -> room.newGroup();
        }
    }

    private HostRig rig(final Quiet first)
    {
        logic = first;
        final HostRig rig = new HostRig(RoomType.of(TYPE, "edge", 1, () -> logic).seats(4));
        rig.turn(NOW_NS, () ->
        {
            rig.open(1, TYPE);
            rig.linkUp(0);
            rig.join(1, 7, 0);
        });
        return rig;
    }

    private RoomHost restored(final Quiet second)
    {
        final HostRig rig = rig(new Quiet());
        final ByteSink snapshot = new ByteSink();
        rig.host.snapshot(snapshot);
        logic = second;
        return RoomHost.restore(rig.context(), snapshot.buffer(), 0, snapshot.length());
    }
}
