package io.escapement.rooms.log;

import io.escapement.codecs.room.ProposalDecoder;
import io.escapement.rooms.DamagedRecordException;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * The records of a log or a snapshot, which are written and checked where they lie in memory. The package draws their
 * layout. A record's position is a part of its checksum. Therefore a record of another place, file or time does not
 * pass.
 *
 * <p>One thread at a time. No allocation, except for the first record of each direct buffer.
 */
public final class LogRecords
{
    /** File kind of a snapshot. */
    public static final int SNAPSHOT = 1;

    /** File kind of a log, or of a segment of one. */
    public static final int LOG = 2;

    /**
     * Version of the layout, including a snapshot's records, and of the hashes of output and state. A reader refuses
     * other versions.
     */
    public static final int FORMAT_VERSION = 1;

    /** Record kind of the end record. All other kinds are greater. */
    public static final int END_KIND = 1;

    /** Record kind of the snapshot at the start of a log in one piece, unless the log starts with an empty host. */
    public static final int SNAPSHOT_KIND = 5;

    /** Record kind of a mark: messages in this log are replaced by their hashes. Such a log cannot be run. */
    public static final int HASHED_KIND = 7;

    /**
     * Longest body of a record in bytes. The limit keeps a damaged length from making a reader walk gigabytes. 64 MiB
     * hold a snapshot of a very large room.
     */
    public static final int MAX_BODY_LENGTH = 64 * 1024 * 1024;

    /** Length of the header of a file in bytes. */
    public static final int FILE_HEADER_LENGTH = 24;

    /** Length of the header of a record in bytes. Its body follows. */
    public static final int HEADER_LENGTH = 24;

    /** Every record starts at a multiple of this many bytes. */
    public static final int ALIGNMENT = 8;

    /** Result of {@link #check}: no record starts here, the header is zero. */
    public static final int NONE = 0;

    /** Result of {@link #check}: these bytes are not a whole record of this position. */
    public static final int DAMAGED = -1;

    /** Offset of the format version in the header of a file. */
    public static final int FORMAT_VERSION_OFFSET = 8;

    /** Offset of the file kind in the header of a file. */
    public static final int FILE_KIND_OFFSET = 12;

    static final int FILE_CHECK_OFFSET = 16;

    /** The first eight bytes of every file: "ESCAPMNT". */
    static final long MAGIC = 0x544E_4D50_4143_5345L;

    private static final int FILE_ZERO_OFFSET = 20;
    private static final int LENGTH_OFFSET = 0;
    private static final int KIND_OFFSET = 4;
    private static final int SYNCED_OFFSET = 8;
    private static final int CHECK_OFFSET = 16;
    private static final int HEADER_CHECK_OFFSET = 20;

    private final RecordChecksum checksum = new RecordChecksum();

    /**
     * Length of a record with its header and its padding.
     *
     * @param bodyLength in bytes.
     */
    public static int recordLength(final int bodyLength)
    {
        return BitUtil.align(HEADER_LENGTH + bodyLength, ALIGNMENT);
    }

    /**
     * Kind of the record at an offset.
     *
     * @param buffer with the record.
     * @param offset of the record.
     */
    public static int kind(final DirectBuffer buffer, final int offset)
    {
        return buffer.getInt(offset + KIND_OFFSET, LITTLE_ENDIAN);
    }

    /**
     * Length of the body of the record at an offset.
     *
     * @param buffer with the record.
     * @param offset of the record.
     */
    public static int bodyLength(final DirectBuffer buffer, final int offset)
    {
        return buffer.getInt(offset + LENGTH_OFFSET, LITTLE_ENDIAN);
    }

    /**
     * Bytes of the log that were on the disk when the record at an offset was made.
     *
     * @param buffer with the record.
     * @param offset of the record.
     */
    public static long synced(final DirectBuffer buffer, final int offset)
    {
        return buffer.getLong(offset + SYNCED_OFFSET, LITTLE_ENDIAN);
    }

    /**
     * Checksum of the record at an offset, including its body.
     *
     * @param buffer with the record.
     * @param offset of the record.
     */
    public static int checksum(final DirectBuffer buffer, final int offset)
    {
        return buffer.getInt(offset + HEADER_CHECK_OFFSET, LITTLE_ENDIAN);
    }

    /**
     * Write the header of a file.
     *
     * @param buffer   for the header.
     * @param offset   of the header.
     * @param fileKind {@link #SNAPSHOT} or {@link #LOG}.
     */
    public void putFileHeader(final MutableDirectBuffer buffer, final int offset, final int fileKind)
    {
        buffer.putLong(offset, MAGIC, LITTLE_ENDIAN);
        buffer.putInt(offset + FORMAT_VERSION_OFFSET, FORMAT_VERSION, LITTLE_ENDIAN);
        buffer.putInt(offset + FILE_KIND_OFFSET, fileKind, LITTLE_ENDIAN);
        buffer.putInt(offset + FILE_CHECK_OFFSET, checksum.ofFileHeader(buffer, offset), LITTLE_ENDIAN);
        buffer.putInt(offset + FILE_ZERO_OFFSET, 0, LITTLE_ENDIAN);
    }

    /**
     * Check the header of a file.
     *
     * @param buffer   with the file.
     * @param offset   of the file.
     * @param length   of the file in bytes.
     * @param fileKind that it must have: {@link #SNAPSHOT} or {@link #LOG}.
     * @throws DamagedRecordException when it is damaged, or of another format version or kind.
     */
    public void checkFileHeader(final DirectBuffer buffer, final int offset, final int length, final int fileKind)
    {
        require(length >= FILE_HEADER_LENGTH, 0, "truncated within the header of the file");
        require(MAGIC == buffer.getLong(offset, LITTLE_ENDIAN), 0, "not a file of records: wrong magic");
        require(checksum.ofFileHeader(buffer, offset) == buffer.getInt(offset + FILE_CHECK_OFFSET, LITTLE_ENDIAN), 0,
            "checksum of the header of the file");
        final int version = buffer.getInt(offset + FORMAT_VERSION_OFFSET, LITTLE_ENDIAN);
        require(FORMAT_VERSION == version, FORMAT_VERSION_OFFSET,
            "format version " + version + ", supported is " + FORMAT_VERSION);
        final int kind = buffer.getInt(offset + FILE_KIND_OFFSET, LITTLE_ENDIAN);
        require(fileKind == kind, FILE_KIND_OFFSET, "file kind " + kind + ", expected " + fileKind);
        require(0 == buffer.getInt(offset + FILE_ZERO_OFFSET), FILE_ZERO_OFFSET, "padding is not zero");
    }

    /**
     * Complete a record around its body: write its header and its padding. A proposal has its own checksum, and it is
     * not computed again.
     *
     * @param buffer     with the body, {@link #HEADER_LENGTH} after the offset.
     * @param offset     of the record.
     * @param kind       of the record, the template id of its message.
     * @param bodyLength in bytes.
     * @param synced     bytes of the log that are on the disk.
     * @param position   of the record in the log.
     * @return length of the record in bytes.
     */
    public int seal(
        final MutableDirectBuffer buffer,
        final int offset,
        final int kind,
        final int bodyLength,
        final long synced,
        final long position)
    {
        final int bodyOffset = offset + HEADER_LENGTH;
        final int recordLength = recordLength(bodyLength);
        for (int i = bodyOffset + bodyLength, end = offset + recordLength; i < end; i++)
        {
            buffer.putByte(i, (byte)0);
        }
        final int check = isProposal(kind, bodyLength) ? ProposalReader.check(buffer, bodyOffset) :
            checksum.ofBytes(buffer, bodyOffset, bodyLength);
        buffer.putInt(offset + LENGTH_OFFSET, bodyLength, LITTLE_ENDIAN);
        buffer.putInt(offset + KIND_OFFSET, kind, LITTLE_ENDIAN);
        buffer.putLong(offset + SYNCED_OFFSET, synced, LITTLE_ENDIAN);
        buffer.putInt(offset + CHECK_OFFSET, check, LITTLE_ENDIAN);
        buffer.putInt(offset + HEADER_CHECK_OFFSET, checksum.ofRecordHeader(buffer, offset, position), LITTLE_ENDIAN);
        return recordLength;
    }

    /**
     * Check whether a whole record starts at an offset.
     *
     * @param buffer   with the record.
     * @param offset   of the record.
     * @param limit    end of the bytes in the buffer.
     * @param position of the record in the log.
     * @return length of the record in bytes, {@link #NONE} or {@link #DAMAGED}.
     */
    public int check(final DirectBuffer buffer, final int offset, final int limit, final long position)
    {
        final int recordLength = checkHeader(buffer, offset, limit, position);
        return recordLength <= 0 || recordLength <= limit - offset && isBodyWhole(buffer, offset) ?
            recordLength : DAMAGED;
    }

    /**
     * Check whether the whole header of a record is at an offset. The record may extend past the limit.
     *
     * @param buffer   with the header.
     * @param offset   of the record.
     * @param limit    end of the bytes in the buffer.
     * @param position of the record in the log.
     * @return length of the record in bytes, {@link #NONE} or {@link #DAMAGED}.
     */
    public int checkHeader(final DirectBuffer buffer, final int offset, final int limit, final long position)
    {
        if (isZero(buffer, offset, Math.min(limit, offset + HEADER_LENGTH)))
        {
            return NONE;
        }
        if (limit - offset < HEADER_LENGTH)
        {
            return DAMAGED;
        }
        final int bodyLength = bodyLength(buffer, offset);
        return bodyLength < 0 || bodyLength > MAX_BODY_LENGTH || kind(buffer, offset) < END_KIND ||
            checksum.ofRecordHeader(buffer, offset, position) != checksum(buffer, offset) ?
            DAMAGED : recordLength(bodyLength);
    }

    /** Whether the body and the padding of a record are whole. Its header is whole. */
    boolean isBodyWhole(final DirectBuffer buffer, final int offset)
    {
        final int bodyOffset = offset + HEADER_LENGTH;
        final int bodyLength = bodyLength(buffer, offset);
        final int check = isProposal(kind(buffer, offset), bodyLength) ?
            ProposalReader.computeCheck(checksum, buffer, bodyOffset, bodyLength) :
            checksum.ofBytes(buffer, bodyOffset, bodyLength);
        return check == buffer.getInt(offset + CHECK_OFFSET, LITTLE_ENDIAN) &&
            (!isProposal(kind(buffer, offset), bodyLength) || check == ProposalReader.check(buffer, bodyOffset)) &&
            isZero(buffer, bodyOffset + bodyLength, offset + recordLength(bodyLength));
    }

    private static boolean isProposal(final int kind, final int bodyLength)
    {
        return ProposalDecoder.TEMPLATE_ID == kind && bodyLength >= ProposalReader.HEADER_LENGTH;
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

    private static void require(final boolean isRight, final int offset, final String reason)
    {
        if (!isRight)
        {
            throw new DamagedRecordException(offset, reason);
        }
    }
}
