package io.escapement.gateway;

import io.escapement.config.ConfigException;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.ManualIoEventLoop;
import io.netty.channel.ServerChannelRecvByteBufAllocator;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.unix.UnixChannelOption;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.flow.FlowControlHandler;
import io.netty.util.AttributeKey;
import io.netty.util.concurrent.Future;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * The listening socket of a worker and the pipelines of its connections, on an event loop that the worker runs itself.
 */
final class Listener implements AutoCloseable
{
    static final int HEAD_LENGTH = 4 * 1_024;
    private static final int BODY_LENGTH = 1_024;
    /** Most of a player's packets are shorter. One read a turn, so that no player delays the others. */
    private static final int READ_LENGTH = 2 * 1_024;
    /** A longer one would hide seconds of old states in the kernel. */
    static final int SEND_BUFFER = 64 * 1_024;
    static final int BACKLOG = 1_024;
    static final int ACCEPTS_AT_ONCE = 1;
    private static final int CLOSE_TURNS = 1_000;

    private static final long ACCEPT_PAUSE_NS = TimeUnit.SECONDS.toNanos(1);
    private static final AttributeKey<Listener> LISTENER = AttributeKey.valueOf(Listener.class, "listener");

    /**
     * Has one connection accepted after another, at the allowed rate. However many strangers want to connect, they
     * leave players their time. If no descriptor is free, it pauses and counts the pause. Netty would also pause, but
     * log each attempt, and a log may need a descriptor itself.
     */
    private final class Accepts extends ChannelInboundHandlerAdapter
    {
        private final long apartNs = TimeUnit.SECONDS.toNanos(1) / context.limits().acceptRate();
        private Future<?> next;

        @Override
        public void channelActive(final ChannelHandlerContext listening)
        {
            readIn(listening, 0);
        }

        @Override
        public void channelReadComplete(final ChannelHandlerContext listening)
        {
            readIn(listening, apartNs);
        }

        /** Netty reports a fault after the end of the read that had it. */
        @Override
        public void exceptionCaught(final ChannelHandlerContext listening, final Throwable cause)
        {
            counters.increment(GatewayCounter.ACCEPTS_FAILED);
            // A read that failed stays pending, and Netty repeats it in each turn. This takes it back.
            listening.channel().config().setAutoRead(true);
            listening.channel().config().setAutoRead(false);
            next.cancel(false);
            readIn(listening, ACCEPT_PAUSE_NS);
        }

        private void readIn(final ChannelHandlerContext listening, final long ns)
        {
            next = listening.executor().schedule(() -> readAgain(listening), ns, TimeUnit.NANOSECONDS);
        }

        private void readAgain(final ChannelHandlerContext listening)
        {
            if (listening.channel().isActive())
            {
                listening.read();
            }
        }
    }

    private static final System.Logger LOGGER = System.getLogger("io.escapement.gateway");
    private static final AtomicBoolean IS_REPORTED = new AtomicBoolean();

    private final GatewayContext context;
    private final GatewayCounters counters;
    private final AddressLimits addresses;
    private final Certificates certificates;
    private final StaticFiles files;
    private final boolean isEpoll = Epoll.isAvailable();
    private final ManualIoEventLoop loop;
    private final WebSocketMessage shared = new WebSocketMessage(PooledByteBufAllocator.DEFAULT);
    private final Admission admission;
    private Channel server;

    Listener(
        final GatewayContext context,
        final GatewayCounters counters,
        final AddressLimits addresses,
        final Certificates certificates,
        final StaticFiles files)
    {
        this.context = context;
        this.counters = counters;
        this.addresses = addresses;
        this.certificates = certificates;
        this.files = files;
        admission = new Admission(context.limits());
        if (!isEpoll && IS_REPORTED.compareAndSet(false, true))
        {
            LOGGER.log(System.Logger.Level.INFO,
                "WebSockets: Java's NIO, without epoll: " + Epoll.unavailabilityCause().getMessage());
        }
        loop = new ManualIoEventLoop(
            Thread.currentThread(), isEpoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
    }

    SharedMessage sharedMessage()
    {
        return shared;
    }

    /** Listen, and return the port. */
    int listen(final Sessions sessions, final int port)
    {
        final ServerBootstrap bootstrap = new ServerBootstrap().group(loop)
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .option(ChannelOption.SO_REUSEADDR, true)
            .option(ChannelOption.AUTO_READ, false)
            .option(ChannelOption.RECVBUF_ALLOCATOR,
                new ServerChannelRecvByteBufAllocator().maxMessagesPerRead(ACCEPTS_AT_ONCE))
            .childOption(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
            .childOption(ChannelOption.RECVBUF_ALLOCATOR,
                new FixedRecvByteBufAllocator(READ_LENGTH).maxMessagesPerRead(1))
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(ChannelOption.SO_SNDBUF, SEND_BUFFER)
            .handler(new Accepts())
            .childHandler(new ChannelInitializer<>()
            {
                @Override
                protected void initChannel(final Channel channel)
                {
                    accept(sessions, channel);
                }
            });
        if (isEpoll)
        {
            bootstrap.channel(EpollServerSocketChannel.class)
                .option(UnixChannelOption.SO_REUSEPORT, context.workers() > 1)
                .childOption(EpollChannelOption.TCP_USER_TIMEOUT,
                    (int)TimeUnit.NANOSECONDS.toMillis(context.limits().slowNs()));
        }
        else
        {
            bootstrap.channel(NioServerSocketChannel.class);
        }
        final ChannelFuture bound = bootstrap.bind(new InetSocketAddress(context.host(), port));
        while (!bound.isDone())
        {
            loop.runNow();
        }
        if (!bound.isSuccess())
        {
            // It was free when the options were checked.
            throw new ConfigException(
                "port", port, "name a free port (" + bound.cause().getMessage() + ")", bound.cause());
        }
        server = bound.channel();
        return ((InetSocketAddress)server.localAddress()).getPort();
    }

    private void accept(final Sessions sessions, final Channel channel)
    {
        counters.increment(GatewayCounter.CONNECTIONS_ACCEPTED);
        final InetSocketAddress remote = (InetSocketAddress)channel.remoteAddress();
        if (null == remote || null == remote.getAddress())
        {
            channel.close();
            return;
        }
        final InetAddress address = remote.getAddress();
        final boolean isProxy = context.proxies().has(address);
        final boolean hasHeader = isProxy && context.isProxyProtocol();
        final Newcomer newcomer = new Newcomer(
            channel, admission, addresses, counters, context.clock(), isProxy && !hasHeader ? address : null);
        if (!isProxy && !newcomer.count(address))
        {
            channel.close();
            return;
        }
        newcomer.enter(address);
        channel.attr(LISTENER).set(this);
        channel.closeFuture().addListener((future) -> channel.attr(LISTENER).get().admission.depart());
        if (hasHeader)
        {
            channel.pipeline().addLast(new ProxyHeaderDecoder(newcomer, address, counters));
        }
        if (null != certificates)
        {
            channel.pipeline().addLast(certificates.handler(channel.alloc()));
        }
        addDecoders(channel.pipeline(), new WebHandler(context, counters, sessions, files, newcomer));
    }

    /** Run a task in this worker's thread, between turns. Called by other workers. */
    void execute(final Runnable task)
    {
        loop.execute(task);
    }

    /**
     * Hand a connection to another worker. Bytes that its socket has not been asked for stay there.
     *
     * @param arrived called in the other worker's thread, with whether that has as many connections as it may.
     */
    void move(final WebSocketLink link, final Listener to, final Consumer<Boolean> arrived)
    {
        final Channel channel = link.channel();
        link.newcomer().leave();
        channel.deregister().addListener((gone) ->
        {
            if (!channel.isOpen())
            {
                return;
            }
            admission.depart();
            final boolean isFull = !to.admission.arrive(link.newcomer().isReturning());
            channel.attr(LISTENER).set(to);
            final EventLoopGroup loopThere = to.loop;
            // A worker that is being closed refuses it, and Netty closes the socket then.
            loopThere.register(channel).addListener((registered) ->
            {
                if (registered.isSuccess())
                {
                    arrived.accept(isFull);
                }
            });
        });
    }

    /** Decode requests, and frames after an upgrade, in a pipeline that carries plain bytes. */
    static void addDecoders(final ChannelPipeline pipeline, final WebHandler http)
    {
        pipeline.addLast(
            new HttpServerCodec(new HttpDecoderConfig().setMaxInitialLineLength(HEAD_LENGTH)
                .setMaxHeaderSize(HEAD_LENGTH).setMaxChunkSize(BODY_LENGTH)),
            new HttpObjectAggregator(BODY_LENGTH, true),
            // Requests of one packet wait here until the answer before theirs is taken.
            new FlowControlHandler(),
            http);
    }

    int poll()
    {
        return loop.runNow();
    }

    void await(final long ns)
    {
        loop.run(ns);
    }

    void stopAccepting()
    {
        server.close();
    }

    @Override
    public void close()
    {
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        for (int i = 0; i < CLOSE_TURNS && !loop.isTerminated(); i++)
        {
            loop.run(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }
}
