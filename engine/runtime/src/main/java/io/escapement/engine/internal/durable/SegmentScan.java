package io.escapement.engine.internal.durable;

import io.escapement.codecs.SchemaRules;
import io.escapement.codecs.room.FailedDecoder;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.rooms.DamagedRecordException;
import io.escapement.rooms.log.JournalRecords;
import java.io.IOException;
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
    private final SegmentBytes bytes;
    private final long start;
    private final int length;
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

    /** The limit is the start of the next segment, or Long.MAX_VALUE for the last. */
    SegmentScan(final String path, final SegmentBytes bytes, final long start, final long limit) throws IOException
    {
        this.path = path;
        this.bytes = bytes;
        this.start = start;
        length = bytes.length();
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

    /** Refuse a file that is whole and that this build does not read. */
    static void refuseOtherFormat(final String path, final DamagedRecordException ex)
    {
        if (FORMAT_OFFSET == ex.offset() || KIND_OFFSET == ex.offset())
        {
            throw new JournalException(path + ": " + ex.reason(), ex);
        }
    }

    private boolean readStart() throws IOException
    {
        try
        {
            bytes.checkFileHeader();
        }
        catch (final DamagedRecordException ex)
        {
            refuseOtherFormat(path, ex);
            fault = ex.reason();
            return false;
        }
        final int offset = JournalRecords.FILE_HEADER_LENGTH;
        final int recordLength = bytes.check(offset);
        final int index = bytes.index(offset);
        if (recordLength <= 0 || SegmentHeader.KIND != JournalRecords.kind(bytes.buffer(), index))
        {
            fault = "the record of the segment's start is not whole, or of another position";
            return false;
        }
        header = SegmentHeader.decode(
            bytes.buffer(), index + BODY_OFFSET, JournalRecords.bodyLength(bytes.buffer(), index), path);
        accept(offset, recordLength);
        return true;
    }

    private void readRecords(final long limit) throws IOException
    {
        while (!isClosed && start + end < limit)
        {
            final int recordLength = bytes.check(end);
            if (JournalRecords.NONE == recordLength)
            {
                return;
            }
            final DirectBuffer buffer = bytes.buffer();
            final int index = bytes.index(end);
            if (JournalRecords.DAMAGED == recordLength || start + end + recordLength > limit ||
                !isMessageOrEnd(buffer, index))
            {
                fault = "no whole record";
                return;
            }
            isClosed = SegmentHeader.END_KIND == JournalRecords.kind(buffer, index);
            if (!isClosed)
            {
                messages++;
                hasFailed |= FailedDecoder.TEMPLATE_ID ==
                    SchemaRules.templateId(buffer, index + BODY_OFFSET + SegmentHeader.PREFIX_LENGTH);
            }
            accept(end, recordLength);
        }
    }

    private static boolean isMessageOrEnd(final DirectBuffer buffer, final int index)
    {
        final int bodyLength = JournalRecords.bodyLength(buffer, index);
        return SegmentHeader.END_KIND == JournalRecords.kind(buffer, index) ?
            SegmentHeader.PREFIX_LENGTH == bodyLength :
            bodyLength >= SegmentHeader.PREFIX_LENGTH + MessageHeaderDecoder.ENCODED_LENGTH;
    }

    private void accept(final int offset, final int recordLength)
    {
        proven = Math.max(proven, syncedPosition(offset));
        lastCheck = JournalRecords.checksum(bytes.buffer(), bytes.index(offset));
        end = offset + recordLength;
    }

    private long syncedPosition(final int offset)
    {
        return bytes.buffer().getLong(bytes.index(offset) + BODY_OFFSET, LITTLE_ENDIAN);
    }

    private void searchBehind() throws IOException
    {
        int offset = end;
        while (offset < length)
        {
            final int recordLength = bytes.isZero(offset) ? 0 : bytes.check(offset);
            if (recordLength > 0)
            {
                proven = Math.max(proven, syncedPosition(offset));
                recordsBehind++;
                lastByteBehind = offset + recordLength;
                offset += recordLength;
            }
            else
            {
                lastByteBehind =
                    bytes.isZero(offset) ? lastByteBehind : Math.min(offset + JournalRecords.ALIGNMENT, length);
                offset += JournalRecords.ALIGNMENT;
            }
        }
        if (null == fault && lastByteBehind > 0)
        {
            fault = "zeros where a record was expected, and other bytes behind them";
        }
    }
}
