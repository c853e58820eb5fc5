package io.escapement.rooms.host;

import io.escapement.codecs.room.RefusalCode;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.log.LogFile;
import io.escapement.rooms.output.ByteSink;
import io.escapement.rooms.replay.RoomCut;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Operators lock rooms against new players, beside the lock of a room's logic. */
class OperatorLocksTest
{
    private static final int TYPE = 1;
    private static final int OTHER = 2;
    private static final long ROOM = 1;
    private static final long NEXT = 2;
    private static final long STRANGER = 3;
    private static final int LINK = 4;
    private static final int LOCKED = RefusalCode.ROOM_LOCKED.value();
    private static final long LATER = 5;

    private final HostRig rig = new HostRig(types());
    private long nowNs;

    OperatorLocksTest()
    {
        turn(() ->
        {
            rig.open(ROOM, TYPE);
            rig.open(NEXT, TYPE);
            rig.open(STRANGER, OTHER);
            rig.linkUp(LINK);
            assertEquals(0, rig.join(ROOM, 7, LINK));
        });
    }

    private static RoomType[] types()
    {
        return new RoomType[]{type(TYPE), type(OTHER)};
    }

    private static RoomType type(final int id)
    {
        return RoomType.of(id, "type-" + id, 1, Unlocking::new).graceNs(1_000_000_000);
    }

    @Test
    void shouldRefuseNewPlayersOfARoomUntilTheLockIsLifted()
    {
        turn(() -> assertEquals(0, lock(ROOM, true)));
        assertTrue(rig.host.figures(ROOM).isLocked());
        assertTrue(rig.host.figures(ROOM).isLockedByOperator());
        assertFalse(rig.host.figures(NEXT).isLocked());
        final long before = rig.host.refusals(LOCKED);
        turn(() ->
        {
            assertEquals(LOCKED, rig.join(ROOM, 8, LINK));
            assertEquals(LOCKED, rig.command(rig.encoder.reserve(rig.buffer, 0, ROOM, 8, 1_000_000, 0, 0)));
            assertEquals(0, rig.join(NEXT, 8, LINK));
        });
        assertEquals(before + 2, rig.host.refusals(LOCKED));
        // The player who has a seat comes back to it.
        turn(() -> assertEquals(0, rig.command(rig.encoder.seatDown(rig.buffer, 0, ROOM, 0, 1, LINK))));
        turn(() -> assertEquals(0, rig.join(ROOM, 7, LINK)));
        turn(() -> assertEquals(0, lock(ROOM, false)));
        turn(() -> assertEquals(0, rig.join(ROOM, 9, LINK)));
        rig.assertReplays();
    }

    /** The logic lifts its own lock in each message. */
    @Test
    void shouldHoldWhenTheLogicUnlocksTheRoom()
    {
        turn(() -> assertEquals(0, lock(ROOM, true)));
        turn(() -> assertEquals(0, rig.message(ROOM, 0, 1, LINK, 1)));
        turn(() -> assertEquals(LOCKED, rig.join(ROOM, 8, LINK)));
        rig.assertReplays();
    }

    @Test
    void shouldLockTheRoomsOfATypeAlsoThoseThatOpenLater()
    {
        turn(() -> assertEquals(0, lockType(TYPE, true)));
        turn(() ->
        {
            rig.open(LATER, TYPE);
            assertEquals(LOCKED, rig.join(ROOM, 8, LINK));
            assertEquals(LOCKED, rig.join(NEXT, 8, LINK));
            assertEquals(LOCKED, rig.join(LATER, 8, LINK));
            assertEquals(0, rig.join(STRANGER, 8, LINK));
        });
        assertTrue(rig.host.figures(LATER).isLocked());
        assertFalse(rig.host.figures(LATER).isLockedByOperator(), "its type is");
        // A room's lock is another one.
        turn(() -> assertEquals(0, lock(NEXT, true)));
        turn(() -> assertEquals(0, lockType(TYPE, false)));
        turn(() ->
        {
            assertEquals(0, rig.join(ROOM, 8, LINK));
            assertEquals(LOCKED, rig.join(NEXT, 8, LINK));
        });
        rig.assertReplays();
    }

    @Test
    void shouldBePartOfTheStateAndOfSnapshots()
    {
        final long unlocked = rig.host.stateHash();
        final long room = rig.host.stateHash(ROOM);
        turn(() -> assertEquals(0, lock(ROOM, true)));
        assertNotEquals(room, rig.host.stateHash(ROOM));
        final long locked = rig.host.stateHash();
        turn(() -> assertEquals(0, lockType(OTHER, true)));
        assertNotEquals(locked, rig.host.stateHash());
        assertNotEquals(unlocked, locked);
        final ByteSink snapshot = new ByteSink();
        rig.host.snapshot(snapshot);
        final RoomHost restored = RoomHost.restore(rig.context(), snapshot.buffer(), 0, snapshot.length());
        assertEquals(rig.host.stateHash(), restored.stateHash());
        assertTrue(restored.figures(ROOM).isLocked());
        assertFalse(restored.figures(NEXT).isLocked());
        assertTrue(restored.figures(STRANGER).isLocked());
        rig.assertReplays();
    }

    @Test
    void shouldRunInTheReplayOfOneRoom()
    {
        turn(() -> assertEquals(0, lockType(TYPE, true)));
        turn(() -> assertEquals(LOCKED, rig.join(ROOM, 8, LINK)));
        turn(() -> assertEquals(0, lockType(TYPE, false)));
        turn(() -> assertEquals(0, lock(ROOM, true)));
        turn(() -> assertEquals(LOCKED, rig.join(ROOM, 8, LINK)));
        rig.finish();
        final RoomCut cut = new RoomCut(
            LogFile.open(rig.log.buffer(), 0, rig.log.length()), ROOM, rig::context, new ByteSink()).run();
        assertTrue(cut.isSame(), cut::difference);
    }

    @Test
    void shouldRefuseRoomsAndTypesThatAreNotThereAndOtherValues()
    {
        turn(() ->
        {
            assertEquals(RefusalCode.UNKNOWN_ROOM.value(), lock(9, true));
            assertEquals(RefusalCode.UNKNOWN_ROOM_TYPE.value(), lockType(9, true));
            final int length = rig.encoder.lockRoom(rig.buffer, 0, ROOM, true);
            rig.buffer.putByte(length - 1, (byte)2);
            assertEquals(RefusalCode.BAD_VALUE.value(), rig.command(length));
            final int other = rig.encoder.lockType(rig.buffer, 0, TYPE, true);
            rig.buffer.putByte(other - 1, (byte)2);
            assertEquals(RefusalCode.BAD_VALUE.value(), rig.command(other));
            assertEquals(0, rig.join(ROOM, 8, LINK));
        });
        rig.assertReplays();
    }

    private int lock(final long roomId, final boolean isLocked)
    {
        return rig.command(rig.encoder.lockRoom(rig.buffer, 0, roomId, isLocked));
    }

    private int lockType(final int typeId, final boolean isLocked)
    {
        return rig.command(rig.encoder.lockType(rig.buffer, 0, typeId, isLocked));
    }

    private void turn(final Runnable commands)
    {
        nowNs += 1_000_000;
        rig.turn(nowNs, commands);
    }

    private static final class Unlocking implements RoomLogic
    {
        private Room room;

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            room = opened;
        }

        @Override
        public void onRestore(final Room restored, final int version, final StateReader state)
        {
            room = restored;
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            room.lock(false);
        }
    }
}
