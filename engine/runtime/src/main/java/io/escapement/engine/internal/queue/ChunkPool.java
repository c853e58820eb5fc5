package io.escapement.engine.internal.queue;

import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The memory that the queues of a loop share for untaken messages of links. It allocates only at a new maximum of
 * queued bytes, and never above its limit. For one thread.
 */
public final class ChunkPool
{
    /** Some of the longest messages. */
    public static final int CHUNK_LENGTH = 64 * 1_024;

    /** A part of a queue. */
    static final class Chunk
    {
        final UnsafeBuffer buffer;
        /** Offset after the last byte, once there is a next chunk. */
        private int end;
        private Chunk next;

        Chunk(final int length)
        {
            buffer = new UnsafeBuffer(BufferUtil.allocateDirectAligned(length, BitUtil.CACHE_LINE_LENGTH));
        }

        int end()
        {
            return end;
        }

        Chunk next()
        {
            return next;
        }

        /** Set the next chunk of a queue, or null, and where the bytes of this chunk end. */
        void next(final Chunk chunk, final int endOfThis)
        {
            next = chunk;
            end = endOfThis;
        }
    }

    private final int limit;
    private int made;
    private int taken;
    /** The chunk that was used last is in the cache. It is therefore taken first. */
    private Chunk free;

    /**
     * Make one.
     *
     * @param length limit, in bytes.
     */
    public ChunkPool(final int length)
    {
        limit = length / CHUNK_LENGTH;
    }

    /** A chunk, or null if all are taken. */
    Chunk take()
    {
        if (null == free)
        {
            if (made == limit)
            {
                return null;
            }
            made++;
            taken++;
            return new Chunk(CHUNK_LENGTH);
        }
        final Chunk chunk = free;
        free = chunk.next;
        chunk.next = null;
        taken++;
        return chunk;
    }

    void giveBack(final Chunk chunk)
    {
        chunk.next = free;
        free = chunk;
        taken--;
    }

    /** Bytes of the chunks that are free or can be made. */
    public int free()
    {
        return (limit - taken) * CHUNK_LENGTH;
    }
}
