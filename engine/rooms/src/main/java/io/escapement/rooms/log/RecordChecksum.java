package io.escapement.rooms.log;

import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * CRC32C over the parts of a file of records. Finds every damage of up to 32 bits in a row, so every single bit.
 */
final class RecordChecksum
{
    private static final int CHUNK_LENGTH = 8 * 1024;
    private static final int HEAD_LENGTH = 16;

    private final CRC32C crc = new CRC32C();
    private final byte[] chunk = new byte[CHUNK_LENGTH];
    private final UnsafeBuffer head = new UnsafeBuffer(new byte[HEAD_LENGTH]);

    /**
     * The check of a file head.
     */
    int ofFileHead(final DirectBuffer buffer, final int offset)
    {
        crc.reset();
        update(buffer, offset, RecordHeader.FILE_CHECK_OFFSET);

        return (int)crc.getValue();
    }

    /**
     * The check of a record's head. {@link #goOn} then takes it on over the body.
     */
    int ofRecordHead(final int bodyLength, final int kind, final long ordinal)
    {
        head.putInt(0, bodyLength, ByteOrder.LITTLE_ENDIAN);
        head.putInt(4, kind, ByteOrder.LITTLE_ENDIAN);
        head.putLong(8, ordinal, ByteOrder.LITTLE_ENDIAN);
        crc.reset();
        crc.update(head.byteArray(), 0, HEAD_LENGTH);

        return (int)crc.getValue();
    }

    /**
     * The check of the record whose head was the last to be checked.
     */
    int goOn(final DirectBuffer buffer, final int offset, final int length)
    {
        update(buffer, offset, length);

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
        else
        {
            updateByChunks(buffer, offset, length);
        }
    }

    // A view of direct memory would have to be allocated for every record; copying by chunks needs none.
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
