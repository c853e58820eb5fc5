package io.escapement.perf.loop;

import com.lmax.disruptor.BusySpinWaitStrategy;
import com.lmax.disruptor.EventPoller;
import com.lmax.disruptor.RingBuffer;
import io.escapement.perf.rig.MessageCounter;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/** A bare Disruptor ring with an {@link EventPoller}: 64 B are copied in and out. */
final class DisruptorRing implements Ring
{
    private static final int ALIGNMENT = 64;

    private final UnsafeBuffer block = new UnsafeBuffer(
        BufferUtil.allocateDirectAligned(SLOTS * MessageCounter.MESSAGE_LENGTH, ALIGNMENT));
    private final RingBuffer<Slot> ring;
    private final EventPoller<Slot> poller;
    private final Thread consumer;
    private int createdSlots;
    private volatile Exception fault;
    /** Written before the sequence of the batch is published. */
    private long batches;

    private record Slot(int offset)
    {
    }

    DisruptorRing(final MessageCounter counter)
    {
        ring = RingBuffer.createSingleProducer(
            () -> new Slot(MessageCounter.MESSAGE_LENGTH * createdSlots++), SLOTS, new BusySpinWaitStrategy());
        poller = ring.newPoller();
        ring.addGatingSequences(poller.getSequence());
        consumer = new Thread(() -> consume(counter), "disruptor-consumer");
        consumer.start();
    }

    @Override
    public void send(final UnsafeBuffer message, final long sequence)
    {
        // The sequencer would park in place of spinning.
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
    public void check()
    {
        if (null != fault)
        {
            throw new IllegalStateException("the consumer failed", fault);
        }
    }

    @Override
    public void close()
    {
        consumer.interrupt();
        try
        {
            consumer.join();
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    private void consume(final MessageCounter counter)
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
            while (!Thread.currentThread().isInterrupted())
            {
                if (EventPoller.PollState.PROCESSING != poller.poll(handler))
                {
                    Thread.onSpinWait();
                }
            }
        }
        catch (final Exception ex)
        {
            fault = ex;
        }
    }
}
