package io.escapement.rooms.log;

import io.escapement.rooms.DamagedRecordException;
import org.agrona.DirectBuffer;

/**
 * Reads a snapshot or a log in one piece, in place, and verifies every bit of each record. Damage throws
 * {@link DamagedRecordException}. Call {@link #verifyAll()} first to use either the whole file or no part of it.
 */
public final class LogReader
{
    private final DirectBuffer buffer;
    private final int fileOffset;
    private final int fileLength;
    private final boolean isUnfinishedAllowed;
    private final LogRecords records = new LogRecords();
    private int position;
    private int recordOffset;
    private int ordinal;
    private boolean isEnded;

    /**
     * Open a file and verify its header.
     *
     * @param buffer   that holds the file.
     * @param offset   of the file.
     * @param length   of the file in bytes.
     * @param fileKind that the file must have: {@link LogRecords#LOG} or {@link LogRecords#SNAPSHOT}.
     */
    public LogReader(final DirectBuffer buffer, final int offset, final int length, final int fileKind)
    {
        this(buffer, offset, length, fileKind, false);
    }

    /**
     * Open a file and verify its header.
     *
     * @param buffer              that holds the file.
     * @param offset              of the file.
     * @param length              of the file in bytes.
     * @param fileKind            that the file must have: {@link LogRecords#LOG} or {@link LogRecords#SNAPSHOT}.
     * @param isUnfinishedAllowed true to read a file without an end record up to its last complete record. All other
     *                            damage still throws.
     */
    public LogReader(
        final DirectBuffer buffer,
        final int offset,
        final int length,
        final int fileKind,
        final boolean isUnfinishedAllowed)
    {
        buffer.boundsCheck(offset, length);
        this.buffer = buffer;
        fileOffset = offset;
        fileLength = length;
        this.isUnfinishedAllowed = isUnfinishedAllowed;
        records.checkFileHeader(buffer, offset, length, fileKind);
        rewind();
    }

    /** Return to the position before the first record. */
    public void rewind()
    {
        position = LogRecords.FILE_HEADER_LENGTH;
        recordOffset = 0;
        ordinal = 0;
        isEnded = false;
    }

    /**
     * Move to the next record and verify it.
     *
     * @return true at a record. False at the end record, and at the end of an unfinished file, where that is allowed.
     */
    public boolean next()
    {
        if (isEnded)
        {
            return false;
        }

        final int start = fileOffset + position;
        final int remaining = fileLength - position;
        if (remaining < LogRecords.HEADER_LENGTH)
        {
            return truncated(0 == remaining ? "no end record" : "truncated within the header of a record");
        }
        final int recordLength = records.checkHeader(buffer, start, fileOffset + fileLength, position);
        if (recordLength <= 0)
        {
            throw damaged("checksum of the header of record " + ordinal);
        }
        if (recordLength > remaining)
        {
            return truncated("truncated within record " + ordinal);
        }
        if (!records.isBodyWhole(buffer, start))
        {
            throw damaged("checksum of record " + ordinal);
        }

        recordOffset = position;
        position += recordLength;
        ordinal++;
        return LogRecords.END_KIND != kind() || acceptEnd();
    }

    /** Verify the whole file, then return to the position before the first record. */
    public void verifyAll()
    {
        rewind();
        while (next())
        {
            // Each step verifies.
        }
        rewind();
    }

    /** Whether the end record was read: always false for an unfinished file. */
    public boolean isEnded()
    {
        return isEnded;
    }

    /** Kind of the record: the template id of its message. */
    public int kind()
    {
        return LogRecords.kind(buffer, fileOffset + recordOffset);
    }

    /** The buffer that holds the file. */
    public DirectBuffer buffer()
    {
        return buffer;
    }

    /** Start index of the record's body in {@link #buffer()}. */
    public int bodyOffset()
    {
        return fileOffset + recordOffset + LogRecords.HEADER_LENGTH;
    }

    /** Length of the record's body in bytes, without padding. */
    public int bodyLength()
    {
        return LogRecords.bodyLength(buffer, fileOffset + recordOffset);
    }

    /** Offset of the record from the start of the file, as in a {@link DamagedRecordException}. */
    public long recordOffset()
    {
        return recordOffset;
    }

    private boolean acceptEnd()
    {
        if (position != fileLength || 0 != bodyLength())
        {
            throw damaged(position == fileLength ? "an end record with a body" : "bytes after the end record");
        }
        isEnded = true;
        return false;
    }

    private boolean truncated(final String reason)
    {
        if (!isUnfinishedAllowed)
        {
            throw damaged(reason);
        }
        return false;
    }

    private DamagedRecordException damaged(final String reason)
    {
        return new DamagedRecordException(position, reason);
    }
}
