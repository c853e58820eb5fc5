package io.escapement.rooms.log;

import io.escapement.rooms.DamagedRecordException;
import io.escapement.rooms.internal.records.RecordChecksum;
import io.escapement.rooms.internal.records.RecordHeader;
import io.escapement.rooms.internal.records.RecordReader;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * The records of a journal, which are written and checked where they lie in memory. They have the layout of this
 * package, in files of kind 3, with one difference: the number in their checksums is not an ordinal but the record's
 * position in the journal. A journal goes on over many files, so a record of another place, file or time does not pass.
 *
 * <p>One thread at a time. Allocates nothing, except for the first record of each direct buffer.
 */
public final class JournalRecords
{
    /** Version of the layout of records, and of the hashes of output and state in them. */
    public static final int FORMAT_VERSION = RecordHeader.FORMAT_VERSION;

    /** Length of the header of a file in bytes. */
    public static final int FILE_HEADER_LENGTH = RecordHeader.FILE_HEADER_LENGTH;

    /** Length of the header of a record in bytes; its body follows. */
    public static final int HEADER_LENGTH = RecordHeader.LENGTH;

    /** Every record begins at a multiple of this many bytes. */
    public static final int ALIGNMENT = 8;

    /** Result of {@link #check}: no record begins here, the header is zero. */
    public static final int NONE = 0;

    /** Result of {@link #check}: these bytes are not a whole record of this position. */
    public static final int DAMAGED = -1;

    private final RecordChecksum checksum = new RecordChecksum();

    /**
     * Length of a record with its header and its padding.
     *
     * @param bodyLength in bytes.
     */
    public static int recordLength(final int bodyLength)
    {
        return RecordHeader.recordLength(bodyLength);
    }

    /**
     * Kind of the record at an offset.
     *
     * @param buffer with the record.
     * @param offset of the record.
     */
    public static int kind(final DirectBuffer buffer, final int offset)
    {
        return buffer.getInt(offset + RecordHeader.KIND_OFFSET, LITTLE_ENDIAN);
    }

    /**
     * Length of the body of the record at an offset.
     *
     * @param buffer with the record.
     * @param offset of the record.
     */
    public static int bodyLength(final DirectBuffer buffer, final int offset)
    {
        return buffer.getInt(offset + RecordHeader.LENGTH_OFFSET, LITTLE_ENDIAN);
    }

    /**
     * Checksum of the record at an offset.
     *
     * @param buffer with the record.
     * @param offset of the record.
     */
    public static int checksum(final DirectBuffer buffer, final int offset)
    {
        return buffer.getInt(offset + RecordHeader.CHECK_OFFSET, LITTLE_ENDIAN);
    }

    /**
     * Write the header of a journal's file.
     *
     * @param buffer for the header.
     * @param offset of the header.
     */
    public void putFileHeader(final MutableDirectBuffer buffer, final int offset)
    {
        buffer.putLong(offset + RecordHeader.MAGIC_OFFSET, RecordHeader.MAGIC, LITTLE_ENDIAN);
        buffer.putInt(offset + RecordHeader.FORMAT_VERSION_OFFSET, RecordHeader.FORMAT_VERSION, LITTLE_ENDIAN);
        buffer.putInt(offset + RecordHeader.FILE_KIND_OFFSET, RecordHeader.JOURNAL, LITTLE_ENDIAN);
        buffer.putInt(offset + RecordHeader.FILE_CHECK_OFFSET, checksum.ofFileHeader(buffer, offset), LITTLE_ENDIAN);
        buffer.putInt(offset + RecordHeader.FILE_ZERO_OFFSET, 0, LITTLE_ENDIAN);
    }

    /**
     * Check the header of a journal's file.
     *
     * @param buffer with the file.
     * @param offset of the file.
     * @param length of the file in bytes.
     * @throws DamagedRecordException when it is damaged, or of another format version or kind.
     */
    public static void checkFileHeader(final DirectBuffer buffer, final int offset, final int length)
    {
        new RecordReader(buffer, offset, length, RecordHeader.JOURNAL, true);
    }

    /**
     * Check every record of a snapshot.
     *
     * @param buffer with the snapshot.
     * @param offset of the snapshot.
     * @param length of the snapshot in bytes.
     * @throws DamagedRecordException when it is damaged or incomplete.
     */
    public static void checkSnapshot(final DirectBuffer buffer, final int offset, final int length)
    {
        new RecordReader(buffer, offset, length, RecordHeader.SNAPSHOT).verifyAll();
    }

    /**
     * Complete a record around its body: write its header and its padding.
     *
     * @param buffer     with the body, {@link #HEADER_LENGTH} behind the offset.
     * @param offset     of the record.
     * @param kind       of the record, the template id of its message.
     * @param bodyLength in bytes.
     * @param position   of the record in the journal.
     * @return length of the record in bytes.
     */
    public int seal(
        final MutableDirectBuffer buffer,
        final int offset,
        final int kind,
        final int bodyLength,
        final long position)
    {
        final int bodyOffset = offset + HEADER_LENGTH;
        final int recordLength = RecordHeader.recordLength(bodyLength);
        for (int i = bodyOffset + bodyLength, end = offset + recordLength; i < end; i++)
        {
            buffer.putByte(i, (byte)0);
        }
        final int headerCheck = checksum.ofRecordHeader(bodyLength, kind, position);
        final int check = checksum.ofRecordBody(buffer, bodyOffset, bodyLength);
        buffer.putInt(offset + RecordHeader.LENGTH_OFFSET, bodyLength, LITTLE_ENDIAN);
        buffer.putInt(offset + RecordHeader.KIND_OFFSET, kind, LITTLE_ENDIAN);
        buffer.putInt(offset + RecordHeader.HEADER_CHECK_OFFSET, headerCheck, LITTLE_ENDIAN);
        buffer.putInt(offset + RecordHeader.CHECK_OFFSET, check, LITTLE_ENDIAN);
        return recordLength;
    }

    /**
     * Check whether a whole record begins at an offset.
     *
     * @param buffer   with the record.
     * @param offset   of the record.
     * @param limit    end of the bytes in the buffer.
     * @param position of the record in the journal.
     * @return length of the record in bytes, {@link #NONE} or {@link #DAMAGED}.
     */
    public int check(final DirectBuffer buffer, final int offset, final int limit, final long position)
    {
        final int recordLength = checkHeader(buffer, offset, limit, position);
        if (recordLength <= 0)
        {
            return recordLength;
        }
        if (recordLength > limit - offset)
        {
            return DAMAGED;
        }
        final int bodyOffset = offset + HEADER_LENGTH;
        final int bodyLength = bodyLength(buffer, offset);
        final boolean isWhole =
            checksum.ofRecordBody(buffer, bodyOffset, bodyLength) == checksum(buffer, offset) &&
            isZero(buffer, bodyOffset + bodyLength, offset + recordLength);
        return isWhole ? recordLength : DAMAGED;
    }

    /**
     * Check whether the whole header of a record is at an offset. The record may end behind the limit.
     *
     * @param buffer   with the header.
     * @param offset   of the record.
     * @param limit    end of the bytes in the buffer.
     * @param position of the record in the journal.
     * @return length of the record in bytes, {@link #NONE} or {@link #DAMAGED}.
     */
    public int checkHeader(final DirectBuffer buffer, final int offset, final int limit, final long position)
    {
        if (limit - offset < HEADER_LENGTH)
        {
            return isZero(buffer, offset, limit) ? NONE : DAMAGED;
        }
        if (0 == buffer.getLong(offset) && 0 == buffer.getLong(offset + Long.BYTES))
        {
            return NONE;
        }
        final int bodyLength = bodyLength(buffer, offset);
        final int kind = kind(buffer, offset);
        return bodyLength < 0 || bodyLength > RecordHeader.MAX_RECORD_LENGTH || kind <= 0 ||
            checksum.ofRecordHeader(bodyLength, kind, position) !=
            buffer.getInt(offset + RecordHeader.HEADER_CHECK_OFFSET, LITTLE_ENDIAN) ?
            DAMAGED : RecordHeader.recordLength(bodyLength);
    }

    private static boolean isZero(final DirectBuffer buffer, final int from, final int to)
    {
        for (int i = from; i < to; i++)
        {
            if (0 != buffer.getByte(i))
            {
                return false;
            }
        }
        return true;
    }
}
