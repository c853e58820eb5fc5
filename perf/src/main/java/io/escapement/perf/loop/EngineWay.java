package io.escapement.perf.loop;

import io.escapement.codecs.RoomCommandEncoder;
import io.escapement.engine.internal.loop.CommandQueue;
import io.escapement.perf.process.ReceivedBlocks;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** The ring of a loop, and a room at the end of it: the producer does what the edge does after it has read a frame. */
final class EngineWay implements RingRun.Way
{
    private static final int LINK = 1;
    private static final int TYPE_ID = 1;
    private static final long ROOM_ID = 1;
    private static final int FIRST_GENERATION = 1;
    /** The edge reads the clock once a frame of this many such messages. */
    private static final int CLOCK_MASK = 15;
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(5);

    private final LoopUnderTest loop;
    private final CommandQueue ring;
    private final UnsafeBuffer block;
    private final RoomCommandEncoder encoder;
    private volatile boolean hasJoined;
    private long acceptedNs;

    EngineWay(final ReceivedBlocks received)
    {
        loop = new LoopUnderTest(
            RoomType.of(TYPE_ID, "receive", 1, () -> new Receiver(received)).seats(1).timers(0), 1, 1, "busy");
        ring = loop.ring();
        block = ring.block();
        encoder = loop.encoder();
        loop.openRooms(TYPE_ID, 1);
        loop.join(ROOM_ID, LINK);
        final long startNs = System.nanoTime();
        while (!hasJoined)
        {
            check();
            if (System.nanoTime() - startNs > PATIENCE_NS)
            {
                throw new IllegalStateException("the player got no seat");
            }
            Thread.onSpinWait();
        }
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
            acceptedNs = loop.time().nowNs();
        }
        final CommandQueue.Slot slot = ring.slot(claimed);
        slot.acceptedNs = acceptedNs;
        slot.length = encoder.message(block, slot.offset, ROOM_ID, 0, FIRST_GENERATION, LINK, sequence,
            message, 0, ReceivedBlocks.MESSAGE_LENGTH);
        ring.publish(claimed, 1);
    }

    @Override
    public void check()
    {
        loop.check();
        if (0 != loop.count("commands refused"))
        {
            throw new IllegalStateException("the loop refused " + loop.count("commands refused") + " commands");
        }
    }

    @Override
    public boolean isEmpty()
    {
        return ring.isEmpty();
    }

    @Override
    public void close()
    {
        loop.close();
    }

    private final class Receiver implements RoomLogic
    {
        private final ReceivedBlocks received;

        Receiver(final ReceivedBlocks received)
        {
            this.received = received;
        }

        @Override
        public void onOpen(final Room room, final DirectBuffer args, final int offset, final int length)
        {
            // It needs nothing of its room.
        }

        @Override
        public void onJoin(final Seat seat)
        {
            hasJoined = true;
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            received.receive(buffer, offset);
        }
    }
}
