package io.escapement.engine.internal.queue;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * A bounded FIFO of messages. It owns some memory, and takes chunks from a {@link ChunkPool} for more than that holds.
 * Because no message spans two chunks, the messages of a chunk are contiguous and a range of them can be sent as it is.
 * A claim may move the queued bytes: offsets are valid until the next claim. For one thread.
 */
public final class ByteFifo
{
    /** Result of a claim that does not fit. */
    public static final int NO_ROOM = -1;

    private final ChunkPool.Chunk own;
    /** Null for a queue that takes no chunks. */
    private ChunkPool pool;
    private int limit;
    private ChunkPool.Chunk first;
    private ChunkPool.Chunk last;
    private int head;
    private int tail;
    private int size;

    /**
     * Make an empty queue.
     *
     * @param capacity in bytes, without chunks.
     */
    public ByteFifo(final int capacity)
    {
        own = new ChunkPool.Chunk(capacity);
        first = own;
        last = own;
        limit = capacity;
    }

    /**
     * Take chunks for more than the own memory has room for. While the queue is empty.
     *
     * @param value    of the loop.
     * @param newLimit most bytes in the queue.
     */
    public void pool(final ChunkPool value, final int newLimit)
    {
        pool = value;
        limit = newLimit;
    }

    /**
     * Claim space at the end.
     *
     * @param length in bytes.
     * @return offset to write at in {@link #buffer()}, or {@link #NO_ROOM}.
     */
    public int claim(final int length)
    {
        if (size + length > limit || length > last.buffer.capacity() - tail && !makeRoom(length))
        {
            return NO_ROOM;
        }
        final int offset = tail;
        tail += length;
        size += length;
        return offset;
    }

    /** Move the queued bytes to the start of their memory if that is cheap or the only way, or take a chunk. */
    private boolean makeRoom(final int length)
    {
        final int capacity = last.buffer.capacity();
        if (first == last && length <= capacity - size && (null == pool || size <= capacity / 2))
        {
            last.buffer.putBytes(0, last.buffer, head, size);
            head = 0;
            tail = size;
            return true;
        }
        final ChunkPool.Chunk chunk = null == pool || length > ChunkPool.CHUNK_LENGTH ? null : pool.take();
        if (null == chunk)
        {
            return false;
        }
        last.next(chunk, tail);
        last = chunk;
        tail = 0;
        if (0 == size)
        {
            nextChunk();
        }
        return true;
    }

    /** The memory of the last claim. */
    public UnsafeBuffer buffer()
    {
        return last.buffer;
    }

    /** The memory of the first byte. */
    public UnsafeBuffer headBuffer()
    {
        return first.buffer;
    }

    /** Offset of the first byte in {@link #headBuffer()}. */
    public int head()
    {
        return head;
    }

    /** Offset after the last byte that follows the first byte in {@link #headBuffer()}. */
    public int headEnd()
    {
        return first == last ? tail : first.end();
    }

    /**
     * Remove the first bytes.
     *
     * @param length of them, at most to {@link #headEnd()}.
     */
    public void drop(final int length)
    {
        head += length;
        size -= length;
        if (0 == size)
        {
            clear();
        }
        else if (head == first.end() && first != last)
        {
            nextChunk();
        }
    }

    private void nextChunk()
    {
        final ChunkPool.Chunk left = first;
        first = left.next();
        head = 0;
        giveBack(left);
    }

    private void giveBack(final ChunkPool.Chunk chunk)
    {
        chunk.next(null, 0);
        if (own != chunk)
        {
            pool.giveBack(chunk);
        }
    }

    /** Remove all bytes. */
    public void clear()
    {
        while (first != last)
        {
            nextChunk();
        }
        giveBack(first);
        first = own;
        last = own;
        head = 0;
        tail = 0;
        size = 0;
    }

    /** Number of queued bytes. */
    public int size()
    {
        return size;
    }

    /** Whether no bytes are queued. */
    public boolean isEmpty()
    {
        return 0 == size;
    }
}
