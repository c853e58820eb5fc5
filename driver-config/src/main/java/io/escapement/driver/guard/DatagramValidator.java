package io.escapement.driver.guard;

import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.protocol.DataHeaderFlyweight;
import java.nio.ByteOrder;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;

/**
 * Validates a data datagram: it must hold contiguous Aeron data frames of one session and one term, and no bytes after
 * them.
 *
 * <p>Two frames differ from the others. A heartbeat is a header with frame length 0. A padding frame is the last of its
 * datagram and sends only its header. Its frame length is the part of the term to skip.
 */
final class DatagramValidator
{
    private static final int HEADER_LENGTH = DataHeaderFlyweight.HEADER_LENGTH;
    private static final int ALIGNMENT = FrameDescriptor.FRAME_ALIGNMENT;

    private DatagramValidator()
    {
    }

    static boolean isValid(final DirectBuffer buffer, final int length, final int termLength)
    {
        final int termOffset = int32(buffer, DataHeaderFlyweight.TERM_OFFSET_FIELD_OFFSET);
        // The mask finds negative and unaligned values of both numbers in one test.
        if (length < HEADER_LENGTH || 0 != ((length | termOffset) & (Integer.MIN_VALUE | (ALIGNMENT - 1))) ||
            termOffset > termLength - length)
        {
            return false;
        }
        if (HEADER_LENGTH == length && 0 == int32(buffer, 0))
        {
            return DataHeaderFlyweight.HDR_TYPE_DATA == type(buffer, 0);
        }

        final int sessionId = int32(buffer, DataHeaderFlyweight.SESSION_ID_FIELD_OFFSET);
        final int streamId = int32(buffer, DataHeaderFlyweight.STREAM_ID_FIELD_OFFSET);
        final int termId = int32(buffer, DataHeaderFlyweight.TERM_ID_FIELD_OFFSET);
        int offset = 0;
        while (offset < length)
        {
            final int frameLength = int32(buffer, offset);
            if (frameLength < HEADER_LENGTH || frameLength > termLength - termOffset - offset ||
                0 != buffer.getByte(offset + DataHeaderFlyweight.VERSION_FIELD_OFFSET) ||
                termOffset + offset != int32(buffer, offset + DataHeaderFlyweight.TERM_OFFSET_FIELD_OFFSET) ||
                sessionId != int32(buffer, offset + DataHeaderFlyweight.SESSION_ID_FIELD_OFFSET) ||
                streamId != int32(buffer, offset + DataHeaderFlyweight.STREAM_ID_FIELD_OFFSET) ||
                termId != int32(buffer, offset + DataHeaderFlyweight.TERM_ID_FIELD_OFFSET))
            {
                return false;
            }
            switch (type(buffer, offset))
            {
                case DataHeaderFlyweight.HDR_TYPE_DATA:
                    offset += BitUtil.align(frameLength, ALIGNMENT);
                    break;

                case DataHeaderFlyweight.HDR_TYPE_PAD:
                    offset += HEADER_LENGTH;
                    if (frameLength > HEADER_LENGTH)
                    {
                        return length == offset;
                    }
                    break;

                default:
                    return false;
            }
        }
        return length == offset;
    }

    private static int type(final DirectBuffer buffer, final int offset)
    {
        return buffer.getShort(offset + DataHeaderFlyweight.TYPE_FIELD_OFFSET, ByteOrder.LITTLE_ENDIAN) & 0xFFFF;
    }

    private static int int32(final DirectBuffer buffer, final int offset)
    {
        return buffer.getInt(offset, ByteOrder.LITTLE_ENDIAN);
    }
}
