package io.escapement.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** A client's end of a connection without a socket, with its own time. */
final class Wire
{
    private final MockTicker ticker = Ticker.newMockTicker();
    private final Deque<Runnable> heldWrites = new ArrayDeque<>();
    private final HttpConnection connection;
    private final EmbeddedChannel channel;
    private boolean isHeld;

    Wire(final HttpHandler handler, final Executor workers, final HttpConnections connections, final String address)
    {
        connection = new HttpConnection(handler, workers, connections, address(address), 80);
        channel = EmbeddedChannel.builder().ticker(ticker).handlers(new ChannelInitializer<>()
        {
            @Override
            protected void initChannel(final Channel made)
            {
                made.pipeline().addLast(new Kernel());
                connection.addTo(made.pipeline());
            }
        }).build();
    }

    static InetAddress address(final String text)
    {
        try
        {
            return InetAddress.getByName(text);
        }
        catch (final UnknownHostException ex)
        {
            throw new IllegalArgumentException(text, ex);
        }
    }

    HttpConnection connection()
    {
        return connection;
    }

    /** Send text as it is, with a line feed after each carriage return. */
    Wire send(final String text)
    {
        channel.writeInbound(Unpooled.copiedBuffer(text.replace("\r", "\r\n"), StandardCharsets.US_ASCII));
        return this;
    }

    Wire get(final String path)
    {
        return send("GET " + path + " HTTP/1.1\rHost: a\r\r");
    }

    /** All text that the server has sent since the last call. */
    String received()
    {
        run();
        final StringBuilder text = new StringBuilder();
        for (ByteBuf bytes = channel.readOutbound(); null != bytes; bytes = channel.readOutbound())
        {
            text.append(bytes.toString(StandardCharsets.US_ASCII));
            bytes.release();
        }
        return text.toString();
    }

    /** The status of the next answer, which must be the only one. */
    int status()
    {
        final String text = received();
        return text.startsWith("HTTP/1.1 ") ? Integer.parseInt(text.substring(9, 12)) : 0;
    }

    boolean isOpen()
    {
        run();
        return channel.isOpen();
    }

    Wire pass(final long ns)
    {
        ticker.advance(ns, TimeUnit.NANOSECONDS);
        run();
        return this;
    }

    void close()
    {
        channel.close();
        run();
    }

    /** The client reads nothing, or reads again. */
    void hold(final boolean isHeldNow)
    {
        isHeld = isHeldNow;
        while (!isHeld && !heldWrites.isEmpty())
        {
            heldWrites.remove().run();
        }
    }

    private void run()
    {
        channel.runPendingTasks();
        channel.runScheduledPendingTasks();
    }

    /** Takes no bytes while the client reads none. */
    private final class Kernel extends ChannelOutboundHandlerAdapter
    {
        @Override
        public void write(final ChannelHandlerContext context, final Object message, final ChannelPromise promise)
        {
            if (isHeld)
            {
                heldWrites.add(() -> context.writeAndFlush(message, promise));
            }
            else
            {
                context.write(message, promise);
            }
        }
    }
}
