package io.escapement.rooms.host;

import io.escapement.rooms.log.LogRecords;
import io.escapement.rooms.log.LogWriter;
import io.escapement.rooms.output.RecordSink;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A snapshot of a host in memory, taken while the host runs: its state at the end of the turn before
 * {@link RoomHost#beginImage}. The host's thread fills it, the rooms in any order. After it is complete, another thread
 * may write it to a file, in the order of opening and with checksums. Its memory is kept for the next snapshot.
 */
public final class HostImage
{
    /** Memory grows by this much, because a thread that makes a new array fills it with zeros. */
    private static final int CHUNK_LENGTH = 64 * 1_024;
    private static final int INITIAL_RECORDS = 1_024;
    private static final int INDEX_BITS = 24;
    private static final int INDEX_MASK = (1 << INDEX_BITS) - 1;

    private final List<UnsafeBuffer> chunks = new ArrayList<>();
    /** Order of a record in the high bits, its index in the low ones. */
    private long[] keys = new long[INITIAL_RECORDS];
    private int[] kinds = new int[INITIAL_RECORDS];
    private int[] chunkIndices = new int[INITIAL_RECORDS];
    private int[] offsets = new int[INITIAL_RECORDS];
    private int[] lengths = new int[INITIAL_RECORDS];
    private int size;
    private int chunk;
    private int chunkEnd;
    private long length;
    private boolean isComplete;
    private Throwable failure;
    private LogWriter writer;
    private int written;

    /** Forget the last snapshot. */
    void begin()
    {
        size = 0;
        chunk = 0;
        chunkEnd = 0;
        length = 0;
        isComplete = false;
        failure = null;
        rewind();
    }

    /** Add a record. Its order is 0 for a record of the host, otherwise the room's ordinal. */
    void add(final int kind, final long order, final DirectBuffer source, final int bodyLength)
    {
        if (size == keys.length)
        {
            grow();
        }
        if (order >= 1L << (Long.SIZE - 1 - INDEX_BITS) || size > INDEX_MASK)
        {
            throw new IllegalStateException("room " + order + ", record " + size + " of a snapshot");
        }
        reserve(bodyLength);
        chunks.get(chunk).putBytes(chunkEnd, source, 0, bodyLength);
        keys[size] = order << INDEX_BITS | size;
        kinds[size] = kind;
        chunkIndices[size] = chunk;
        offsets[size] = chunkEnd;
        lengths[size++] = bodyLength;
        chunkEnd += bodyLength;
        length += bodyLength;
    }

    void complete()
    {
        isComplete = true;
    }

    void fail(final Throwable cause)
    {
        failure = cause;
    }

    /** Whether all rooms are in it. */
    public boolean isComplete()
    {
        return isComplete;
    }

    /** The reason why it cannot be completed because a room could not be written, or null. */
    public Throwable failure()
    {
        return failure;
    }

    /** Length of the states that are in it, in bytes. */
    public long length()
    {
        return length;
    }

    /**
     * Write the next part of the complete snapshot, in the format of {@link RoomHost#snapshot}. Computes checksums.
     *
     * @param sink       that takes the bytes, the same in all calls.
     * @param leastBytes to write in this call, if as many are left.
     * @return whether all is written.
     */
    public boolean writeTo(final RecordSink sink, final long leastBytes)
    {
        if (!isComplete)
        {
            throw new IllegalStateException("the snapshot is not complete");
        }
        if (null == writer)
        {
            Arrays.sort(keys, 0, size);
            writer = new LogWriter(sink, LogRecords.SNAPSHOT);
        }
        long bytes = 0;
        while (written < size && bytes < leastBytes)
        {
            final int i = (int)keys[written++] & INDEX_MASK;
            writer.append(kinds[i], chunks.get(chunkIndices[i]), offsets[i], lengths[i]);
            bytes += lengths[i];
        }
        if (written == size && bytes < leastBytes)
        {
            written++;
            writer.end();
        }
        return written > size;
    }

    /** Write it once more from its start: the same bytes. */
    public void rewind()
    {
        writer = null;
        written = 0;
    }

    /** Have space for a record in one piece, in the chunk that is filled or another. */
    private void reserve(final int bodyLength)
    {
        if (chunks.isEmpty())
        {
            chunks.add(newChunk(bodyLength));
        }
        while (chunks.get(chunk).capacity() - chunkEnd < bodyLength)
        {
            chunkEnd = 0;
            if (++chunk == chunks.size())
            {
                chunks.add(newChunk(bodyLength));
            }
        }
    }

    private static UnsafeBuffer newChunk(final int bodyLength)
    {
        return new UnsafeBuffer(new byte[Math.max(CHUNK_LENGTH, bodyLength)]);
    }

    private void grow()
    {
        final int newLength = 2 * size;
        keys = Arrays.copyOf(keys, newLength);
        kinds = Arrays.copyOf(kinds, newLength);
        chunkIndices = Arrays.copyOf(chunkIndices, newLength);
        offsets = Arrays.copyOf(offsets, newLength);
        lengths = Arrays.copyOf(lengths, newLength);
    }
}
