package io.escapement.rooms.host;

import com.sun.management.ThreadMXBean;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.testsupport.Tests;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A host keeps nothing of the rooms that have closed, and does not grow with what its rooms have done before. */
class RetentionTest
{
    private static final int TYPE = 1;
    private static final int ROOMS = 40;

    private final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
    private final List<WeakReference<Object>> made = new ArrayList<>();
    private final List<Quiet> kept = new ArrayList<>();
    private HostRig rig;

    @Test
    void shouldForgetTheSeatsOfALinkThatWasLost()
    {
        rig = new HostRig(RoomType.of(TYPE, "made", 1, this::make).seats(4));
        openAll();
        rig.turn(2, () -> rig.command(rig.encoder.linkDown(rig.buffer, 0, 0)));
        closeAll();
        assertForgotten(2 * ROOMS);
    }

    @Test
    void shouldForgetTheSeatsOfALinkThatWasResumedOrLostStates()
    {
        rig = new HostRig(RoomType.of(TYPE, "made", 1, this::make).seats(4));
        openAll();
        rig.turn(2, () -> rig.command(rig.encoder.linkStateLost(rig.buffer, 0, 0)));
        closeAll();
        assertForgotten(2 * ROOMS);

        openAll();
        rig.turn(4, () ->
        {
            rig.command(rig.encoder.linkDown(rig.buffer, 0, 0));
            rig.command(rig.encoder.linkResumed(rig.buffer, 0, 0, 0, 0));
        });
        closeAll();
        assertForgotten(4 * ROOMS);
    }

    @Test
    void shouldNotReachLaterRoomsFromARoomThatHasClosed()
    {
        rig = new HostRig(RoomType.of(TYPE, "made", 1, this::make).seats(4));
        openAll();
        kept.add((Quiet)made.get(0).get());
        closeAll();
        // All but the first room and its logic. Its player has left, so the room does not reach that seat.
        assertForgotten(2 * ROOMS - 1);
    }

    @Test
    void shouldDrainEveryRoomWhenRoomsCloseAtOnce()
    {
        rig = new HostRig(RoomType.of(TYPE, "draining", 1, () -> new Quiet()
        {
            @Override
            public void onDrain(final Room draining, final long deadlineNs)
            {
                kept.add(this);
                if (0 != room.roomId() % 3)
                {
                    room.close();
                }
            }
        }));
        rig.turn(1, () ->
        {
            for (int i = 1; i <= ROOMS; i++)
            {
                rig.open(i, TYPE);
            }
        });
        rig.turn(2, () -> rig.command(rig.encoder.drain(rig.buffer, 0, 1_000)));
        assertEquals(ROOMS, kept.size());
        assertEquals(ROOMS / 3, rig.host.openRooms());
        rig.assertReplays();
    }

    @Test
    void shouldNotGrowWhenARoomTogglesItsFrameRate()
    {
        rig = new HostRig(RoomType.of(TYPE, "toggling", 1, () -> new Quiet()
        {
            @Override
            public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
            {
                room.sendEvent(from, buffer, offset, length);
                for (int i = 0; i < 100_000; i++)
                {
                    room.frameRate(30);
                    room.frameRate(0);
                }
            }
        }).flush(RoomType.Flush.FRAME));
        rig.turn(1, () ->
        {
            rig.open(1, TYPE);
            rig.linkUp(0);
            rig.join(1, 7, 0);
            rig.message(1, 0, 1, 0, 8);
        });
        final long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
        rig.turn(2, () -> rig.message(1, 0, 1, 0, 8));
        final long allocated = threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
        assertTrue(allocated < 64 * 1024, () -> "allocated " + allocated + " bytes");
        assertEquals(1, rig.host.openRooms());
    }

    private Quiet make()
    {
        final Quiet logic = new Quiet()
        {
            @Override
            public void onJoin(final Seat seat)
            {
                made.add(new WeakReference<>(seat));
            }
        };
        made.add(new WeakReference<>(logic));
        return logic;
    }

    private void openAll()
    {
        rig.turn(1, () ->
        {
            rig.linkUp(0);
            for (int i = 1; i <= ROOMS; i++)
            {
                rig.open(i, TYPE);
                rig.join(i, 7, 0);
            }
        });
    }

    private void closeAll()
    {
        rig.turn(3, () ->
        {
            for (int i = 1; i <= ROOMS; i++)
            {
                rig.command(rig.encoder.closeRoom(rig.buffer, 0, i));
            }
        });
        assertEquals(0, rig.host.openRooms());
    }

    private void assertForgotten(final int count)
    {
        Tests.await(() ->
        {
            System.gc();
            return count == made.stream().filter((reference) -> null == reference.get()).count();
        }, "no closed room to be reachable");
    }
}
