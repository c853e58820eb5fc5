package io.escapement.engine.internal.loop;

import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Bytes that wait in one piece, first in first out. What is claimed stays where it is until the next claim: when the
 * end of the memory is reached, what waits is moved to its begin. For one thread.
 */
public final class ByteFifo
{
    /** What a claim returns when there is none. */
    public static final int NO_ROOM = -1;

    private final UnsafeBuffer buffer;
    private int head;
    private int tail;

    /**
     * Make it empty.
     *
     * @param capacity in bytes.
     */
    public ByteFifo(final int capacity)
    {
        buffer = new UnsafeBuffer(BufferUtil.allocateDirectAligned(capacity, BitUtil.CACHE_LINE_LENGTH));
    }

    /**
     * The memory.
     *
     * @return the buffer.
     */
    public UnsafeBuffer buffer()
    {
        return buffer;
    }

    /**
     * Make room at the end.
     *
     * @param length in bytes.
     * @return where to write, or {@link #NO_ROOM}.
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
     * Take the first bytes out.
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

    /**
     * Take everything out.
     */
    public void clear()
    {
        head = 0;
        tail = 0;
    }

    /**
     * Where the first byte is.
     *
     * @return the offset in the memory.
     */
    public int head()
    {
        return head;
    }

    /**
     * Where the next byte goes.
     *
     * @return the offset in the memory.
     */
    public int tail()
    {
        return tail;
    }

    /**
     * How many bytes wait.
     *
     * @return the number.
     */
    public int size()
    {
        return tail - head;
    }

    /**
     * Whether none do.
     *
     * @return whether it is empty.
     */
    public boolean isEmpty()
    {
        return head == tail;
    }
}
