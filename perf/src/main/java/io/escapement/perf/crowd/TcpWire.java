package io.escapement.perf.crowd;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.CorruptedFrameException;
import io.netty.util.ReferenceCountUtil;

/**
 * An end of a connection of the TCP peer. A frame is the length of the whole frame, type and id, little-endian, then
 * the payload. The id names a player, or the room of a state. All frames of a read are decoded in one pass, and
 * output is gathered in pooled buffers until it is flushed.
 */
abstract class TcpWire extends ChannelInboundHandlerAdapter
{
    static final int LENGTH = 0;
    static final int TYPE = 2;
    static final int ID = 4;
    static final int HEADER = 8;

    /** To the server: ask for a seat. The payload is the id of the room. */
    static final int JOIN = 1;
    /** To the client: the number of the room, which its states have, and the index of the seat. */
    static final int JOINED = 2;
    /** To the server. */
    static final int MOVE = 3;
    /** To the client: a move, unchanged. */
    static final int ANSWER = 4;
    /** To the client, for all of its players in the room. */
    static final int STATE = 5;

    static final int JOIN_LENGTH = HEADER + Long.BYTES;
    static final int JOINED_LENGTH = HEADER + 2 * Integer.BYTES;
    static final int MOVE_LENGTH = HEADER + CrowdMessages.MOVE_LENGTH;

    private final int chunk;
    private final int limit;
    private ChannelHandlerContext context;
    /** The start of an incomplete frame, or null. */
    private ByteBuf rest;
    /** Output that is not written yet, or null. */
    private ByteBuf out;

    /**
     * @param chunk bytes of an output buffer.
     * @param limit bytes of the longest frame that may arrive.
     */
    TcpWire(final int chunk, final int limit)
    {
        this.chunk = chunk;
        this.limit = limit;
    }

    /** Bytes have arrived. Their frames follow. */
    void onRead(final ByteBuf in)
    {
    }

    /** Handle a frame at the reader's index. Returns false if the protocol does not have it. */
    abstract boolean onFrame(ByteBuf in, int length);

    @Override
    public void handlerAdded(final ChannelHandlerContext added)
    {
        context = added;
    }

    @Override
    public void handlerRemoved(final ChannelHandlerContext removed)
    {
        ReferenceCountUtil.release(rest);
        ReferenceCountUtil.release(out);
        rest = null;
        out = null;
    }

    @Override
    public final void channelRead(final ChannelHandlerContext from, final Object message)
    {
        final ByteBuf in = null == rest ? (ByteBuf)message :
            ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(from.alloc(), rest, (ByteBuf)message);
        rest = in;
        onRead(in);
        int length = wholeFrame(in);
        while (length > 0)
        {
            if (!onFrame(in, length))
            {
                throw new CorruptedFrameException("a frame that the protocol does not have");
            }
            in.skipBytes(length);
            length = wholeFrame(in);
        }
        if (in.isReadable())
        {
            in.discardReadBytes();
        }
        else
        {
            rest = null;
            in.release();
        }
    }

    final boolean isWritable()
    {
        return context.channel().isWritable();
    }

    final boolean isFlushed()
    {
        return null == out;
    }

    /** The header of a frame. Its payload must be written after it. */
    final ByteBuf header(final int type, final int id, final int length)
    {
        return space(length).writeShortLE(length).writeShortLE(type).writeIntLE(id);
    }

    /** A buffer with space for a frame. */
    final ByteBuf space(final int length)
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

    /** Let the output leave. */
    public final void flush()
    {
        if (null != out)
        {
            write();
            context.flush();
        }
    }

    private void write()
    {
        context.write(out, context.voidPromise());
        out = null;
    }

    /** The length of the next frame, 0 if it has not arrived. */
    private int wholeFrame(final ByteBuf in)
    {
        if (in.readableBytes() < HEADER)
        {
            return 0;
        }
        final int length = in.getUnsignedShortLE(in.readerIndex() + LENGTH);
        if (length < HEADER || length > limit)
        {
            throw new CorruptedFrameException("a frame of " + length + " B");
        }
        return length > in.readableBytes() ? 0 : length;
    }
}
