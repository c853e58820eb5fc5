package io.escapement.engine.internal.durable;

import io.escapement.codecs.SchemaRules;
import io.escapement.codecs.room.FailedDecoder;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.rooms.DamagedRecordException;
import io.escapement.rooms.log.JournalRecords;
import org.agrona.DirectBuffer;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * One segment as it is found. A scan goes from record to record and stops at the first that is not whole. Behind that
 * it searches every 8 bytes for whole records, since each has the synced position of its time, and so proves how much
 * of the journal was on the disk once.
 */
final class SegmentScan
{
    /** Offsets in the header of a file at which a whole header of another format differs. */
    private static final int FORMAT_OFFSET = 8;
    private static final int KIND_OFFSET = 12;
    private static final int BODY_OFFSET = JournalRecords.HEADER_LENGTH;

    private final String path;
    private final DirectBuffer buffer;
    private final long start;
    private final int length;
    private final JournalRecords records = new JournalRecords();
    private SegmentHeader header;
    private int end;
    private int lastCheck;
    private long messages;
    private long proven;
    private boolean isClosed;
    private boolean hasFailed;
    private String fault;
    private long recordsBehind;
    private int lastByteBehind;

    /**
     * Scan a segment.
     *
     * @param path   of the file, for messages.
     * @param buffer with the file.
     * @param length of the file in bytes.
     * @param start  of the segment in the journal, by the file's name.
     * @param limit  start of the next segment, where this one ends; Long.MAX_VALUE for the last.
     */
    SegmentScan(final String path, final DirectBuffer buffer, final int length, final long start, final long limit)
    {
        this.path = path;
        this.buffer = buffer;
        this.start = start;
        this.length = length;
        if (readStart())
        {
            readRecords(limit);
        }
        if (!isClosed && start + end != limit)
        {
            searchBehind();
        }
    }

    /** Null if the segment's start is not whole. */
    SegmentHeader header()
    {
        return header;
    }

    String path()
    {
        return path;
    }

    long start()
    {
        return start;
    }

    /** Offset in the file behind the last whole record. */
    int endOffset()
    {
        return end;
    }

    /** Position behind the last whole record. */
    long end()
    {
        return start + end;
    }

    int length()
    {
        return length;
    }

    /** Checksum of the last whole record. */
    int lastCheck()
    {
        return lastCheck;
    }

    /** Number of messages. */
    long messages()
    {
        return messages;
    }

    /** Whether a message is the record of a failed room. */
    boolean hasFailed()
    {
        return hasFailed;
    }

    /** The greatest position that a whole record says was on the disk. */
    long proven()
    {
        return proven;
    }

    /** Why the scan stopped, or null if it ended at zeros or where the next segment begins. */
    String fault()
    {
        return fault;
    }

    /** Whether the journal was closed in order here. */
    boolean isClosed()
    {
        return isClosed;
    }

    /** Number of whole records behind {@link #end()}. */
    long recordsBehind()
    {
        return recordsBehind;
    }

    /** Number of bytes from {@link #end()} to the last that is not zero. */
    int bytesBehind()
    {
        return lastByteBehind > 0 ? lastByteBehind - end : 0;
    }

    /**
     * Refuse a file that is whole and that this build does not read.
     *
     * @param path of the file.
     * @param ex   that says how the file differs.
     * @throws JournalException when it is of another format version or kind.
     */
    static void refuseOtherFormat(final String path, final DamagedRecordException ex)
    {
        if (FORMAT_OFFSET == ex.offset() || KIND_OFFSET == ex.offset())
        {
            throw new JournalException(path + ": " + ex.reason(), ex);
        }
    }

    private boolean readStart()
    {
        try
        {
            JournalRecords.checkFileHeader(buffer, 0, length);
        }
        catch (final DamagedRecordException ex)
        {
            refuseOtherFormat(path, ex);
            fault = ex.reason();
            return false;
        }
        final int offset = JournalRecords.FILE_HEADER_LENGTH;
        final int recordLength = records.check(buffer, offset, length, start + offset);
        if (recordLength <= 0 || SegmentHeader.KIND != JournalRecords.kind(buffer, offset))
        {
            fault = "the record of the segment's start is not whole, or of another position";
            return false;
        }
        header = SegmentHeader.decode(
            buffer, offset + BODY_OFFSET, JournalRecords.bodyLength(buffer, offset), path);
        accept(offset, recordLength);
        return true;
    }

    private void readRecords(final long limit)
    {
        while (!isClosed && start + end < limit)
        {
            final int recordLength = records.check(buffer, end, length, start + end);
            if (JournalRecords.NONE == recordLength)
            {
                return;
            }
            if (JournalRecords.DAMAGED == recordLength || start + end + recordLength > limit || !isMessageOrEnd(end))
            {
                fault = "no whole record";
                return;
            }
            isClosed = SegmentHeader.END_KIND == JournalRecords.kind(buffer, end);
            if (!isClosed)
            {
                messages++;
                hasFailed |= FailedDecoder.TEMPLATE_ID ==
                    SchemaRules.templateId(buffer, end + BODY_OFFSET + SegmentHeader.PREFIX_LENGTH);
            }
            accept(end, recordLength);
        }
    }

    private boolean isMessageOrEnd(final int offset)
    {
        final int bodyLength = JournalRecords.bodyLength(buffer, offset);
        return SegmentHeader.END_KIND == JournalRecords.kind(buffer, offset) ?
            SegmentHeader.PREFIX_LENGTH == bodyLength :
            bodyLength >= SegmentHeader.PREFIX_LENGTH + MessageHeaderDecoder.ENCODED_LENGTH;
    }

    private void accept(final int offset, final int recordLength)
    {
        proven = Math.max(proven, buffer.getLong(offset + BODY_OFFSET, LITTLE_ENDIAN));
        lastCheck = JournalRecords.checksum(buffer, offset);
        end = offset + recordLength;
    }

    private void searchBehind()
    {
        int offset = end;
        while (offset < length)
        {
            final int recordLength = isZero(offset) ? 0 : records.check(buffer, offset, length, start + offset);
            if (recordLength > 0)
            {
                proven = Math.max(proven, buffer.getLong(offset + BODY_OFFSET, LITTLE_ENDIAN));
                recordsBehind++;
                lastByteBehind = offset + recordLength;
                offset += recordLength;
            }
            else
            {
                offset += JournalRecords.ALIGNMENT;
                lastByteBehind = isZero(offset - JournalRecords.ALIGNMENT) ? lastByteBehind : Math.min(offset, length);
            }
        }
        if (null == fault && lastByteBehind > 0)
        {
            fault = "zeros where a record was expected, and other bytes behind them";
        }
    }

    private boolean isZero(final int offset)
    {
        if (length - offset >= Long.BYTES)
        {
            return 0 == buffer.getLong(offset);
        }
        for (int i = offset; i < length; i++)
        {
            if (0 != buffer.getByte(i))
            {
                return false;
            }
        }
        return true;
    }
}
