package io.escapement.engine.internal.durable;

import java.nio.ByteBuffer;
import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The end of a loop's journal, in memory that outlives the process. The loop stores whole records, the journal's thread
 * writes them to the file.
 *
 * <pre>
 *   0      magic, version, loop, journal's id, boot's id, incarnation, length of the ring, limit of a record
 *   128    stored        the loop: records up to here are whole        segment: start of the newest segment
 *   256    written       the writer: bytes up to here are in the file
 *   384    synced        the journal's thread: bytes up to here are on the disk
 *   4,096  ring          byte p of the journal at p mod length
 *          overhang      the end of a record that begins near the ring's end, a second time
 * </pre>
 *
 * Because the overhang makes every record contiguous, a record is sealed and passed on in place.
 */
final class Tail
{
    static final int HEADER_LENGTH = 4_096;
    /** "ESCPTAIL" */
    private static final long MAGIC = 0x4C49_4154_5043_5345L;
    private static final int VERSION = 1;

    private static final int MAGIC_OFFSET = 0;
    private static final int VERSION_OFFSET = 8;
    private static final int LOOP_OFFSET = 12;
    private static final int JOURNAL_ID_OFFSET = 16;
    private static final int BOOT_ID_OFFSET = 24;
    private static final int INCARNATION_OFFSET = 32;
    private static final int RING_LENGTH_OFFSET = 36;
    private static final int RECORD_LIMIT_OFFSET = 40;
    private static final int STORED_OFFSET = 128;
    private static final int SEGMENT_OFFSET = 136;
    private static final int WRITTEN_OFFSET = 256;
    private static final int SYNCED_OFFSET = 384;

    private final UnsafeBuffer header;
    private final UnsafeBuffer ring;
    private final int ringLength;
    private final int recordLimit;

    private Tail(final UnsafeBuffer memory, final int ringLength, final int recordLimit)
    {
        header = new UnsafeBuffer(memory, 0, HEADER_LENGTH);
        ring = new UnsafeBuffer(memory, HEADER_LENGTH, ringLength + recordLimit);
        this.ringLength = ringLength;
        this.recordLimit = recordLimit;
    }

    /** Length of the memory of a tail. */
    static int memoryLength(final int ringLength, final int recordLimit)
    {
        return HEADER_LENGTH + ringLength + recordLimit;
    }

    /** Begin a tail in {@link #memoryLength(int, int)} bytes of zeros. The length of its ring is a power of two. */
    static Tail begin(
        final UnsafeBuffer memory,
        final int ringLength,
        final int recordLimit,
        final TailOwner owner,
        final long position)
    {
        final Tail tail = new Tail(memory, ringLength, recordLimit);
        final UnsafeBuffer header = tail.header;
        header.putInt(VERSION_OFFSET, VERSION);
        header.putInt(LOOP_OFFSET, owner.loop());
        header.putLong(JOURNAL_ID_OFFSET, owner.journalId());
        header.putLong(BOOT_ID_OFFSET, owner.bootId());
        header.putInt(INCARNATION_OFFSET, owner.incarnation());
        header.putInt(RING_LENGTH_OFFSET, ringLength);
        header.putInt(RECORD_LIMIT_OFFSET, recordLimit);
        header.putLong(STORED_OFFSET, position);
        header.putLong(SEGMENT_OFFSET, position);
        header.putLong(WRITTEN_OFFSET, position);
        header.putLong(SYNCED_OFFSET, position);
        header.putLongRelease(MAGIC_OFFSET, MAGIC);
        return tail;
    }

    /** A tail that another process has left. Null if the process stopped before it had started the tail. */
    static Tail of(final UnsafeBuffer memory)
    {
        if (memory.capacity() < HEADER_LENGTH || MAGIC != memory.getLongAcquire(MAGIC_OFFSET))
        {
            return null;
        }
        final int version = memory.getInt(VERSION_OFFSET);
        if (VERSION != version)
        {
            throw new JournalException("the tail has version " + version + ", this build reads " + VERSION +
                ": start the build that wrote it once more and stop it in order");
        }
        final int ringLength = memory.getInt(RING_LENGTH_OFFSET);
        final int recordLimit = memory.getInt(RECORD_LIMIT_OFFSET);
        if (!BitUtil.isPowerOfTwo(ringLength) || recordLimit <= 0 || recordLimit > ringLength ||
            memoryLength(ringLength, recordLimit) != memory.capacity())
        {
            throw new JournalException("the tail's header is damaged: a ring of " + ringLength +
                " bytes and records of " + recordLimit + " in " + memory.capacity());
        }
        return new Tail(memory, ringLength, recordLimit);
    }

    TailOwner owner()
    {
        return new TailOwner(header.getLong(JOURNAL_ID_OFFSET), header.getLong(BOOT_ID_OFFSET),
            header.getInt(LOOP_OFFSET), header.getInt(INCARNATION_OFFSET));
    }

    /** The ring with its overhang. */
    UnsafeBuffer ring()
    {
        return ring;
    }

    int ringLength()
    {
        return ringLength;
    }

    int recordLimit()
    {
        return recordLimit;
    }

    /** Index in {@link #ring()} of a position. */
    int index(final long position)
    {
        return (int)position & (ringLength - 1);
    }

    /** A view of the memory for one thread. Its indexes are the ring's indexes plus {@link #bytesOffset()}. */
    ByteBuffer bytes()
    {
        return ring.byteBuffer().duplicate();
    }

    int bytesOffset()
    {
        return ring.wrapAdjustment();
    }

    long stored()
    {
        return header.getLongAcquire(STORED_OFFSET);
    }

    /** Publish records. Because the store is a release, a reader of the position sees the bytes before it. */
    void stored(final long position)
    {
        header.putLongRelease(STORED_OFFSET, position);
    }

    /** Start of the newest segment. It counts once {@link #stored()} is past it. Read stored() first. */
    long segment()
    {
        return header.getLong(SEGMENT_OFFSET);
    }

    /** Begin a segment at a position, before {@link #stored(long)} passes it. */
    void segment(final long position)
    {
        header.putLong(SEGMENT_OFFSET, position);
    }

    long written()
    {
        return header.getLongAcquire(WRITTEN_OFFSET);
    }

    void written(final long position)
    {
        header.putLongRelease(WRITTEN_OFFSET, position);
    }

    long synced()
    {
        return header.getLongAcquire(SYNCED_OFFSET);
    }

    void synced(final long position)
    {
        header.putLongRelease(SYNCED_OFFSET, position);
    }
}
