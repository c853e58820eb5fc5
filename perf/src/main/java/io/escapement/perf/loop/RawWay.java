package io.escapement.perf.loop;

import com.lmax.disruptor.BusySpinWaitStrategy;
import com.lmax.disruptor.EventPoller;
import com.lmax.disruptor.InsufficientCapacityException;
import com.lmax.disruptor.RingBuffer;
import io.escapement.perf.process.ReceivedBlocks;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/** A bare Disruptor ring with an {@link EventPoller}: 64 B are copied in, 64 B are copied out. */
final class RawWay implements RingRun.Way
{
    private static final int ALIGNMENT = 64;

    private static final class Slot
    {
        final int offset;

        Slot(final int offset)
        {
            this.offset = offset;
        }
    }

    private final UnsafeBuffer block = new UnsafeBuffer(
        BufferUtil.allocateDirectAligned(LoopUnderTest.RING_SLOTS * ReceivedBlocks.MESSAGE_LENGTH, ALIGNMENT));
    private final RingBuffer<Slot> ring;
    private final EventPoller<Slot> poller;
    private final Thread consumer;
    private int made;
    private volatile Exception fault;

    RawWay(final ReceivedBlocks received)
    {
        ring = RingBuffer.createSingleProducer(
            () -> new Slot(ReceivedBlocks.MESSAGE_LENGTH * made++),
            LoopUnderTest.RING_SLOTS,
            new BusySpinWaitStrategy());
        poller = ring.newPoller();
        ring.addGatingSequences(poller.getSequence());
        consumer = new Thread(() -> consume(received), "raw-consumer");
        consumer.start();
    }

    @Override
    public void send(final UnsafeBuffer message, final long sequence)
    {
        while (!ring.hasAvailableCapacity(1))
        {
            Thread.onSpinWait();
        }
        try
        {
            final long claimed = ring.tryNext();
            block.putBytes(ring.get(claimed).offset, message, 0, ReceivedBlocks.MESSAGE_LENGTH);
            ring.publish(claimed);
        }
        catch (final InsufficientCapacityException ex)
        {
            throw new IllegalStateException("there is one producer", ex);
        }
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
    public boolean isEmpty()
    {
        return poller.getSequence().get() == ring.getCursor();
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

    private void consume(final ReceivedBlocks received)
    {
        final EventPoller.Handler<Slot> handler = (slot, sequence, isEndOfBatch) ->
        {
            received.receive(block, slot.offset);
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
