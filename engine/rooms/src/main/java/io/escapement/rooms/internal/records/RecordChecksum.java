package io.escapement.rooms.internal.records;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** CRC32C over the parts of a file of records. It detects every error burst of up to 32 bits. */
public final class RecordChecksum
{
    private static final int CHUNK_LENGTH = 8 * 1024;
    private static final int HEADER_LENGTH = 16;

    private final CRC32C crc = new CRC32C();
    private final byte[] chunk = new byte[CHUNK_LENGTH];
    private final UnsafeBuffer header = new UnsafeBuffer(new byte[HEADER_LENGTH]);
    private ByteBuffer direct;
    private ByteBuffer view;

    /**
     * The checksum of a file header.
     *
     * @param buffer with the header.
     * @param offset of the header.
     */
    public int ofFileHeader(final DirectBuffer buffer, final int offset)
    {
        crc.reset();
        update(buffer, offset, RecordHeader.FILE_CHECK_OFFSET);
        return (int)crc.getValue();
    }

    /**
     * The checksum of a record's header. {@link #ofRecordBody} continues it over the body.
     *
     * @param bodyLength of the record in bytes.
     * @param kind       of the record.
     * @param ordinal    of the record in its file, or its position in a journal.
     */
    public int ofRecordHeader(final int bodyLength, final int kind, final long ordinal)
    {
        header.putInt(0, bodyLength, ByteOrder.LITTLE_ENDIAN);
        header.putInt(4, kind, ByteOrder.LITTLE_ENDIAN);
        header.putLong(8, ordinal, ByteOrder.LITTLE_ENDIAN);
        crc.reset();
        crc.update(header.byteArray(), 0, HEADER_LENGTH);
        return (int)crc.getValue();
    }

    /**
     * The checksum of the record whose header was checked last.
     *
     * @param buffer with the body.
     * @param offset of the body.
     * @param length of the body in bytes.
     */
    public int ofRecordBody(final DirectBuffer buffer, final int offset, final int length)
    {
        update(buffer, offset, length);
        return (int)crc.getValue();
    }

    /**
     * The checksum of bytes that contain it.
     *
     * @param buffer      with the bytes.
     * @param offset      of the bytes.
     * @param length      of the bytes.
     * @param checkOffset of the four bytes of the checksum, which are left out.
     * @return the checksum.
     */
    public int ofBytesAround(final DirectBuffer buffer, final int offset, final int length, final int checkOffset)
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

    // A view has its own limits, so the owner's buffer stays as it is. It is kept, since records of one buffer follow
    // one another.
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

    // Memory without a ByteBuffer: copying chunks allocates nothing.
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
