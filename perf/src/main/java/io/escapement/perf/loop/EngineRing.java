package io.escapement.perf.loop;

import io.escapement.codecs.room.RoomEncoder;
import io.escapement.engine.internal.queue.CommandQueue;
import io.escapement.perf.rig.MessageCounter;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** The ring of a loop, with a room as its consumer. The producer writes as the edge does after it has read a batch. */
final class EngineRing implements Ring, RoomLogic
{
    private static final int LINK = 1;
    private static final int TYPE_ID = 1;
    private static final long ROOM_ID = 1;
    private static final int FIRST_GENERATION = 1;
    /** The edge reads the clock once per batch, of 16 such messages. */
    private static final int CLOCK_MASK = 15;

    private final MessageCounter counter;
    private final LoopUnderTest loop;
    private final CommandQueue ring;
    private final UnsafeBuffer block;
    private final RoomEncoder encoder;
    private volatile boolean hasJoined;
    private long acceptedNs;

    EngineRing(final MessageCounter counter)
    {
        this.counter = counter;
        loop = new LoopUnderTest(
            RoomType.of(TYPE_ID, "receive", 1, () -> this).seats(1).timers(0), 1, 1, "busy");
        ring = loop.ring;
        block = ring.block();
        encoder = loop.encoder;
        loop.openRooms(TYPE_ID, 1);
        loop.join(ROOM_ID, LINK);
        loop.await(() -> hasJoined);
    }

    @Override
    public void send(final UnsafeBuffer message, final long sequence)
    {
        long claimed = ring.tryClaim(1);
        while (CommandQueue.FULL == claimed)
        {
            Thread.onSpinWait();
            claimed = ring.tryClaim(1);
        }
        if (0 == (sequence & CLOCK_MASK))
        {
            acceptedNs = loop.time.nowNs();
        }
        final CommandQueue.Slot slot = ring.slot(claimed);
        slot.acceptedNs(acceptedNs);
        slot.length(encoder.message(block, slot.offset, ROOM_ID, sequence, 0, FIRST_GENERATION, LINK,
            message, 0, MessageCounter.MESSAGE_LENGTH));
        ring.publish(claimed, 1);
    }

    @Override
    public boolean isEmpty()
    {
        return ring.isEmpty();
    }

    @Override
    public long batches()
    {
        return loop.counter("turns");
    }

    @Override
    public void check()
    {
        loop.check();
        if (0 != loop.counter("commands refused"))
        {
            throw new IllegalStateException("the loop refused " + loop.counter("commands refused") + " commands");
        }
    }

    @Override
    public void close()
    {
        loop.close();
    }

    @Override
    public void onOpen(final Room room, final DirectBuffer args, final int offset, final int length)
    {
        // The room is not used.
    }

    @Override
    public void onJoin(final Seat seat)
    {
        hasJoined = true;
    }

    @Override
    public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
    {
        counter.receive(buffer, offset);
    }
}
