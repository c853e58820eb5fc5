package io.escapement.gateway;

import io.escapement.codecs.PlayerMessages;
import io.escapement.codecs.player.CloseCode;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.CodecException;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.TooLongFrameException;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.ContinuationWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CorruptedWebSocketFrameException;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.UnsafeBuffer;

/** A player's WebSocket: the last handler of its channel, after Netty's decoder of frames. */
final class WebSocketLink extends SimpleChannelInboundHandler<WebSocketFrame> implements PlayerLink
{
    private static final int PING = 0x89;
    private static final int PONG = 0x8A;
    private static final int CLOSE = 0x88;
    /** Netty's decoder refuses a longer ping. */
    private static final int MAX_CONTROL_LENGTH = 125;
    /** If a player's machine takes no bytes, it does not take the close either. It may also never answer the close. */
    private static final long CLOSE_SECONDS = 2;

    private final Channel channel;
    private final Newcomer newcomer;
    private final ErrorHandler errorHandler;
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[PlayerMessages.MAX_REQUEST_LENGTH]);
    private final UnsafeBuffer control = new UnsafeBuffer(new byte[MAX_CONTROL_LENGTH]);
    private int messageLength;
    private boolean isClosing;
    private PlayerConnection connection;

    WebSocketLink(final Channel channel, final Newcomer newcomer, final ErrorHandler errorHandler)
    {
        this.channel = channel;
        this.newcomer = newcomer;
        this.errorHandler = errorHandler;
    }

    Channel channel()
    {
        return channel;
    }

    Newcomer newcomer()
    {
        return newcomer;
    }

    void connection(final PlayerConnection value)
    {
        connection = value;
    }

    @Override
    protected void channelRead0(final ChannelHandlerContext context, final WebSocketFrame frame)
    {
        if (isClosing)
        {
            if (frame instanceof CloseWebSocketFrame)
            {
                channel.close();
            }
            return;
        }
        final ByteBuf content = frame.content();
        final int length = content.readableBytes();
        if (frame instanceof BinaryWebSocketFrame || frame instanceof ContinuationWebSocketFrame)
        {
            onData(content, length, frame.isFinalFragment());
        }
        else if (frame instanceof PongWebSocketFrame)
        {
            connection.onPong(length);
        }
        else if (frame instanceof PingWebSocketFrame)
        {
            content.readBytes(control.byteArray(), 0, length);
            connection.onPing(control, length);
        }
        else if (frame instanceof CloseWebSocketFrame)
        {
            connection.onClosed();
            isClosing = true;
            writeClose(((CloseWebSocketFrame)frame).statusCode()).addListener(ChannelFutureListener.CLOSE);
        }
        else
        {
            connection.close(CloseCode.TEXT);
        }
    }

    /** Put the fragments of a message together. */
    private void onData(final ByteBuf content, final int length, final boolean isFinal)
    {
        if (messageLength + length > PlayerMessages.MAX_REQUEST_LENGTH)
        {
            messageLength = 0;
            connection.close(CloseCode.TOO_BIG);
            return;
        }
        content.readBytes(message.byteArray(), messageLength, length);
        messageLength += length;
        if (isFinal)
        {
            final int whole = messageLength;
            messageLength = 0;
            connection.onMessage(message, 0, whole);
        }
        else
        {
            connection.onFragment();
        }
    }

    @Override
    public void exceptionCaught(final ChannelHandlerContext context, final Throwable thrown)
    {
        final Throwable cause = thrown instanceof DecoderException && null != thrown.getCause() ?
            thrown.getCause() : thrown;
        if (cause instanceof CorruptedWebSocketFrameException)
        {
            final boolean isTooBig =
                WebSocketCloseStatus.MESSAGE_TOO_BIG.equals(((CorruptedWebSocketFrameException)cause).closeStatus());
            connection.close(isTooBig ? CloseCode.TOO_BIG : CloseCode.PROTOCOL_ERROR);
        }
        else if (cause instanceof TooLongFrameException)
        {
            connection.close(CloseCode.TOO_BIG);
        }
        else
        {
            // Of Netty's codecs or the network. A stranger can cause both, by a fragment without its end, for example.
            if (!(cause instanceof IOException) && !(thrown instanceof CodecException))
            {
                errorHandler.onError(cause);
            }
            connection.onClosed();
            channel.close();
        }
    }

    @Override
    public void channelInactive(final ChannelHandlerContext context)
    {
        connection.onClosed();
    }

    @Override
    public void send(final DirectBuffer buffer, final int offset, final int length)
    {
        channel.write(WebSocketMessage.copy(channel.alloc(), buffer, offset, length), channel.voidPromise());
    }

    @Override
    public void send(final SharedMessage shared)
    {
        channel.write(((WebSocketMessage)shared).share(), channel.voidPromise());
    }

    @Override
    public boolean greet(final boolean hasSession)
    {
        return newcomer.greet(hasSession);
    }

    @Override
    public void ping()
    {
        channel.write(channel.alloc().buffer(2).writeByte(PING).writeByte(0), channel.voidPromise());
    }

    @Override
    public void pong(final DirectBuffer buffer, final int offset, final int length)
    {
        channel.write(channel.alloc().buffer(2 + length).writeByte(PONG).writeByte(length)
            .writeBytes(buffer.byteArray(), offset, length), channel.voidPromise());
    }

    @Override
    public void flush()
    {
        channel.flush();
    }

    @Override
    public long queuedBytes()
    {
        final ChannelOutboundBuffer queue = channel.unsafe().outboundBuffer();
        return null == queue ? 0 : queue.totalPendingWriteBytes();
    }

    @Override
    public void isReading(final boolean value)
    {
        channel.config().setAutoRead(value);
    }

    @Override
    public void close(final CloseCode code)
    {
        isClosing = true;
        writeClose(code.value());
        // Until its own close arrives: if the last bytes of the socket are unread, the kernel would drop the code with
        // it.
        channel.config().setAutoRead(true);
        channel.eventLoop().schedule(() -> channel.close(), CLOSE_SECONDS, TimeUnit.SECONDS);
    }

    /** A status below 1000 means no status. */
    private ChannelFuture writeClose(final int status)
    {
        final ByteBuf frame = channel.alloc().buffer(4).writeByte(CLOSE);
        return channel.writeAndFlush(status < 1_000 ? frame.writeByte(0) : frame.writeByte(2).writeShort(status));
    }
}
