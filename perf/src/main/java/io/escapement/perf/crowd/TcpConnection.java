package io.escapement.perf.crowd;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.IOException;

/**
 * A connection of the TCP peer. Output is gathered in pooled buffers, and leaves with one flush for all moves of a read
 * or all states of a frame.
 */
final class TcpConnection extends ChannelInboundHandlerAdapter
{
    private static final int MAX_FRAME = Math.max(TcpWire.JOIN_LENGTH, TcpWire.MOVE_LENGTH);

    private final TcpRooms rooms;
    private final int chunk;
    private ChannelHandlerContext context;
    /** The start of a frame whose rest has not arrived. */
    private ByteBuf tail;
    /** Output that is not written yet, null if there is none. */
    private ByteBuf out;

    /** @param chunk bytes of an output buffer. */
    TcpConnection(final TcpRooms rooms, final int chunk)
    {
        this.rooms = rooms;
        this.chunk = chunk;
    }

    @Override
    public void channelActive(final ChannelHandlerContext opened)
    {
        context = opened;
        tail = opened.alloc().directBuffer(MAX_FRAME, MAX_FRAME);
        rooms.add(this);
    }

    @Override
    public void channelInactive(final ChannelHandlerContext closed)
    {
        rooms.remove(this);
        tail.release();
        if (null != out)
        {
            out.release();
            out = null;
        }
    }

    @Override
    public void channelRead(final ChannelHandlerContext from, final Object message)
    {
        final ByteBuf in = (ByteBuf)message;
        try
        {
            rooms.onTurn();
            boolean isSound = !tail.isReadable() || readTail(in);
            while (isSound && in.readableBytes() >= TcpWire.HEADER && in.readableBytes() >= lengthOf(in))
            {
                isSound = onFrame(in, lengthOf(in));
            }
            if (!isSound || in.readableBytes() >= MAX_FRAME)
            {
                from.close();
            }
            else
            {
                tail.writeBytes(in);
            }
        }
        finally
        {
            in.release();
        }
    }

    @Override
    public void channelReadComplete(final ChannelHandlerContext from)
    {
        flush();
    }

    /** A client that does not read its answers may send no moves. */
    @Override
    public void channelWritabilityChanged(final ChannelHandlerContext from)
    {
        from.channel().config().setAutoRead(from.channel().isWritable());
    }

    @Override
    public void exceptionCaught(final ChannelHandlerContext from, final Throwable cause)
    {
        // The bots end without a farewell.
        if (!(cause instanceof IOException) && 1 == rooms.errors.incrementAndGet())
        {
            System.getLogger("io.escapement.perf").log(System.Logger.Level.ERROR, "fault", cause);
        }
        from.close();
    }

    /** Send a state, if the connection is writable. */
    boolean sendState(final byte[] frame)
    {
        if (!context.channel().isWritable())
        {
            return false;
        }
        space(frame.length).writeBytes(frame);
        return true;
    }

    void flush()
    {
        if (null != out)
        {
            write();
            context.flush();
        }
    }

    /** Complete the frame whose start is kept. */
    private boolean readTail(final ByteBuf in)
    {
        complete(in, TcpWire.HEADER);
        if (tail.readableBytes() < TcpWire.HEADER)
        {
            return true;
        }
        final int length = lengthOf(tail);
        if (length > MAX_FRAME)
        {
            return false;
        }
        complete(in, length);
        if (tail.readableBytes() < length)
        {
            return true;
        }
        final boolean isSound = onFrame(tail, length);
        tail.clear();
        return isSound;
    }

    private void complete(final ByteBuf in, final int length)
    {
        tail.writeBytes(in, Math.max(0, Math.min(in.readableBytes(), length - tail.readableBytes())));
    }

    /** Handle a frame and skip it; false if it is not one of the protocol. */
    private boolean onFrame(final ByteBuf in, final int length)
    {
        final int offset = in.readerIndex();
        final int type = in.getUnsignedShortLE(offset + TcpWire.TYPE);
        final int player = in.getIntLE(offset + TcpWire.ID);
        if (TcpWire.MOVE == type && TcpWire.MOVE_LENGTH == length)
        {
            final int number = in.getIntLE(offset + TcpWire.HEADER + CrowdMessages.NUMBER);
            if (rooms.onMove(this, player, number))
            {
                final ByteBuf answer = header(TcpWire.ANSWER, player, length);
                answer.writeBytes(in, offset + TcpWire.HEADER, CrowdMessages.MOVE_LENGTH);
                in.skipBytes(length);
                return true;
            }
        }
        else if (TcpWire.JOIN == type && TcpWire.JOIN_LENGTH == length)
        {
            final TcpRooms.Seat seat = rooms.join(this, player, in.getLongLE(offset + TcpWire.HEADER));
            if (null != seat)
            {
                header(TcpWire.JOINED, player, TcpWire.JOINED_LENGTH)
                    .writeIntLE(seat.room().number).writeIntLE(seat.index());
                in.skipBytes(length);
                return true;
            }
        }
        return false;
    }

    private ByteBuf header(final int type, final int id, final int length)
    {
        return space(length).writeShortLE(length).writeShortLE(type).writeIntLE(id);
    }

    /** A buffer with space for a frame. */
    private ByteBuf space(final int length)
    {
        if (null != out && out.writableBytes() < length)
        {
            write();
        }
        if (null == out)
        {
            out = context.alloc().directBuffer(Math.max(chunk, length));
        }
        return out;
    }

    private void write()
    {
        context.write(out, context.voidPromise());
        out = null;
    }

    private static int lengthOf(final ByteBuf in)
    {
        return in.getUnsignedShortLE(in.readerIndex() + TcpWire.LENGTH);
    }
}
