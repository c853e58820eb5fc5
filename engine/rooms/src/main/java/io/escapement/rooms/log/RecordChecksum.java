package io.escapement.rooms.log;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** CRC32C over the parts of a file of records. It detects every error burst of up to 32 bits. */
final class RecordChecksum
{
    private static final int CHUNK_LENGTH = 8 * 1024;
    /** The bytes of a record's header before its checksum. */
    private static final int COVERED_LENGTH = LogRecords.HEADER_LENGTH - Integer.BYTES;

    private final CRC32C crc = new CRC32C();
    private final byte[] chunk = new byte[CHUNK_LENGTH];
    private final UnsafeBuffer header = new UnsafeBuffer(new byte[COVERED_LENGTH + Long.BYTES]);
    private ByteBuffer direct;
    private ByteBuffer view;

    /** The checksum of a file header. */
    int ofFileHeader(final DirectBuffer buffer, final int offset)
    {
        return ofBytes(buffer, offset, LogRecords.FILE_CHECK_OFFSET);
    }

    /** The checksum of a record's header, which includes the checksum of its body. */
    int ofRecordHeader(final DirectBuffer buffer, final int offset, final long position)
    {
        header.putBytes(0, buffer, offset, COVERED_LENGTH);
        header.putLong(COVERED_LENGTH, position, ByteOrder.LITTLE_ENDIAN);
        crc.reset();
        crc.update(header.byteArray(), 0, header.capacity());
        return (int)crc.getValue();
    }

    int ofBytes(final DirectBuffer buffer, final int offset, final int length)
    {
        crc.reset();
        update(buffer, offset, length);
        return (int)crc.getValue();
    }

    /** The checksum of bytes that contain it, without its four bytes. */
    int ofBytesAround(final DirectBuffer buffer, final int offset, final int length, final int checkOffset)
    {
        final int rest = checkOffset + Integer.BYTES;
        crc.reset();
        update(buffer, offset, checkOffset - offset);
        update(buffer, rest, offset + length - rest);
        return (int)crc.getValue();
    }

    private void update(final DirectBuffer buffer, final int offset, final int length)
    {
        final byte[] array = buffer.byteArray();
        if (null != array)
        {
            buffer.boundsCheck(offset, length);
            crc.update(array, buffer.wrapAdjustment() + offset, length);
        }
        else if (null != buffer.byteBuffer())
        {
            buffer.boundsCheck(offset, length);
            updateDirect(buffer.byteBuffer(), buffer.wrapAdjustment() + offset, length);
        }
        else
        {
            updateByChunks(buffer, offset, length);
        }
    }

    // A view has its own limits, and the owner's buffer stays as it is. It is kept, because records of one buffer
    // follow one another.
    private void updateDirect(final ByteBuffer source, final int index, final int length)
    {
        if (source != direct)
        {
            direct = source;
            view = source.duplicate();
        }
        view.limit(index + length).position(index);
        crc.update(view);
    }

    // Memory without a ByteBuffer: copying chunks does not allocate.
    private void updateByChunks(final DirectBuffer buffer, final int offset, final int length)
    {
        int done = 0;
        while (done < length)
        {
            final int chunkLength = Math.min(CHUNK_LENGTH, length - done);
            buffer.getBytes(offset + done, chunk, 0, chunkLength);
            crc.update(chunk, 0, chunkLength);
            done += chunkLength;
        }
    }
}
