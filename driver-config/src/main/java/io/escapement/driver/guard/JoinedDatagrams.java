package io.escapement.driver.guard;

import io.aeron.protocol.DataHeaderFlyweight;
import io.aeron.protocol.HeaderFlyweight;
import java.nio.ByteOrder;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;

/**
 * Takes apart the datagrams that the kernel has joined. The kernel does not report their ends. The frames show them: a
 * control frame was a datagram. Data frames that follow each other in one term are a block, which may be handed on as
 * one or cut anywhere between two frames.
 *
 * <p>Two frames differ from the others. A heartbeat is a header with frame length 0. A padding frame sends only its
 * header, and is the last frame of its term.
 */
final class JoinedDatagrams
{
    private static final int HEADER_LENGTH = DataHeaderFlyweight.HEADER_LENGTH;
    private static final int ALIGNMENT = 32;

    private JoinedDatagrams()
    {
    }

    /**
     * Length of the datagram or block of data at an offset.
     *
     * @param end      of the read bytes.
     * @param longest  block. A single frame may be longer.
     * @return bytes, or 0 without a whole frame.
     */
    static int length(final DirectBuffer buffer, final int offset, final int end, final int longest)
    {
        if (end - offset < HeaderFlyweight.MIN_HEADER_LENGTH)
        {
            return 0;
        }
        if (!isData(buffer, offset))
        {
            final int frameLength = int32(buffer, offset);
            return frameLength < HeaderFlyweight.MIN_HEADER_LENGTH || frameLength > end - offset ? 0 : frameLength;
        }
        int next = offset + lengthOnWire(buffer, offset, end);
        int length = next - offset;
        while (length > 0 && isContinued(buffer, offset, next, end))
        {
            next += lengthOnWire(buffer, next, end);
            if (next - offset <= length || next - offset > longest)
            {
                break;
            }
            length = next - offset;
        }
        return length;
    }

    /** Whether the frame at next continues a block of which the last frame is not a padding frame or heartbeat. */
    private static boolean isContinued(final DirectBuffer buffer, final int offset, final int next, final int end)
    {
        return end - next >= HEADER_LENGTH && isData(buffer, next) && 0 != int32(buffer, next) &&
            isSame(buffer, offset, next, DataHeaderFlyweight.SESSION_ID_FIELD_OFFSET) &&
            isSame(buffer, offset, next, DataHeaderFlyweight.STREAM_ID_FIELD_OFFSET) &&
            isSame(buffer, offset, next, DataHeaderFlyweight.TERM_ID_FIELD_OFFSET) &&
            int32(buffer, next + DataHeaderFlyweight.TERM_OFFSET_FIELD_OFFSET) ==
            int32(buffer, offset + DataHeaderFlyweight.TERM_OFFSET_FIELD_OFFSET) + next - offset &&
            0 != int32(buffer, offset);
    }

    /** 0 if the frame does not end before the end. */
    private static int lengthOnWire(final DirectBuffer buffer, final int offset, final int end)
    {
        final int frameLength = int32(buffer, offset);
        final int remaining = end - offset;
        if (remaining < HEADER_LENGTH || frameLength < 0 || (frameLength > 0 && frameLength < HEADER_LENGTH))
        {
            return 0;
        }
        if (0 == frameLength || HeaderFlyweight.HDR_TYPE_PAD == type(buffer, offset))
        {
            return HEADER_LENGTH;
        }
        return frameLength > remaining || BitUtil.align(frameLength, ALIGNMENT) > remaining ?
            0 : BitUtil.align(frameLength, ALIGNMENT);
    }

    private static boolean isSame(final DirectBuffer buffer, final int offset, final int next, final int field)
    {
        return int32(buffer, offset + field) == int32(buffer, next + field);
    }

    private static boolean isData(final DirectBuffer buffer, final int offset)
    {
        final int type = type(buffer, offset);
        return HeaderFlyweight.HDR_TYPE_DATA == type || HeaderFlyweight.HDR_TYPE_PAD == type;
    }

    private static int type(final DirectBuffer buffer, final int offset)
    {
        return buffer.getShort(offset + HeaderFlyweight.TYPE_FIELD_OFFSET, ByteOrder.LITTLE_ENDIAN) & 0xFFFF;
    }

    private static int int32(final DirectBuffer buffer, final int offset)
    {
        return buffer.getInt(offset, ByteOrder.LITTLE_ENDIAN);
    }
}
