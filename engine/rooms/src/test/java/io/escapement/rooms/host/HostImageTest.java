package io.escapement.rooms.host;

import io.escapement.rooms.RoomType;
import io.escapement.rooms.StateWriter;
import io.escapement.rooms.output.ByteSink;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Images that are filled over turns: rooms that open, close, change and throw in between. Budget: 1 s. */
class HostImageTest
{
    private static final int TYPE = 1;
    private static final int ROOMS = 8;

    private final List<Counting> logics = new ArrayList<>();
    private final HostImage image = new HostImage();
    private final HostRig rig = new HostRig(RoomType.of(TYPE, "counting", 1, this::newLogic));

    @Test
    void shouldNotContainLaterTurns()
    {
        openRooms();
        final byte[] before = snapshot();
        rig.host.beginImage(image);
        rig.turn(2, () ->
        {
            signal(3);
            rig.open(ROOMS + 1, TYPE);
            rig.command(rig.encoder.closeRoom(rig.buffer, 0, 1));
            rig.command(rig.encoder.closeRoom(rig.buffer, 0, ROOMS));
        });
        assertFalse(image.isComplete());
        rig.host.fillImage(Long.MAX_VALUE);
        assertArrayEquals(before, bytes());
        assertEquals(ROOMS - 1, rig.host.openRooms());

        final byte[] after = snapshot();
        rig.host.beginImage(image);
        rig.host.fillImage(Long.MAX_VALUE);
        assertArrayEquals(after, bytes());
    }

    @Test
    void shouldBeCompleteWhenItsLastRoomsClose()
    {
        openRooms();
        final byte[] before = snapshot();
        rig.host.beginImage(image);
        rig.turn(2, () ->
        {
            for (int room = ROOMS; room > 0; room--)
            {
                rig.command(rig.encoder.closeRoom(rig.buffer, 0, room));
            }
        });
        assertTrue(image.isComplete());
        assertArrayEquals(before, bytes());
    }

    @Test
    void shouldBeCompletedByACommandToTheHost()
    {
        openRooms();
        final byte[] before = snapshot();
        rig.host.beginImage(image);
        rig.turn(2, () -> rig.command(rig.encoder.setRate(rig.buffer, 0, TYPE, 10)));
        assertTrue(image.isComplete());
        assertArrayEquals(before, bytes());
    }

    @Test
    void shouldCopyARoomOnce()
    {
        openRooms();
        rig.host.beginImage(image);
        for (int i = 0; i < 5; i++)
        {
            rig.turn(2 + i, () -> signal(3));
            rig.host.fillImage(1);
        }
        rig.host.fillImage(Long.MAX_VALUE);
        assertTrue(logics.stream().allMatch((logic) -> 1 == logic.snapshots));
    }

    @Test
    void shouldFailAloneWhenARoomCannotBeWritten()
    {
        openRooms();
        logics.get(2).isThrowing = true;
        rig.host.beginImage(image);
        rig.turn(2, () -> signal(3));
        assertNotNull(image.failure());
        assertFalse(image.isComplete());
        assertThrows(IllegalStateException.class, () -> image.writeTo(new ByteSink(), 1));
        assertEquals(1, logics.get(2).count, "its room goes on");
        assertEquals(List.of(), rig.failures);

        rig.host.beginImage(image);
        rig.host.fillImage(Long.MAX_VALUE);
        assertNotNull(image.failure(), "between turns");
        logics.get(2).isThrowing = false;
        rig.host.beginImage(image);
        assertNull(image.failure());
        rig.host.fillImage(Long.MAX_VALUE);
        assertArrayEquals(snapshot(), bytes());
    }

    @Test
    void shouldRehearseWithoutEffect()
    {
        openRooms();
        final long stateHash = rig.host.stateHash();
        logics.get(2).isThrowing = true;
        assertEquals(0, rig.host.rehearseImage(0));
        assertEquals(3, rig.host.rehearseImage(3));
        assertEquals(ROOMS, rig.host.rehearseImage(1_000), "each room once");
        logics.get(2).isThrowing = false;
        assertEquals(stateHash, rig.host.stateHash());
        final byte[] before = snapshot();
        rig.host.beginImage(image);
        rig.host.rehearseImage(ROOMS);
        rig.host.fillImage(Long.MAX_VALUE);
        assertArrayEquals(before, bytes());
    }

    @Test
    void shouldTakeOneAtATime()
    {
        openRooms();
        rig.host.beginImage(image);
        assertThrows(IllegalStateException.class, () -> rig.host.beginImage(new HostImage()));
        rig.host.fillImage(Long.MAX_VALUE);
        rig.host.beginImage(new HostImage());
    }

    private void openRooms()
    {
        rig.turn(1, () ->
        {
            for (int room = 1; room <= ROOMS; room++)
            {
                rig.open(room, TYPE);
            }
        });
    }

    private void signal(final long roomId)
    {
        rig.command(rig.encoder.signal(rig.buffer, 0, roomId, 0, 0, rig.payload, 0, 8));
    }

    private byte[] snapshot()
    {
        final ByteSink sink = new ByteSink();
        rig.host.snapshot(sink);
        logics.forEach((logic) -> logic.snapshots = 0);
        return sink.toArray();
    }

    private byte[] bytes()
    {
        final ByteSink sink = new ByteSink();
        while (!image.writeTo(sink, 100))
        {
            assertTrue(image.isComplete());
        }
        return sink.toArray();
    }

    private Counting newLogic()
    {
        final Counting logic = new Counting();
        logics.add(logic);
        return logic;
    }

    private static final class Counting extends Quiet
    {
        long count;
        int snapshots;
        boolean isThrowing;

        Counting()
        {
            onSignal = () -> count++;
        }

        @Override
        public void onSnapshot(final StateWriter writer)
        {
            if (isThrowing)
            {
                throw new IllegalStateException("planted");
            }
            snapshots++;
            writer.putLong(count);
        }
    }
}
