package io.escapement.perf.crowd;

import io.escapement.perf.rig.Control;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The process of the peer: the same rooms on a plain Netty server over TCP. One event loop reads the connections,
 * answers moves, and runs the frames of all rooms.
 */
public final class TcpServer
{
    private static final String LOOP = "tcp-loop";
    private static final int BACKLOG = 4_096;
    /** Output that may wait for a connection before its states are dropped: as much as a trunk's queue holds. */
    private static final int GATEWAY_QUEUE = 4 * 1024 * 1024;
    private static final int PLAYER_QUEUE = 64 * 1024;
    private static final int GATEWAY_CHUNK = 64 * 1024;
    private static final int PLAYER_CHUNK = 512;
    private static final long CLOSE_SECONDS = 5;

    private final CrowdPlan plan;
    private final Control control;

    private TcpServer(final CrowdPlan plan, final Control control)
    {
        this.plan = plan;
        this.control = control;
    }

    /** Run the process. */
    public static void run(final CrowdPlan plan, final Control control)
    {
        new TcpServer(plan, control).run();
    }

    /** Why the figures of the peer are worth less on this host, null if they are not. */
    public static String reservation()
    {
        return Epoll.isAvailable() ? null : "tcp: no epoll on this host, so the peer runs on Java's NIO";
    }

    private void run()
    {
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
        final MultiThreadIoEventLoopGroup group = new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory(LOOP),
            Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
        try
        {
            final TcpRooms rooms = new TcpRooms(plan, System::nanoTime);
            final EventLoop eventLoop = group.next();
            final Thread loop = eventLoop.submit(() ->
            {
                rooms.start(eventLoop);
                return Thread.currentThread();
            }).syncUninterruptibly().getNow();
            bind(group, rooms);
            control.send(Control.READY);
            ServerWindow.serve(plan, control, (durationMs) -> new Window(rooms, loop, durationMs));
        }
        finally
        {
            group.shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS).awaitUninterruptibly();
        }
    }

    private void bind(final MultiThreadIoEventLoopGroup group, final TcpRooms rooms)
    {
        final boolean isGateway = !plan.hasConnectionPerPlayer();
        final int chunk = isGateway ? GATEWAY_CHUNK : PLAYER_CHUNK;
        final int queue = isGateway ? GATEWAY_QUEUE : PLAYER_QUEUE;
        final ServerBootstrap bootstrap = new ServerBootstrap().group(group)
            .channel(Epoll.isAvailable() ? EpollServerSocketChannel.class : NioServerSocketChannel.class)
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
            .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, new WriteBufferWaterMark(queue / 2, queue))
            .childHandler(new ChannelInitializer<SocketChannel>()
            {
                @Override
                protected void initChannel(final SocketChannel channel)
                {
                    channel.pipeline().addLast(new TcpConnection(rooms, chunk));
                }
            });
        if (isGateway)
        {
            bootstrap.childOption(ChannelOption.SO_SNDBUF, CrowdGame.SOCKET_BUFFER);
        }
        final ChannelFuture bound = bootstrap.bind(TcpLinks.address(plan.serverEndpoint())).awaitUninterruptibly();
        if (!bound.isSuccess())
        {
            throw new IllegalStateException("cannot listen at " + plan.serverEndpoint(), bound.cause());
        }
    }

    /** The counts of a part. */
    private final class Window extends ServerWindow
    {
        private final TcpRooms rooms;
        private final Thread loop;

        Window(final TcpRooms rooms, final Thread loop, final int durationMs)
        {
            super(plan, rooms.statesSent, List.of(rooms.lateness::getIntervalHistogram), durationMs);
            this.rooms = rooms;
            this.loop = loop;
        }

        @Override
        void measuring(final boolean isMeasuring)
        {
            rooms.isMeasuring = isMeasuring;
        }

        @Override
        long errors()
        {
            return rooms.errors.get() + (loop.isAlive() ? 0 : 1);
        }

        @Override
        void count(final Map<String, Long> counts)
        {
            counts.put(CrowdFigures.ENGINE_BYTES, threadBean.getThreadAllocatedBytes(loop.getId()));
            counts.put(CrowdFigures.LOOPS_BUSY_NS, threadBean.getThreadCpuTime(loop.getId()));
            counts.put(CrowdFigures.MISSED, rooms.missed.get());
            counts.put(CrowdFigures.STATES_DROPPED, rooms.statesDropped.get());
            counts.put(CrowdFigures.STALLS, rooms.stalls.get());
            // There is neither a media driver nor a monitor.
            counts.put(CrowdFigures.DRIVER_BYTES, 0L);
            counts.put(CrowdFigures.DRIVER_NS, 0L);
            counts.put(CrowdFigures.MONITOR_BYTES, 0L);
        }
    }
}
