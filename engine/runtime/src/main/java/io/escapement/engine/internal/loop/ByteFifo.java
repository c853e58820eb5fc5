package io.escapement.engine.internal.loop;

import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A bounded FIFO of bytes, contiguous in memory. A claim that reaches the end of the memory first moves the queued
 * bytes to its start, so offsets are valid until the next claim. For one thread.
 */
public final class ByteFifo
{
    /** Result of a claim that does not fit. */
    public static final int NO_ROOM = -1;

    private final UnsafeBuffer buffer;
    private int head;
    private int tail;

    /**
     * Make an empty queue.
     *
     * @param capacity in bytes.
     */
    public ByteFifo(final int capacity)
    {
        buffer = new UnsafeBuffer(BufferUtil.allocateDirectAligned(capacity, BitUtil.CACHE_LINE_LENGTH));
    }

    /** The memory. */
    public UnsafeBuffer buffer()
    {
        return buffer;
    }

    /**
     * Claim space at the end.
     *
     * @param length in bytes.
     * @return offset to write at, or {@link #NO_ROOM}.
     */
    public int claim(final int length)
    {
        if (length > buffer.capacity() - tail)
        {
            if (length > buffer.capacity() - size())
            {
                return NO_ROOM;
            }
            buffer.putBytes(0, buffer, head, size());
            tail -= head;
            head = 0;
        }
        final int offset = tail;
        tail += length;
        return offset;
    }

    /**
     * Remove the first bytes.
     *
     * @param length of them.
     */
    public void drop(final int length)
    {
        head += length;
        if (head == tail)
        {
            head = 0;
            tail = 0;
        }
    }

    /** Remove all bytes. */
    public void clear()
    {
        head = 0;
        tail = 0;
    }

    /** Offset of the first byte. */
    public int head()
    {
        return head;
    }

    /** Offset after the last byte. */
    public int tail()
    {
        return tail;
    }

    /** Number of queued bytes. */
    public int size()
    {
        return tail - head;
    }

    /** Whether no bytes are queued. */
    public boolean isEmpty()
    {
        return head == tail;
    }
}
