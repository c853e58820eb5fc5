package io.escapement.perf.crowd;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.ManualIoEventLoop;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.DecoderException;
import io.netty.util.ResourceLeakDetector;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;

/** Connections over TCP, on an event loop of Netty that the bots' thread runs. */
abstract class SocketLinks implements BotLinks
{
    /** A connection. */
    interface Trunk extends BotTrunk
    {
        /** Let the moves leave. */
        void flush();
    }

    /** Most connections opened at a time, so that no connection waits too long for the server. */
    private static final int OPENING_LIMIT = 64;
    /** The longest buffer that a thread keeps for its next read. */
    private static final int READ_LENGTH = 32 * 1024;

    /** Ends every pipeline. */
    @ChannelHandler.Sharable
    private final class Faults extends ChannelInboundHandlerAdapter
    {
        @Override
        public void channelInactive(final ChannelHandlerContext context)
        {
            onFault(new IllegalStateException("a connection is lost: end of stream"));
        }

        @Override
        public void exceptionCaught(final ChannelHandlerContext context, final Throwable cause)
        {
            onFault(cause instanceof DecoderException && null != cause.getCause() ? cause.getCause() : cause);
        }
    }

    final CrowdPlan plan;
    final CrowdBots bots;
    private final Trunk[] trunks;
    /** The connections with moves that have not left. */
    private final ArrayDeque<Trunk> unsent = new ArrayDeque<>();
    private final ManualIoEventLoop loop = new ManualIoEventLoop(Thread.currentThread(),
        Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
    private final Bootstrap bootstrap;
    private final Faults faults = new Faults();
    private int opened;
    private int up;
    private IllegalStateException fault;

    /**
     * @param receiveBuffer bytes of a socket's buffer, 0 for the host's default.
     * @param queue         bytes that may wait for a socket before a trunk takes no more moves.
     */
    SocketLinks(
        final CrowdPlan plan,
        final CrowdBots bots,
        final InetSocketAddress server,
        final int receiveBuffer,
        final int queue)
    {
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
        this.plan = plan;
        this.bots = bots;
        trunks = new Trunk[plan.hasConnectionPerPlayer() ? plan.players() : plan.trunks];
        bootstrap = new Bootstrap().group(loop)
            .channel(Epoll.isAvailable() ? EpollSocketChannel.class : NioSocketChannel.class)
            .remoteAddress(server)
            .option(ChannelOption.TCP_NODELAY, true)
            .option(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
            .option(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(READ_LENGTH))
            .option(ChannelOption.WRITE_BUFFER_WATER_MARK, new WriteBufferWaterMark(queue / 2, queue));
        if (0 != receiveBuffer)
        {
            bootstrap.option(ChannelOption.SO_RCVBUF, receiveBuffer);
        }
    }

    /** Make the pipeline of a connection that is not open yet. */
    abstract Trunk trunk(int number, ChannelPipeline pipeline);

    /** View the bytes that can be read. */
    static void wrap(final UnsafeBuffer view, final ByteBuf bytes)
    {
        if (bytes.hasMemoryAddress())
        {
            view.wrap(bytes.memoryAddress() + bytes.readerIndex(), bytes.readableBytes());
        }
        else
        {
            view.wrap(bytes.nioBuffer());
        }
    }

    /** A connection is ready for its players. */
    final void onUp()
    {
        up++;
    }

    /** Let the moves of a connection leave with the next flush. */
    final void unsent(final Trunk trunk)
    {
        unsent.add(trunk);
    }

    @Override
    public final void connect()
    {
        // Connections are opened one after another, by polling.
    }

    @Override
    public final boolean isUp()
    {
        return up == trunks.length;
    }

    @Override
    public final BotTrunk trunk(final int number)
    {
        return trunks[number];
    }

    @Override
    public final int poll()
    {
        if (opened < trunks.length && opened - up < OPENING_LIMIT)
        {
            // In the loop, because a thread has a cache of buffers only if an event loop asked for the first buffer.
            loop.execute(this::open);
        }
        final int work = loop.runNow();
        if (null != fault)
        {
            throw fault;
        }
        return work;
    }

    @Override
    public final void flush()
    {
        for (Trunk trunk = unsent.poll(); null != trunk; trunk = unsent.poll())
        {
            trunk.flush();
        }
    }

    @Override
    public void close()
    {
        loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
        while (!loop.isTerminated())
        {
            loop.runNow();
        }
    }

    private void open()
    {
        final int number = opened++;
        bootstrap.handler(new ChannelInitializer<>()
        {
            @Override
            protected void initChannel(final Channel channel)
            {
                trunks[number] = trunk(number, channel.pipeline());
                channel.pipeline().addLast(faults);
            }
        });
        bootstrap.connect().addListener((connected) ->
        {
            if (!connected.isSuccess())
            {
                onFault(connected.cause());
            }
        });
    }

    private void onFault(final Throwable cause)
    {
        if (null == fault)
        {
            fault = cause instanceof IllegalStateException ? (IllegalStateException)cause :
                new IllegalStateException("a connection is lost: " + cause.getMessage(), cause);
        }
    }
}
