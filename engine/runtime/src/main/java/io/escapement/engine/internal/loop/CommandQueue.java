package io.escapement.engine.internal.loop;

import com.lmax.disruptor.EventPoller;
import com.lmax.disruptor.InsufficientCapacityException;
import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.WaitStrategy;
import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A bounded queue of commands between threads: a Disruptor ring whose slots are places of one block of memory. Any
 * number of slots is claimed at once or not at all. A producer is never made to wait.
 */
public final class CommandQueue
{
    /** What a claim returns when there is no room. */
    public static final long FULL = -1;

    /** A slot holds a command for the host. */
    public static final int COMMAND = 0;

    /** One place of the queue. */
    public static final class Slot
    {
        /** Where the bytes begin in {@link CommandQueue#block()}. */
        public final int offset;
        /** How many there are. */
        public int length;
        /** What they are: {@link #COMMAND}, or what the two ends agreed on. */
        public int kind;
        /** Engine time at which the edge let it in. */
        public long acceptedNs;
        /** What cannot be bytes. The reader takes it out. */
        public Object attachment;

        Slot(final int offset)
        {
            this.offset = offset;
        }
    }

    private static final int ALIGNMENT = BitUtil.CACHE_LINE_LENGTH;
    private static final int BYTES_LIMIT = 1 << 30;

    private final RingBuffer<Slot> ring;
    private final EventPoller<Slot> poller;
    private final UnsafeBuffer block;
    private final int slotLength;
    private int made;

    private CommandQueue(final boolean isMulti, final int slots, final int slotLength, final WaitStrategy strategy)
    {
        final int stride = BitUtil.align(slotLength, ALIGNMENT);
        if (!BitUtil.isPowerOfTwo(slots) || (long)slots * stride > BYTES_LIMIT)
        {
            throw new IllegalArgumentException("slots must be a power of two and all of them at most 1 GiB: " + slots);
        }
        this.slotLength = slotLength;
        block = new UnsafeBuffer(BufferUtil.allocateDirectAligned(slots * stride, ALIGNMENT));
        // Readers poll; of a strategy only its signal to a parked reader is used.
        ring = isMulti ?
            RingBuffer.createMultiProducer(() -> new Slot(stride * made++), slots, strategy) :
            RingBuffer.createSingleProducer(() -> new Slot(stride * made++), slots, strategy);
        poller = ring.newPoller();
        ring.addGatingSequences(poller.getSequence());
    }

    /**
     * A queue for one producer.
     *
     * @param slots      a power of two.
     * @param slotLength most bytes of a command.
     * @param wakeup     of the reader.
     * @return the queue.
     */
    public static CommandQueue ofOneProducer(final int slots, final int slotLength, final WaitStrategy wakeup)
    {
        return new CommandQueue(false, slots, slotLength, wakeup);
    }

    /**
     * A queue for many producers.
     *
     * @param slots      a power of two.
     * @param slotLength most bytes of a command.
     * @param wakeup     of the reader.
     * @return the queue.
     */
    public static CommandQueue ofManyProducers(final int slots, final int slotLength, final WaitStrategy wakeup)
    {
        return new CommandQueue(true, slots, slotLength, wakeup);
    }

    /**
     * Whether so many slots are free. In a producer's thread.
     *
     * @param count of slots.
     * @return whether they could be claimed just now.
     */
    public boolean hasRoom(final int count)
    {
        return ring.hasAvailableCapacity(count);
    }

    /**
     * Claim slots that follow each other. What is claimed has to be published.
     *
     * @param count of slots.
     * @return number of the first, or {@link #FULL}.
     */
    public long tryClaim(final int count)
    {
        if (!hasRoom(count))
        {
            return FULL;
        }
        try
        {
            return ring.tryNext(count) - count + 1;
        }
        catch (final InsufficientCapacityException ex)
        {
            // Another producer was faster. The exception is a constant of the library.
            return FULL;
        }
    }

    /**
     * The slot of a number that was claimed, as a plain command.
     *
     * @param sequence that was claimed.
     * @return the slot, for its producer to fill.
     */
    public Slot slot(final long sequence)
    {
        final Slot slot = ring.get(sequence);
        slot.kind = COMMAND;
        return slot;
    }

    /**
     * Where the readable slots end. In the reader's thread.
     *
     * @return the number after the last that was published.
     */
    public long end()
    {
        return ring.getCursor() + 1;
    }

    /**
     * A slot that can be read, to look at and not to take. In the reader's thread.
     *
     * @param sequence of a slot that is published and not yet taken.
     * @return the slot.
     */
    public Slot peek(final long sequence)
    {
        return ring.get(sequence);
    }

    /**
     * The memory of all slots.
     *
     * @return the block.
     */
    public UnsafeBuffer block()
    {
        return block;
    }

    /**
     * Most bytes that a slot holds.
     *
     * @return the number.
     */
    public int slotLength()
    {
        return slotLength;
    }

    /**
     * Hand over what was claimed.
     *
     * @param first number.
     * @param count of slots.
     */
    public void publish(final long first, final int count)
    {
        ring.publish(first, first + count - 1);
    }

    /**
     * Claim, copy and publish one slot.
     *
     * @param kind       of the slot.
     * @param attachment or null.
     * @param buffer     with the bytes.
     * @param offset     of the bytes.
     * @param length     of the bytes, at most {@link #slotLength()}.
     * @return whether there was room.
     */
    public boolean offer(
        final int kind, final Object attachment, final DirectBuffer buffer, final int offset, final int length)
    {
        if (length > slotLength)
        {
            throw new IllegalArgumentException(length + " bytes do not fit a slot of " + slotLength);
        }
        final long sequence = tryClaim(1);
        if (FULL == sequence)
        {
            return false;
        }
        final Slot slot = slot(sequence);
        slot.kind = kind;
        slot.attachment = attachment;
        slot.length = length;
        block.putBytes(slot.offset, buffer, offset, length);
        publish(sequence, 1);
        return true;
    }

    /**
     * Read what is there, in the reader's thread.
     *
     * @param handler that must not throw: a slot that throws would be read for ever.
     * @return whether anything was read.
     */
    public boolean poll(final EventPoller.Handler<Slot> handler)
    {
        try
        {
            return EventPoller.PollState.PROCESSING == poller.poll(handler);
        }
        catch (final Exception ex)
        {
            throw new IllegalStateException("a reader of a queue threw", ex);
        }
    }

    /**
     * Whether nothing waits. Exact in the reader's thread.
     *
     * @return whether it is empty.
     */
    public boolean isEmpty()
    {
        return poller.getSequence().get() == ring.getCursor();
    }

    /**
     * How many slots wait. Exact in the reader's thread, and when nobody writes.
     *
     * @return the number.
     */
    public long size()
    {
        return ring.getCursor() - poller.getSequence().get();
    }

    /**
     * How many slots there are.
     *
     * @return the number.
     */
    public int capacity()
    {
        return ring.getBufferSize();
    }
}
