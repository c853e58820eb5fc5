package io.escapement.gateway;

import io.escapement.testsupport.Tests;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelOption;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The options of a player's socket, as the kernel has them, and how sockets are accepted. */
class SocketOptionsTest
{
    private static final int SLOW_SECONDS = 7;
    private static final int SEND_BUFFER = 64 * 1_024;

    private static ChannelConfig accepted(final ListenerBench bench, final SocketChannel client) throws IOException
    {
        client.connect(new InetSocketAddress("127.0.0.1", bench.port));
        client.write(ByteBuffer.wrap(HostileBytesTest.UPGRADE.getBytes(StandardCharsets.US_ASCII)));
        Tests.await(() ->
        {
            bench.turn();
            return 1 == bench.sessions.connections().size();
        }, "the connection");
        final List<Channel> channels = new ArrayList<>();
        bench.sessions.connections().forEach((connection) ->
            channels.add(((WebSocketLink)connection.link()).channel()));
        return channels.get(0).config();
    }

    private static ListenerBench bench()
    {
        return bench(new GatewayContext());
    }

    private static ListenerBench bench(final GatewayContext context)
    {
        return new ListenerBench(context, SocketOptionsTest.class.getClassLoader(), "test/page.html");
    }

    @Test
    void shouldSendAtOnceFromABufferThatHidesNoOldStates() throws IOException
    {
        try (ListenerBench bench = bench(); SocketChannel client = SocketChannel.open())
        {
            final ChannelConfig config = accepted(bench, client);
            assertTrue(config.getOption(ChannelOption.TCP_NODELAY), "TCP_NODELAY");
            assertFalse(config.getOption(ChannelOption.SO_KEEPALIVE), "pings of WebSocket find those who are gone");
            final int buffer = config.getOption(ChannelOption.SO_SNDBUF);
            // Linux doubles what it is given, for its own overhead, and the JDK hides that.
            assertEquals(Epoll.isAvailable() ? 2 * SEND_BUFFER : SEND_BUFFER, buffer, "SO_SNDBUF");
        }
    }

    @Test
    void shouldHaveTheKernelCloseWhoAcknowledgesNothing() throws IOException
    {
        Assumptions.assumeTrue(Epoll.isAvailable(), "no epoll");
        assertEquals(TimeUnit.SECONDS.toMillis(10), acknowledgedWithinMs(new GatewayContext()), "the default");
        final GatewayContext context = new GatewayContext();
        context.limits().slowNs(TimeUnit.SECONDS.toNanos(SLOW_SECONDS));
        assertEquals(TimeUnit.SECONDS.toMillis(SLOW_SECONDS), acknowledgedWithinMs(context));
    }

    private static long acknowledgedWithinMs(final GatewayContext context) throws IOException
    {
        try (ListenerBench bench = bench(context); SocketChannel client = SocketChannel.open())
        {
            return accepted(bench, client).getOption(EpollChannelOption.TCP_USER_TIMEOUT);
        }
    }

    /** Netty's own choice would be another one, whose cost nobody has measured here. */
    @Test
    void shouldAllocateFromThePoolThatItMeasures() throws IOException
    {
        try (ListenerBench bench = bench(); SocketChannel client = SocketChannel.open())
        {
            assertSame(PooledByteBufAllocator.DEFAULT, accepted(bench, client).getAllocator());
        }
    }

    /** Strangers who come at once do not keep the players waiting. */
    @Test
    void shouldAcceptOneConnectionATurn() throws IOException
    {
        try (ListenerBench bench = bench(); SocketChannel first = SocketChannel.open();
            SocketChannel second = SocketChannel.open(); SocketChannel third = SocketChannel.open())
        {
            for (final SocketChannel client : List.of(first, second, third))
            {
                client.connect(new InetSocketAddress("127.0.0.1", bench.port));
            }
            final long[] accepted = {0};
            Tests.await(() ->
            {
                bench.turn();
                final long before = accepted[0];
                accepted[0] = bench.counters.get(GatewayCounter.CONNECTIONS_ACCEPTED);
                assertTrue(accepted[0] <= before + 1, "more than one in a turn");
                return 3 == accepted[0];
            }, "all connections");
        }
    }
}
