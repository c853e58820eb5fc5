package io.escapement.rooms.host;

import com.sun.management.ThreadMXBean;
import io.escapement.codecs.room.RoomEncoder;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.output.NoOutputs;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Rooms of one phase group, which they leave and enter as often as they like. */
class PhaseGroupTest
{
    private static final int CALM = 1;
    private static final int RESTLESS = 2;
    private static final int RATE_HZ = 60;
    private static final int ROOMS = 10;
    private static final int TIMES = 200_000;
    private static final int TIMES_IN_A_FRAME = 40;
    private static final long LIMIT = 64 * 1024;
    private static final long SECOND_NS = 1_000_000_000;

    private final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
    private final RoomEncoder encoder = new RoomEncoder();
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[256]);
    private final UnsafeBuffer payload = new UnsafeBuffer(new byte[8]);
    private final List<Long> ran = new ArrayList<>();
    private final RoomHost host = new RoomHost(new HostContext().phaseGroups(1).outputs(new NoOutputs())
        .roomType(RoomType.of(CALM, "calm", 1, () -> new Mover(0)))
        .roomType(RoomType.of(RESTLESS, "restless", 1, () -> new Mover(TIMES_IN_A_FRAME))));

    @Test
    void shouldNotGrowWithRoomsThatLeaveBeforeTheyAreDue()
    {
        host.beginTurn(1);
        open(1, CALM);
        open(2, CALM);
        final long before = allocated();
        move(2, TIMES);
        assertTrue(allocated() - before < LIMIT, "the last place must be used again");
        host.endTurn();
        turn(SECOND_NS);
        assertEquals(List.of(1L, 2L), ran);
    }

    @Test
    void shouldNotGrowWhenTheOldestRoomIsTheNextToLeave()
    {
        host.beginTurn(1);
        for (int i = 0; i < ROOMS; i++)
        {
            open(1 + i, CALM);
        }
        final long before = allocated();
        for (int i = 0; i < TIMES; i++)
        {
            move(1 + i % ROOMS, 1);
        }
        assertTrue(allocated() - before < LIMIT, "free places must be used again");
        host.endTurn();
        turn(SECOND_NS);
        assertEquals(List.of(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L), ran);
    }

    @Test
    void shouldRunEveryRoomOnceWhenSomeLeaveAndEnterInTheirFrames()
    {
        host.beginTurn(1);
        for (int i = 0; i < ROOMS; i++)
        {
            open(1 + i, 0 == i % 3 ? RESTLESS : CALM);
        }
        host.endTurn();
        turn(SECOND_NS);
        turn(2 * SECOND_NS);
        assertEquals(
            List.of(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L), ran);
    }

    private void open(final long roomId, final int typeId)
    {
        host.onCommand(buffer, 0, encoder.openRoom(buffer, 0, roomId, roomId, 0, 0, typeId, payload, 0, 0));
    }

    private void move(final long roomId, final int times)
    {
        payload.putInt(0, times);
        host.onCommand(buffer, 0, encoder.signal(buffer, 0, roomId, 0, 0, payload, 0, Integer.BYTES));
    }

    private void turn(final long nowNs)
    {
        host.beginTurn(nowNs);
        host.endTurn();
    }

    private long allocated()
    {
        return threads.getThreadAllocatedBytes(Thread.currentThread().getId());
    }

    /** Leaves its group and enters it again. */
    private final class Mover extends Quiet
    {
        private final int timesInFrame;

        Mover(final int timesInFrame)
        {
            this.timesInFrame = timesInFrame;
        }

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            super.onOpen(opened, args, offset, length);
            room.frameRate(RATE_HZ);
        }

        @Override
        public void onSignal(final long fromRoomId, final DirectBuffer args, final int offset, final int length)
        {
            move(args.getInt(offset));
        }

        @Override
        public void onFrame(final long frame, final long elapsedNs)
        {
            ran.add(room.roomId());
            move(timesInFrame);
        }

        private void move(final int times)
        {
            for (int i = 0; i < times; i++)
            {
                room.frameRate(0);
                room.frameRate(RATE_HZ);
            }
        }
    }
}
