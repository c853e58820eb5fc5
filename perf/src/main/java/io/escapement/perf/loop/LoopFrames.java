package io.escapement.perf.loop;

import io.escapement.engine.monitor.LoopRecorder;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;

/** The frames of rooms on a live loop, with the loop's own recorder. */
final class LoopFrames extends FramesUnderTest
{
    private static final int TYPE_ID = 1;

    private final List<FrameRoom> rooms = new ArrayList<>();
    private final LoopUnderTest loop;
    private volatile int openRooms;

    /** Create, and wait until all rooms are open. */
    LoopFrames(final FramesPlan plan, final int hz)
    {
        super(plan, hz);
        final RoomType type = RoomType.of(TYPE_ID, "frames", 1, FrameRoom::new)
            .seats(1).timers(0).requests(0).groups(0).outputLimit(1_024);
        loop = new LoopUnderTest(type, plan.rooms, plan.phases, plan.idle);
        loop.openRooms(TYPE_ID, plan.rooms);
        loop.await(() -> plan.rooms == openRooms);
    }

    @Override
    LoopRecorder recorder()
    {
        return loop.measurements;
    }

    @Override
    long missed()
    {
        return loop.counter("room-frames that never ran");
    }

    @Override
    void check()
    {
        loop.check();
    }

    @Override
    public void close()
    {
        loop.close();
    }

    @Override
    long countedFrames()
    {
        return rooms.stream().mapToLong((room) -> room.frames).sum();
    }

    private final class FrameRoom implements RoomLogic
    {
        private boolean isFirst;
        private long frames;

        @Override
        public void onOpen(final Room room, final DirectBuffer args, final int offset, final int length)
        {
            isFirst = rooms.isEmpty();
            rooms.add(this);
            room.frameRate(hz);
            openRooms = rooms.size();
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            throw new IllegalStateException("the room has no seat that is taken");
        }

        @Override
        public void onFrame(final long frame, final long elapsedNs)
        {
            frames++;
            if (isFirst)
            {
                LoopFrames.this.onFrame(frame);
            }
            plan.work();
        }
    }
}
