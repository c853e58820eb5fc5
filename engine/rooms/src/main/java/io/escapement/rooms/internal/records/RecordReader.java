package io.escapement.rooms.internal.records;

import io.escapement.rooms.DamagedRecordException;
import org.agrona.DirectBuffer;
import static io.escapement.rooms.internal.records.RecordHeader.CHECK_OFFSET;
import static io.escapement.rooms.internal.records.RecordHeader.END_KIND;
import static io.escapement.rooms.internal.records.RecordHeader.FILE_CHECK_OFFSET;
import static io.escapement.rooms.internal.records.RecordHeader.FILE_HEADER_LENGTH;
import static io.escapement.rooms.internal.records.RecordHeader.FILE_KIND_OFFSET;
import static io.escapement.rooms.internal.records.RecordHeader.FILE_ZERO_OFFSET;
import static io.escapement.rooms.internal.records.RecordHeader.FORMAT_VERSION;
import static io.escapement.rooms.internal.records.RecordHeader.FORMAT_VERSION_OFFSET;
import static io.escapement.rooms.internal.records.RecordHeader.HEADER_CHECK_OFFSET;
import static io.escapement.rooms.internal.records.RecordHeader.KIND_OFFSET;
import static io.escapement.rooms.internal.records.RecordHeader.LENGTH_OFFSET;
import static io.escapement.rooms.internal.records.RecordHeader.MAGIC;
import static io.escapement.rooms.internal.records.RecordHeader.MAGIC_OFFSET;
import static io.escapement.rooms.internal.records.RecordHeader.MAX_RECORD_LENGTH;
import static io.escapement.rooms.internal.records.RecordHeader.recordLength;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * Reads a file of records in place and verifies every bit of each record; damage throws
 * {@link DamagedRecordException}. Call {@link #verifyAll()} first to use either the whole file or nothing of it.
 */
public final class RecordReader
{
    private final DirectBuffer buffer;
    private final int fileOffset;
    private final int fileLength;
    private final boolean unfinishedAllowed;
    private final RecordChecksum checksum = new RecordChecksum();
    private int position;
    private int recordOffset;
    private int kind;
    private int bodyLength;
    private long ordinal;
    private boolean ended;

    /**
     * Open a file and verify its header.
     *
     * @param buffer   that holds the file.
     * @param offset   of the file.
     * @param length   of the file in bytes.
     * @param fileKind that the file must have: {@link RecordHeader#LOG} or {@link RecordHeader#SNAPSHOT}.
     */
    public RecordReader(final DirectBuffer buffer, final int offset, final int length, final int fileKind)
    {
        this(buffer, offset, length, fileKind, false);
    }

    /**
     * Open a file and verify its header.
     *
     * @param buffer            that holds the file.
     * @param offset            of the file.
     * @param length            of the file in bytes.
     * @param fileKind          that the file must have: {@link RecordHeader#LOG} or {@link RecordHeader#SNAPSHOT}.
     * @param unfinishedAllowed true to read a file without an end record up to its last complete record. All other
     *                          damage still throws.
     */
    public RecordReader(
        final DirectBuffer buffer,
        final int offset,
        final int length,
        final int fileKind,
        final boolean unfinishedAllowed)
    {
        buffer.boundsCheck(offset, length);
        this.buffer = buffer;
        this.fileOffset = offset;
        this.fileLength = length;
        this.unfinishedAllowed = unfinishedAllowed;
        checkFileHeader(fileKind);
        rewind();
    }

    /** Return to the position before the first record. */
    public void rewind()
    {
        position = FILE_HEADER_LENGTH;
        recordOffset = 0;
        kind = 0;
        bodyLength = 0;
        ordinal = 0;
        ended = false;
    }

    /**
     * Move to the next record and verify it.
     *
     * @return true at a record; false at the end record, whose body can then be read, and false at the end of an
     *         unfinished file, where that is allowed.
     */
    public boolean next()
    {
        if (ended)
        {
            return false;
        }

        final int remaining = fileLength - position;
        if (remaining < RecordHeader.LENGTH)
        {
            return truncated(0 == remaining ? "no end record" : "truncated within the header of a record");
        }

        final int start = fileOffset + position;
        final int length = buffer.getInt(start + LENGTH_OFFSET, LITTLE_ENDIAN);
        if (length < 0 || length > MAX_RECORD_LENGTH)
        {
            throw damaged(position, "record length out of 0.." + MAX_RECORD_LENGTH + ": " + length);
        }

        final int recordKind = buffer.getInt(start + KIND_OFFSET, LITTLE_ENDIAN);
        if (checksum.ofRecordHeader(length, recordKind, ordinal) !=
            buffer.getInt(start + HEADER_CHECK_OFFSET, LITTLE_ENDIAN))
        {
            throw damaged(position, "checksum of the header of record " + ordinal);
        }

        if (recordKind < END_KIND)
        {
            throw damaged(position, "record kind " + recordKind);
        }

        final int recordLength = recordLength(length);
        if (recordLength > remaining)
        {
            return truncated("truncated within record " + ordinal);
        }

        if (checksum.ofRecordBody(buffer, start + RecordHeader.LENGTH, length) !=
            buffer.getInt(start + CHECK_OFFSET, LITTLE_ENDIAN))
        {
            throw damaged(position, "checksum of record " + ordinal);
        }

        checkPadding(position + RecordHeader.LENGTH + length, position + recordLength);

        recordOffset = position;
        kind = recordKind;
        bodyLength = length;
        position += recordLength;
        ordinal++;

        return END_KIND != recordKind || acceptEnd();
    }

    /**
     * Verify the whole file, then return to the position before the first record.
     *
     * @return number of records, excluding the end record.
     */
    public long verifyAll()
    {
        rewind();
        long count = 0;
        while (next())
        {
            count++;
        }

        rewind();
        return count;
    }

    /** Whether the end record was read: always false for an unfinished file. */
    public boolean ended()
    {
        return ended;
    }

    /** Kind of the record: the template id of its message, or 1 for the end record. */
    public int kind()
    {
        return kind;
    }

    /** The buffer that holds the file. */
    public DirectBuffer buffer()
    {
        return buffer;
    }

    /** Index in {@link #buffer()} at which the record's body begins. */
    public int bodyOffset()
    {
        return fileOffset + recordOffset + RecordHeader.LENGTH;
    }

    /** Length of the record's body in bytes, without padding. */
    public int bodyLength()
    {
        return bodyLength;
    }

    /** Offset of the record from the start of the file, as in a {@link DamagedRecordException}. */
    public long recordOffset()
    {
        return recordOffset;
    }

    private boolean acceptEnd()
    {
        if (position != fileLength)
        {
            throw damaged(position, "bytes after the end record");
        }

        ended = true;
        return false;
    }

    private boolean truncated(final String reason)
    {
        if (!unfinishedAllowed)
        {
            throw damaged(position, reason);
        }

        return false;
    }

    private void checkFileHeader(final int expectedKind)
    {
        if (fileLength < FILE_HEADER_LENGTH)
        {
            throw damaged(0, "truncated within the header of the file");
        }

        if (MAGIC != buffer.getLong(fileOffset + MAGIC_OFFSET, LITTLE_ENDIAN))
        {
            throw damaged(MAGIC_OFFSET, "not a file of records: wrong magic");
        }

        if (checksum.ofFileHeader(buffer, fileOffset) != buffer.getInt(fileOffset + FILE_CHECK_OFFSET, LITTLE_ENDIAN))
        {
            throw damaged(0, "checksum of the header of the file");
        }

        final int version = buffer.getInt(fileOffset + FORMAT_VERSION_OFFSET, LITTLE_ENDIAN);
        if (FORMAT_VERSION != version)
        {
            throw damaged(FORMAT_VERSION_OFFSET, "format version " + version + ", supported is " + FORMAT_VERSION);
        }

        final int fileKind = buffer.getInt(fileOffset + FILE_KIND_OFFSET, LITTLE_ENDIAN);
        if (expectedKind != fileKind)
        {
            throw damaged(FILE_KIND_OFFSET, "file kind " + fileKind + ", expected " + expectedKind);
        }

        checkPadding(FILE_ZERO_OFFSET, FILE_HEADER_LENGTH);
    }

    private void checkPadding(final int from, final int to)
    {
        for (int i = from; i < to; i++)
        {
            if (0 != buffer.getByte(fileOffset + i))
            {
                throw damaged(i, "padding is not zero");
            }
        }
    }

    private static DamagedRecordException damaged(final int offset, final String reason)
    {
        return new DamagedRecordException(offset, reason);
    }
}
