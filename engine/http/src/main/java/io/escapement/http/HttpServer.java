package io.escapement.http;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.ServerChannelRecvByteBufAllocator;
import io.netty.channel.SingleThreadIoEventLoop;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A small HTTP server. Its limits are made for health checks, metrics and the console. One thread serves all
 * connections. It sleeps until there is work. Workers answer requests for which that thread would wait.
 */
public final class HttpServer implements AutoCloseable
{
    /** Requests that wait for a worker. With the requests in the workers they are less than the connections. */
    static final int QUEUE_LIMIT = 32;

    /** A longer one would hide old events from a client that does not read. */
    private static final int SEND_BUFFER = 64 * 1_024;
    private static final int READ_LENGTH = 2 * 1_024;
    /** Between two newcomers the server reads the requests of the others. */
    private static final int ACCEPTS_AT_ONCE = 1;
    private static final int BACKLOG = 1_024;
    private static final long IDLE_SECONDS = 10;
    private static final long CLOSE_MS = 1_000;

    private final HttpConnections connections = new HttpConnections();
    private final HttpHandler handler;
    private final SingleThreadIoEventLoop loop;
    private final ThreadPoolExecutor workers;
    private final Channel listening;
    private final int port;

    private HttpServer(
        final String name, final InetSocketAddress address, final int workers, final HttpHandler handler)
        throws IOException
    {
        this.handler = handler;
        loop = new SingleThreadIoEventLoop(null, threads(name), NioIoHandler.newFactory());
        this.workers = new ThreadPoolExecutor(workers, workers, IDLE_SECONDS, TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(QUEUE_LIMIT), threads(name + "-worker"));
        this.workers.allowCoreThreadTimeOut(true);
        final ChannelFuture bound = new ServerBootstrap().group(loop)
            .channel(NioServerSocketChannel.class)
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .option(ChannelOption.SO_REUSEADDR, true)
            .option(ChannelOption.RECVBUF_ALLOCATOR,
                new ServerChannelRecvByteBufAllocator().maxMessagesPerRead(ACCEPTS_AT_ONCE))
            .childOption(ChannelOption.ALLOCATOR, UnpooledByteBufAllocator.DEFAULT)
            .childOption(ChannelOption.RECVBUF_ALLOCATOR,
                new FixedRecvByteBufAllocator(READ_LENGTH).maxMessagesPerRead(1))
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(ChannelOption.SO_SNDBUF, SEND_BUFFER)
            .childHandler(new ChannelInitializer<>()
            {
                @Override
                protected void initChannel(final Channel channel)
                {
                    accept(channel);
                }
            })
            .bind(address).awaitUninterruptibly();
        listening = bound.channel();
        if (!bound.isSuccess())
        {
            close();
            throw new IOException(bound.cause().getMessage(), bound.cause());
        }
        port = ((InetSocketAddress)listening.localAddress()).getPort();
    }

    /**
     * Launch a server. It listens on return.
     *
     * @param name    of its thread, and with a suffix of its workers.
     * @param address to listen on. Port 0 is any free one.
     * @param workers that answer at a time.
     * @param handler of all requests.
     * @return the server.
     * @throws IOException if the address cannot be bound.
     */
    public static HttpServer launch(
        final String name, final InetSocketAddress address, final int workers, final HttpHandler handler)
        throws IOException
    {
        if (address.isUnresolved())
        {
            throw new IOException("no such host");
        }
        return new HttpServer(name, address, workers, handler);
    }

    /** The port it listens on. */
    public int port()
    {
        return port;
    }

    /** Close all connections and stop all threads. A worker that does not return in time is abandoned. */
    @Override
    public void close()
    {
        workers.shutdownNow();
        if (!loop.isShuttingDown())
        {
            listening.close().awaitUninterruptibly(CLOSE_MS);
            loop.submit(connections::closeAll).awaitUninterruptibly(CLOSE_MS);
            // A loop that exits does not wait for connections to release their buffers. They release them before this
            // task.
            loop.submit(() -> { }).awaitUninterruptibly(CLOSE_MS);
        }
        loop.shutdownGracefully(0, CLOSE_MS, TimeUnit.MILLISECONDS);
        try
        {
            workers.awaitTermination(CLOSE_MS, TimeUnit.MILLISECONDS);
            loop.awaitTermination(CLOSE_MS, TimeUnit.MILLISECONDS);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    private void accept(final Channel channel)
    {
        final InetSocketAddress remote = (InetSocketAddress)channel.remoteAddress();
        final InetSocketAddress local = (InetSocketAddress)channel.localAddress();
        if (null == remote || null == local)
        {
            channel.close();
            return;
        }
        new HttpConnection(handler, workers, connections, remote.getAddress(), local.getPort())
            .addTo(channel.pipeline());
    }

    private static ThreadFactory threads(final String name)
    {
        return (task) ->
        {
            final Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        };
    }
}
