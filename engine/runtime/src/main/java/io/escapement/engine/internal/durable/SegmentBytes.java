package io.escapement.engine.internal.durable;

import io.escapement.rooms.DamagedRecordException;
import io.escapement.rooms.log.LogRecords;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.agrona.BufferUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A segment of which a part is in memory. Because records are read from front to back, a part that stays in the
 * processor's cache is as good as the file. Memory for a whole segment need not be allocated and cleared.
 *
 * <p>All offsets are file offsets. A record that was checked is in memory as a whole until the next check.
 */
final class SegmentBytes implements AutoCloseable
{
    static final int PART_LENGTH = 512 * 1_024;

    private final LogRecords records = new LogRecords();
    private ByteBuffer bytes = ByteBuffer.allocateDirect(PART_LENGTH);
    private final UnsafeBuffer buffer = new UnsafeBuffer(bytes);
    private JournalFile file;
    private long start;
    private int length;
    private int partOffset;
    private int partLength;

    /** Read another segment. Its source stays open until the last byte is read. */
    void open(final JournalFile source, final String path, final long from) throws IOException
    {
        final long fileLength = source.length();
        if (fileLength > Integer.MAX_VALUE)
        {
            throw new JournalException(path + ": longer than a segment can be: " + fileLength);
        }
        file = source;
        start = from;
        length = (int)fileLength;
        partOffset = 0;
        partLength = 0;
    }

    /** Length of the file in bytes. */
    int length()
    {
        return length;
    }

    /** The part that is in memory. */
    DirectBuffer buffer()
    {
        return buffer;
    }

    /** Index in {@link #buffer()} of a byte of the record that was checked last. */
    int index(final int offset)
    {
        return offset - partOffset;
    }

    /**
     * Check the header of the file.
     *
     * @throws DamagedRecordException when it is damaged, or of another format version or kind.
     */
    void checkFileHeader() throws IOException
    {
        load(0, LogRecords.FILE_HEADER_LENGTH);
        records.checkFileHeader(buffer, 0, partLength, LogRecords.LOG);
    }

    /** The length of the whole record at an offset, {@link LogRecords#NONE} or {@link LogRecords#DAMAGED}. */
    int check(final int offset) throws IOException
    {
        load(offset, LogRecords.HEADER_LENGTH);
        final int recordLength =
            records.checkHeader(buffer, index(offset), partLength, start + offset);
        if (recordLength <= 0)
        {
            return recordLength;
        }
        load(offset, recordLength);
        return records.check(buffer, index(offset), partLength, start + offset);
    }

    /** Whether the eight bytes at an offset, or those to the end of the file, are zero. */
    boolean isZero(final int offset) throws IOException
    {
        load(offset, Long.BYTES);
        final int index = index(offset);
        if (partLength - index >= Long.BYTES)
        {
            return 0 == buffer.getLong(index);
        }
        for (int i = index; i < partLength; i++)
        {
            if (0 != buffer.getByte(i))
            {
                return false;
            }
        }
        return true;
    }

    @Override
    public void close()
    {
        BufferUtil.free(bytes);
    }

    /** Have bytes in memory, or as many of them as the file has. */
    private void load(final int offset, final int count) throws IOException
    {
        final int needed = Math.min(count, length - offset);
        if (offset >= partOffset && offset - partOffset <= partLength - needed)
        {
            return;
        }
        if (needed > bytes.capacity())
        {
            BufferUtil.free(bytes);
            bytes = ByteBuffer.allocateDirect(needed);
            buffer.wrap(bytes);
        }
        partOffset = offset;
        partLength = Math.min(bytes.capacity(), length - offset);
        bytes.clear().limit(partLength);
        file.read(bytes, offset);
    }
}
