package io.escapement.engine.internal.durable;

import io.escapement.codecs.room.FailedDecoder;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.rooms.DamagedRecordException;
import io.escapement.rooms.log.LogRecords;
import java.io.IOException;
import org.agrona.DirectBuffer;

/**
 * One segment as it is found. A scan goes from record to record and stops at the first incomplete record. After that
 * record it searches every 8 bytes for whole records. Each has the synced position of its time, which proves how much
 * of the journal was on the disk once.
 */
final class SegmentScan
{
    private static final int BODY_OFFSET = LogRecords.HEADER_LENGTH;

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

    /** Offset in the file after the last whole record. */
    int endOffset()
    {
        return end;
    }

    /** Position after the last whole record. */
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

    /** Why the scan stopped, or null if it stopped at zeros or at the start of the next segment. */
    String fault()
    {
        return fault;
    }

    /** Whether the journal was closed in order here. */
    boolean isClosed()
    {
        return isClosed;
    }

    /** Number of whole records after {@link #end()}. */
    long recordsBehind()
    {
        return recordsBehind;
    }

    /** Number of bytes from {@link #end()} to the last that is not zero. */
    int bytesBehind()
    {
        return lastByteBehind > 0 ? lastByteBehind - end : 0;
    }

    /** Refuse a whole file in a format that this build does not read. */
    static void refuseOtherFormat(final String path, final DamagedRecordException ex)
    {
        if (LogRecords.FORMAT_VERSION_OFFSET == ex.offset() || LogRecords.FILE_KIND_OFFSET == ex.offset())
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
        final int offset = LogRecords.FILE_HEADER_LENGTH;
        final int recordLength = bytes.check(offset);
        final int index = bytes.index(offset);
        if (recordLength <= 0 || SegmentHeader.KIND != LogRecords.kind(bytes.buffer(), index))
        {
            fault = "the record of the segment's start is not whole, or of another position";
            return false;
        }
        header = SegmentHeader.decode(
            bytes.buffer(), index + BODY_OFFSET, LogRecords.bodyLength(bytes.buffer(), index), path);
        accept(offset, recordLength);
        return true;
    }

    private void readRecords(final long limit) throws IOException
    {
        while (!isClosed && start + end < limit)
        {
            final int recordLength = bytes.check(end);
            if (LogRecords.NONE == recordLength)
            {
                return;
            }
            final DirectBuffer buffer = bytes.buffer();
            final int index = bytes.index(end);
            if (LogRecords.DAMAGED == recordLength || start + end + recordLength > limit ||
                !isMessageOrEnd(buffer, index))
            {
                fault = "no whole record";
                return;
            }
            isClosed = LogRecords.END_KIND == LogRecords.kind(buffer, index);
            if (!isClosed)
            {
                messages++;
                hasFailed |= FailedDecoder.TEMPLATE_ID == LogRecords.kind(buffer, index);
            }
            accept(end, recordLength);
        }
    }

    private static boolean isMessageOrEnd(final DirectBuffer buffer, final int index)
    {
        final int bodyLength = LogRecords.bodyLength(buffer, index);
        return LogRecords.END_KIND == LogRecords.kind(buffer, index) ?
            0 == bodyLength : bodyLength >= MessageHeaderDecoder.ENCODED_LENGTH;
    }

    private void accept(final int offset, final int recordLength)
    {
        proven = Math.max(proven, LogRecords.synced(bytes.buffer(), bytes.index(offset)));
        lastCheck = LogRecords.checksum(bytes.buffer(), bytes.index(offset));
        end = offset + recordLength;
    }

    private void searchBehind() throws IOException
    {
        int offset = end;
        while (offset < length)
        {
            final int recordLength = bytes.isZero(offset) ? 0 : bytes.check(offset);
            if (recordLength > 0)
            {
                proven = Math.max(proven, LogRecords.synced(bytes.buffer(), bytes.index(offset)));
                recordsBehind++;
                lastByteBehind = offset + recordLength;
                offset += recordLength;
            }
            else
            {
                lastByteBehind =
                    bytes.isZero(offset) ? lastByteBehind : Math.min(offset + LogRecords.ALIGNMENT, length);
                offset += LogRecords.ALIGNMENT;
            }
        }
        if (null == fault && lastByteBehind > 0)
        {
            fault = "zeros where a record was expected, and other bytes behind them";
        }
    }
}
