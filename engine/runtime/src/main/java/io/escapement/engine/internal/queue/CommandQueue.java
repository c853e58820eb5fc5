package io.escapement.engine.internal.queue;

import com.lmax.disruptor.EventPoller;
import com.lmax.disruptor.InsufficientCapacityException;
import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.WaitStrategy;
import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A bounded queue of commands between threads: a Disruptor ring. Its slots are ranges of one block of memory. Claims
 * are atomic and never block.
 */
public final class CommandQueue
{
    /** Slot length of a ring, in bytes: the longest command of a trunk and its header. */
    public static final int RING_SLOT_LENGTH = 576;
    /** Slot length of an inbox, in bytes. */
    public static final int INBOX_SLOT_LENGTH = 2_048;
    /** Result of a claim that found too few free slots. */
    public static final long FULL = -1;

    /** One entry of the queue. */
    public static final class Slot
    {
        /** Offset of the slot's bytes in {@link CommandQueue#block()}. */
        public final int offset;
        private int length;
        private long acceptedNs;
        /** An object that goes with the bytes, such as a closure. */
        private Object attachment;
        /** A code, because storing a reference in every slot would cost a write barrier. */
        private int code;

        Slot(final int offset)
        {
            this.offset = offset;
        }

        /** Number of bytes in use. */
        public int length()
        {
            return length;
        }

        /**
         * Set the number of bytes in use.
         *
         * @param value in bytes.
         */
        public void length(final int value)
        {
            length = value;
        }

        /** Engine time at which the edge admitted the command. */
        public long acceptedNs()
        {
            return acceptedNs;
        }

        /**
         * Set the time at which the edge admits the command.
         *
         * @param nowNs engine time.
         */
        public void acceptedNs(final long nowNs)
        {
            acceptedNs = nowNs;
        }

        void attachment(final Object value)
        {
            attachment = value;
        }

        /** The object that goes with the bytes, or null. The slot does not keep it. */
        public Object takeAttachment()
        {
            final Object taken = attachment;
            attachment = null;
            return taken;
        }

        /** The type of this slot. */
        public ControlSignal signal()
        {
            return ControlSignal.of(code);
        }

        /**
         * Set the type of this slot.
         *
         * @param signal the type.
         */
        public void signal(final ControlSignal signal)
        {
            code = signal.code();
        }

        /** Whether the slot holds a command for the room host. */
        public boolean isCommand()
        {
            return ControlSignal.COMMAND.code() == code;
        }
    }

    private static final int ALIGNMENT = BitUtil.CACHE_LINE_LENGTH;
    private static final int MAX_BLOCK_LENGTH = 1 << 30;

    private final RingBuffer<Slot> ring;
    private final EventPoller<Slot> poller;
    private final UnsafeBuffer block;
    private final int slotLength;
    private int slotsMade;

    private CommandQueue(final boolean isMulti, final int slots, final int slotLength, final WaitStrategy strategy)
    {
        final int stride = BitUtil.align(slotLength, ALIGNMENT);
        if (!BitUtil.isPowerOfTwo(slots) || (long)slots * stride > MAX_BLOCK_LENGTH)
        {
            throw new IllegalArgumentException("slots: " + slots + " of " + stride +
                " bytes: use a power of two that takes at most " + MAX_BLOCK_LENGTH + " bytes");
        }
        this.slotLength = slotLength;
        block = new UnsafeBuffer(BufferUtil.allocateDirectAligned(slots * stride, ALIGNMENT));
        // Because readers poll, only the strategy's signal to a parked reader is used.
        ring = isMulti ?
            RingBuffer.createMultiProducer(() -> new Slot(stride * slotsMade++), slots, strategy) :
            RingBuffer.createSingleProducer(() -> new Slot(stride * slotsMade++), slots, strategy);
        poller = ring.newPoller();
        ring.addGatingSequences(poller.getSequence());
    }

    /**
     * Make a queue that one thread writes.
     *
     * @param slots      a power of two.
     * @param slotLength maximum length of a command, in bytes.
     * @param wakeup     signalled by each publish.
     */
    public static CommandQueue singleProducer(final int slots, final int slotLength, final WaitStrategy wakeup)
    {
        return new CommandQueue(false, slots, slotLength, wakeup);
    }

    /**
     * Make a queue that any thread may write.
     *
     * @param slots      a power of two.
     * @param slotLength maximum length of a command, in bytes.
     * @param wakeup     signalled by each publish.
     */
    public static CommandQueue multiProducer(final int slots, final int slotLength, final WaitStrategy wakeup)
    {
        return new CommandQueue(true, slots, slotLength, wakeup);
    }

    /**
     * Whether a claim would succeed now. In a producer's thread.
     *
     * @param count of slots.
     * @return whether that many are free.
     */
    public boolean hasRoom(final int count)
    {
        return ring.hasAvailableCapacity(count);
    }

    /**
     * Claim consecutive slots, which must then be published.
     *
     * @param count of slots.
     * @return sequence of the first, or {@link #FULL}.
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
            // Another producer claimed first. The exception is a preallocated instance.
            return FULL;
        }
    }

    /**
     * A claimed slot, reset to a {@link ControlSignal#COMMAND} for its producer to fill.
     *
     * @param sequence that was claimed.
     */
    public Slot slot(final long sequence)
    {
        final Slot slot = ring.get(sequence);
        slot.signal(ControlSignal.COMMAND);
        return slot;
    }

    /** The sequence after the last published slot. In the reader's thread, of a queue with one producer. */
    public long end()
    {
        return ring.getCursor() + 1;
    }

    /**
     * A published slot, without consuming it. In the reader's thread.
     *
     * @param sequence of a slot that is published and not yet consumed.
     */
    public Slot peek(final long sequence)
    {
        return ring.get(sequence);
    }

    /** The memory of all slots. */
    public UnsafeBuffer block()
    {
        return block;
    }

    /** Maximum length of a command, in bytes. */
    public int slotLength()
    {
        return slotLength;
    }

    /**
     * Publish claimed slots.
     *
     * @param first sequence.
     * @param count of slots.
     */
    public void publish(final long first, final int count)
    {
        ring.publish(first, first + count - 1);
    }

    /**
     * Claim, fill and publish one slot.
     *
     * @param signal     type of the slot.
     * @param attachment or null.
     * @param buffer     with the bytes.
     * @param offset     of the bytes.
     * @param length     of the bytes, at most {@link #slotLength()}.
     * @return false when the queue is full.
     */
    public boolean offer(
        final ControlSignal signal,
        final Object attachment,
        final DirectBuffer buffer,
        final int offset,
        final int length)
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
        final Slot slot = ring.get(sequence);
        slot.signal(signal);
        slot.attachment(attachment);
        slot.length(length);
        block.putBytes(slot.offset, buffer, offset, length);
        publish(sequence, 1);
        return true;
    }

    /**
     * Consume published slots until the handler returns false. In the reader's thread.
     *
     * @param handler that must not throw: if it throws, the slot is redelivered.
     * @return whether a slot was consumed.
     */
    public boolean poll(final EventPoller.Handler<Slot> handler)
    {
        try
        {
            return EventPoller.PollState.PROCESSING == poller.poll(handler);
        }
        catch (final Exception ex)
        {
            throw new IllegalStateException("the handler of a queue threw", ex);
        }
    }

    /** Whether no slot waits. Exact in the reader's thread. */
    public boolean isEmpty()
    {
        return poller.getSequence().get() == ring.getCursor();
    }

    /** Number of slots that wait. Exact in the reader's thread, and while no producer writes. */
    public long size()
    {
        return ring.getCursor() - poller.getSequence().get();
    }

    /** Number of slots. */
    public int capacity()
    {
        return ring.getBufferSize();
    }
}
