package io.escapement.perf.crowd;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.DecoderException;
import java.io.IOException;

/** A connection of the TCP peer. Its output leaves with one flush for all moves of a read or all states of a frame. */
final class TcpConnection extends TcpWire
{
    private final TcpRooms rooms;

    TcpConnection(final TcpRooms rooms, final int chunk)
    {
        super(chunk, Math.max(JOIN_LENGTH, MOVE_LENGTH));
        this.rooms = rooms;
    }

    @Override
    public void channelActive(final ChannelHandlerContext opened)
    {
        rooms.add(this);
    }

    @Override
    public void channelInactive(final ChannelHandlerContext closed)
    {
        rooms.remove(this);
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
        if (!(cause instanceof IOException || cause instanceof DecoderException) && 1 == rooms.errors.incrementAndGet())
        {
            System.getLogger("io.escapement.perf").log(System.Logger.Level.ERROR, "fault", cause);
        }
        from.close();
    }

    /** Send a state, if the connection is writable. */
    boolean sendState(final byte[] frame)
    {
        if (!isWritable())
        {
            return false;
        }
        space(frame.length).writeBytes(frame);
        return true;
    }

    @Override
    boolean onFrame(final ByteBuf in, final int length)
    {
        final int offset = in.readerIndex();
        final int type = in.getUnsignedShortLE(offset + TYPE);
        final int player = in.getIntLE(offset + ID);
        if (MOVE == type && MOVE_LENGTH == length)
        {
            if (!rooms.onMove(this, player, in.getIntLE(offset + HEADER + CrowdMessages.NUMBER)))
            {
                return false;
            }
            header(ANSWER, player, length).writeBytes(in, offset + HEADER, CrowdMessages.MOVE_LENGTH);
            return true;
        }
        final TcpRooms.Seat seat = JOIN == type && JOIN_LENGTH == length ?
            rooms.join(this, player, in.getLongLE(offset + HEADER)) : null;
        if (null == seat)
        {
            return false;
        }
        header(JOINED, player, JOINED_LENGTH).writeIntLE(seat.room().number).writeIntLE(seat.index());
        return true;
    }
}
