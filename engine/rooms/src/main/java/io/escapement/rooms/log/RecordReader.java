package io.escapement.rooms.log;

import org.agrona.DirectBuffer;
import static io.escapement.rooms.log.RecordHeader.CHECK_OFFSET;
import static io.escapement.rooms.log.RecordHeader.END_KIND;
import static io.escapement.rooms.log.RecordHeader.FILE_CHECK_OFFSET;
import static io.escapement.rooms.log.RecordHeader.FILE_HEAD_LENGTH;
import static io.escapement.rooms.log.RecordHeader.FILE_KIND_OFFSET;
import static io.escapement.rooms.log.RecordHeader.FILE_ZERO_OFFSET;
import static io.escapement.rooms.log.RecordHeader.FORMAT_VERSION;
import static io.escapement.rooms.log.RecordHeader.FORMAT_VERSION_OFFSET;
import static io.escapement.rooms.log.RecordHeader.HEAD_CHECK_OFFSET;
import static io.escapement.rooms.log.RecordHeader.KIND_OFFSET;
import static io.escapement.rooms.log.RecordHeader.LENGTH_OFFSET;
import static io.escapement.rooms.log.RecordHeader.MAGIC;
import static io.escapement.rooms.log.RecordHeader.MAGIC_OFFSET;
import static io.escapement.rooms.log.RecordHeader.MAX_RECORD_LENGTH;
import static io.escapement.rooms.log.RecordHeader.RECORD_HEAD_LENGTH;
import static io.escapement.rooms.log.RecordHeader.recordLength;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * Reads a file of records in place and checks every bit of what it passes. Whatever is wrong is a
 * {@link DamagedRecordException}. Who must not act on half a file calls {@link #verifyAll()} first.
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
     * Opens a file and checks its head.
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
     * Opens a file and checks its head.
     *
     * @param buffer            that holds the file.
     * @param offset            of the file.
     * @param length            of the file in bytes.
     * @param fileKind          that the file must have: {@link RecordHeader#LOG} or {@link RecordHeader#SNAPSHOT}.
     * @param unfinishedAllowed when true, a file without an end record is read up to its last whole record. Damage
     *                          other than a missing end is refused as ever.
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
        checkFileHead(fileKind);
        rewind();
    }

    /**
     * Goes back to before the first record.
     */
    public void rewind()
    {
        position = FILE_HEAD_LENGTH;
        recordOffset = 0;
        kind = 0;
        bodyLength = 0;
        ordinal = 0;
        ended = false;
    }

    /**
     * Moves to the next record and checks it.
     *
     * @return true at a record; false at the end record, whose body can then be read, and false where an unfinished
     * file that is allowed to be so ends.
     */
    public boolean next()
    {
        if (ended)
        {
            return false;
        }

        final int remaining = fileLength - position;
        if (remaining < RECORD_HEAD_LENGTH)
        {
            return cutOff(0 == remaining ? "no end record" : "cut off within the head of a record");
        }

        final int start = fileOffset + position;
        final int length = buffer.getInt(start + LENGTH_OFFSET, LITTLE_ENDIAN);
        if (length < 0 || length > MAX_RECORD_LENGTH)
        {
            throw damaged(position, "record length out of 0.." + MAX_RECORD_LENGTH + ": " + length);
        }

        final int recordKind = buffer.getInt(start + KIND_OFFSET, LITTLE_ENDIAN);
        if (checksum.ofRecordHead(length, recordKind, ordinal) !=
            buffer.getInt(start + HEAD_CHECK_OFFSET, LITTLE_ENDIAN))
        {
            throw damaged(position, "checksum of the head of record " + ordinal);
        }

        if (recordKind < END_KIND)
        {
            throw damaged(position, "record kind " + recordKind);
        }

        final int recordLength = recordLength(length);
        if (recordLength > remaining)
        {
            return cutOff("cut off within record " + ordinal);
        }

        if (checksum.goOn(buffer, start + RECORD_HEAD_LENGTH, length) !=
            buffer.getInt(start + CHECK_OFFSET, LITTLE_ENDIAN))
        {
            throw damaged(position, "checksum of record " + ordinal);
        }

        checkPadding(position + RECORD_HEAD_LENGTH + length, position + recordLength);

        recordOffset = position;
        kind = recordKind;
        bodyLength = length;
        position += recordLength;
        ordinal++;

        return END_KIND != recordKind || conclude();
    }

    /**
     * Checks the whole file from its first record to its end, then goes back to before the first record.
     *
     * @return number of records, the end record not counted.
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

    /**
     * Whether the end record was reached.
     *
     * @return true behind the end record; false before it, and at the end of an unfinished file.
     */
    public boolean ended()
    {
        return ended;
    }

    /**
     * Kind of the record.
     *
     * @return the kind; {@link RecordHeader#END_KIND} at the end record.
     */
    public int kind()
    {
        return kind;
    }

    /**
     * The buffer that holds the file.
     *
     * @return the buffer given to the constructor.
     */
    public DirectBuffer buffer()
    {
        return buffer;
    }

    /**
     * Where the record's body begins.
     *
     * @return index in {@link #buffer()}.
     */
    public int bodyOffset()
    {
        return fileOffset + recordOffset + RECORD_HEAD_LENGTH;
    }

    /**
     * Length of the record's body.
     *
     * @return length in bytes, without padding.
     */
    public int bodyLength()
    {
        return bodyLength;
    }

    /**
     * Where the record begins, as it is named in a {@link DamagedRecordException}.
     *
     * @return offset from the start of the file.
     */
    public long recordOffset()
    {
        return recordOffset;
    }

    private boolean conclude()
    {
        if (position != fileLength)
        {
            throw damaged(position, "bytes behind the end record");
        }

        ended = true;

        return false;
    }

    private boolean cutOff(final String reason)
    {
        if (!unfinishedAllowed)
        {
            throw damaged(position, reason);
        }

        return false;
    }

    private void checkFileHead(final int expectedKind)
    {
        if (fileLength < FILE_HEAD_LENGTH)
        {
            throw damaged(0, "cut off within the head of the file");
        }

        if (MAGIC != buffer.getLong(fileOffset + MAGIC_OFFSET, LITTLE_ENDIAN))
        {
            throw damaged(MAGIC_OFFSET, "no file of records: wrong magic");
        }

        if (checksum.ofFileHead(buffer, fileOffset) != buffer.getInt(fileOffset + FILE_CHECK_OFFSET, LITTLE_ENDIAN))
        {
            throw damaged(0, "checksum of the head of the file");
        }

        final int version = buffer.getInt(fileOffset + FORMAT_VERSION_OFFSET, LITTLE_ENDIAN);
        if (FORMAT_VERSION != version)
        {
            throw damaged(FORMAT_VERSION_OFFSET, "format version " + version + ", known is " + FORMAT_VERSION);
        }

        final int fileKind = buffer.getInt(fileOffset + FILE_KIND_OFFSET, LITTLE_ENDIAN);
        if (expectedKind != fileKind)
        {
            throw damaged(FILE_KIND_OFFSET, "file kind " + fileKind + ", expected " + expectedKind);
        }

        checkPadding(FILE_ZERO_OFFSET, FILE_HEAD_LENGTH);
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
