package io.escapement.rooms.host;

import io.escapement.rooms.internal.records.RecordHeader;
import io.escapement.rooms.internal.records.RecordWriter;
import io.escapement.rooms.output.RecordSink;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The records of one snapshot in memory. The host's thread adds them, the rooms in any order; once it is complete,
 * another thread may write them to a file, in the order of opening and with their checksums. The memory is used again
 * by the next snapshot.
 */
final class SnapshotRecords
{
    /** Memory grows by this much, since a new array is filled with zeros by the thread that makes it. */
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
    private RecordWriter writer;
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

    /**
     * Add a record.
     *
     * @param kind   of the record.
     * @param order  0 for those of the host, which are written first, otherwise the room's ordinal.
     * @param source with the body, from its beginning.
     * @param bodyLength of the body.
     */
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

    /** Why it cannot be completed, or null. */
    public Throwable failure()
    {
        return failure;
    }

    /** Length of the states that were added, in bytes. */
    public long length()
    {
        return length;
    }

    /**
     * Write the next records of the complete snapshot as a file of records.
     *
     * @param sink       for them.
     * @param leastBytes to write in this call, if there are as many.
     * @return whether the file is complete.
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
            writer = new RecordWriter(sink, RecordHeader.SNAPSHOT);
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

    /** Write from the first record again, as before. */
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
