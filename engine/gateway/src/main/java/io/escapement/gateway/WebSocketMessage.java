package io.escapement.gateway;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.ByteBuffer;
import org.agrona.DirectBuffer;

/** A binary WebSocket frame that all receivers of a room's message share. */
final class WebSocketMessage implements SharedMessage
{
    private static final int BINARY = 0x82;
    private static final int LENGTH_16 = 126;
    private static final int LENGTH_64 = 127;
    private static final int MAX_HEADER_LENGTH = 10;

    private final ByteBufAllocator allocator;
    private ByteBuf frame;

    WebSocketMessage(final ByteBufAllocator allocator)
    {
        this.allocator = allocator;
    }

    @Override
    public void encode(
        final DirectBuffer prefix,
        final int prefixLength,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        final int payloadLength = prefixLength + length;
        final int capacity = headerLength(payloadLength) + payloadLength;
        // Without space after it: TLS would collect the next message of one receiver there, in all of them.
        frame = allocator.directBuffer(capacity, capacity);
        writeHeader(frame, payloadLength);
        write(frame, prefix, 0, prefixLength);
        write(frame, buffer, offset, length);
    }

    @Override
    public void release()
    {
        frame.release();
        frame = null;
    }

    /** The frame for one receiver, which releases it. */
    ByteBuf share()
    {
        return frame.retainedDuplicate();
    }

    /** A frame with a copy of a message. */
    static ByteBuf copy(
        final ByteBufAllocator allocator, final DirectBuffer buffer, final int offset, final int length)
    {
        final ByteBuf copy = allocator.directBuffer(MAX_HEADER_LENGTH + length);
        writeHeader(copy, length);
        write(copy, buffer, offset, length);
        return copy;
    }

    private static int headerLength(final int payloadLength)
    {
        return payloadLength < LENGTH_16 ? 2 : payloadLength <= 0xFFFF ? 4 : MAX_HEADER_LENGTH;
    }

    private static void writeHeader(final ByteBuf to, final int payloadLength)
    {
        to.writeByte(BINARY);
        if (payloadLength < LENGTH_16)
        {
            to.writeByte(payloadLength);
        }
        else if (payloadLength <= 0xFFFF)
        {
            to.writeByte(LENGTH_16).writeShort(payloadLength);
        }
        else
        {
            to.writeByte(LENGTH_64).writeLong(payloadLength);
        }
    }

    private static void write(final ByteBuf to, final DirectBuffer from, final int offset, final int length)
    {
        final int at = to.writerIndex();
        to.ensureWritable(length);
        final ByteBuffer bytes = to.internalNioBuffer(at, length);
        from.getBytes(offset, bytes, bytes.position(), length);
        to.writerIndex(at + length);
    }
}
