package io.escapement.gateway;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;

/**
 * Sends a long body in chunks: one when the one before is taken, and in another turn of the worker. Netty's
 * ChunkedWriteHandler would write for as long as a socket takes more, while players wait, and for ever if the file had
 * become shorter.
 */
final class Download implements ChannelFutureListener, AutoCloseable
{
    /**
     * The worker's thread reads it from the disk: from the page cache that takes microseconds, and a handover to
     * another thread more. It is two records of TLS.
     */
    static final int CHUNK = 32 * 1_024;

    private final ChannelHandlerContext channel;
    private final StaticFiles.Body body;
    private final Runnable onTaken;
    private final ChannelPromise taken;
    /** Null for a body in memory. */
    private final ReadableByteChannel in;
    private long sent;

    /**
     * A download before its head is sent.
     *
     * @param channel to write to.
     * @param body    to send.
     * @param onTaken called each time when the client's socket has taken a chunk.
     */
    Download(final ChannelHandlerContext channel, final StaticFiles.Body body, final Runnable onTaken)
        throws IOException
    {
        this.channel = channel;
        this.body = body;
        this.onTaken = onTaken;
        taken = channel.newPromise();
        in = null == body.bytes() ? body.open() : null;
    }

    /** Whether all is taken. */
    boolean isDone()
    {
        return sent == body.length();
    }

    /** Send the head, then all bytes. The future succeeds when the client's socket has taken it. */
    ChannelFuture start()
    {
        sendChunk();
        return taken;
    }

    private void sendChunk()
    {
        try
        {
            final int length = (int)Math.min(CHUNK, body.length() - sent);
            final ByteBuf chunk = null == in ?
                Unpooled.wrappedBuffer(body.bytes().slice((int)sent, length)) : read(length);
            sent += length;
            channel.writeAndFlush(isDone() ? new DefaultLastHttpContent(chunk) : new DefaultHttpContent(chunk))
                .addListener(this);
        }
        catch (final IOException ex)
        {
            // Closed, or shorter than the head said: the client sees that its end is missing.
            channel.close();
        }
    }

    private ByteBuf read(final int length) throws IOException
    {
        final ByteBuf chunk = channel.alloc().directBuffer(length, length);
        final ByteBuffer space = chunk.internalNioBuffer(0, length);
        try
        {
            while (space.hasRemaining())
            {
                if (in.read(space) < 0)
                {
                    throw new EOFException();
                }
            }
            return chunk.writerIndex(length);
        }
        catch (final IOException ex)
        {
            chunk.release();
            throw ex;
        }
    }

    @Override
    public void operationComplete(final ChannelFuture written)
    {
        if (!written.isSuccess())
        {
            channel.close();
            return;
        }
        onTaken.run();
        if (isDone())
        {
            taken.setSuccess();
        }
        else
        {
            // In the next turn: the loop runs a plain task in this one.
            channel.executor().schedule(this::sendChunk, 0, TimeUnit.NANOSECONDS);
        }
    }

    @Override
    public void close()
    {
        CloseHelper.quietClose(in);
    }
}
