package io.escapement.perf.loop;

import com.lmax.disruptor.BusySpinWaitStrategy;
import com.lmax.disruptor.EventPoller;
import com.lmax.disruptor.RingBuffer;
import io.escapement.perf.rig.MessageCounter;
import org.agrona.BufferUtil;
import org.agrona.LangUtil;
import org.agrona.concurrent.UnsafeBuffer;

/** A bare Disruptor ring with an {@link EventPoller}: 64 B are copied in and out. */
final class DisruptorRing implements Ring
{
    private static final int ALIGNMENT = 64;

    private final UnsafeBuffer block = new UnsafeBuffer(
        BufferUtil.allocateDirectAligned(SLOTS * MessageCounter.MESSAGE_LENGTH, ALIGNMENT));
    private final RingBuffer<Slot> ring;
    private final EventPoller<Slot> poller;
    private final MessageCounter counter;
    private int createdSlots;
    private volatile boolean isClosed;
    /** Written before the sequence of the batch is published. */
    private long batches;

    private record Slot(int offset)
    {
    }

    DisruptorRing(final MessageCounter counter)
    {
        this.counter = counter;
        ring = RingBuffer.createSingleProducer(
            () -> new Slot(MessageCounter.MESSAGE_LENGTH * createdSlots++), SLOTS, new BusySpinWaitStrategy());
        poller = ring.newPoller();
        ring.addGatingSequences(poller.getSequence());
        new Thread(this::consume, "disruptor-consumer").start();
    }

    @Override
    public void send(final UnsafeBuffer message, final long sequence)
    {
        // The sequencer would park instead of spinning.
        while (!ring.hasAvailableCapacity(1))
        {
            Thread.onSpinWait();
        }
        final long claimed = ring.next();
        block.putBytes(ring.get(claimed).offset, message, 0, MessageCounter.MESSAGE_LENGTH);
        ring.publish(claimed);
    }

    @Override
    public boolean isEmpty()
    {
        return poller.getSequence().get() == ring.getCursor();
    }

    @Override
    public long batches()
    {
        return batches;
    }

    @Override
    public void close()
    {
        isClosed = true;
    }

    private void consume()
    {
        final EventPoller.Handler<Slot> handler = (slot, sequence, isEndOfBatch) ->
        {
            counter.receive(block, slot.offset);
            if (isEndOfBatch)
            {
                batches++;
            }
            return true;
        };
        try
        {
            while (!isClosed)
            {
                if (EventPoller.PollState.PROCESSING != poller.poll(handler))
                {
                    Thread.onSpinWait();
                }
            }
        }
        catch (final Exception ex)
        {
            LangUtil.rethrowUnchecked(ex);
        }
    }
}
