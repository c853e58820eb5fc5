package io.escapement.engine;

import io.escapement.testsupport.RealTime;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * Relays datagrams between clients and an engine's two endpoints, as a router with translated addresses does, and those
 * of feeds to a client. The relay delays every datagram, loses some, doubles some and lets some overtake others, by a
 * seed and in both directions.
 */
@RealTime("datagrams that are delayed")
final class LossyRelay implements AutoCloseable
{
    private static final String HOST = "127.0.0.1";
    private static final long DELAY_NS = TimeUnit.MILLISECONDS.toNanos(20);
    /** Of a datagram that overtakes others, sent up to 10 ms before it. */
    private static final long SHORT_DELAY_NS = DELAY_NS / 2;
    private static final double OVERTAKING = 0.02;
    private static final double DOUBLED = 0.01;
    private static final int SOCKET_BUFFER = 1_024 * 1_024;
    private static final int MAX_DATAGRAM = 65_536;
    /** Of a frame of Aeron, in the byte order of all its hosts. */
    private static final int TYPE_AT = 6;
    private static final int DATA_TYPE = 1;
    private static final int DATA_HEADER_LENGTH = 32;

    /** A datagram that waits. The order of the same time is the order of arrival. */
    private record Delayed(long dueNs, long order, DatagramChannel from, SocketAddress to, byte[] bytes)
        implements Comparable<Delayed>
    {
        @Override
        public int compareTo(final Delayed other)
        {
            final int byTime = Long.compare(dueNs - other.dueNs, 0);
            return 0 == byTime ? Long.compare(order, other.order) : byTime;
        }
    }

    /** One side of the relay, whose datagrams continue on another channel. The sender is null on the door's own. */
    private record Side(DatagramChannel channel, Door door, SocketAddress sender)
    {
    }

    /** The channel in place of an endpoint, and the channel to it of each address that sends. */
    private record Door(
        DatagramChannel channel,
        InetSocketAddress endpoint,
        boolean isFeed,
        Map<SocketAddress, DatagramChannel> channelBySenderMap)
    {
    }

    private final double loss;
    private final SplittableRandom random;
    private final Selector selector;
    private final PriorityQueue<Delayed> delayed = new PriorityQueue<>();
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(MAX_DATAGRAM).order(ByteOrder.LITTLE_ENDIAN);
    private final Thread thread;
    private final String ingress;
    private final String response;
    private long order;
    private volatile long lostToEngine;
    private volatile long lostToClients;
    private volatile long lostOfFeeds;
    private volatile int longestToClients;
    private volatile boolean isClosed;

    /**
     * Start a relay.
     *
     * @param ingress  endpoint of the engine that receives.
     * @param response endpoint of the engine that sends.
     * @param loss     share of the datagrams of each direction.
     * @param seed     of the fates.
     */
    LossyRelay(final String ingress, final String response, final double loss, final long seed)
    {
        this(ingress, response, null, loss, seed);
    }

    /**
     * Start a relay for a client with feeds. The engine sends them to the address that the trunk comes from, which is
     * the relay's.
     *
     * @param feed of the client, on another address than the relay's. Null for none.
     */
    LossyRelay(
        final String ingress, final String response, final String feed, final double loss, final long seed)
    {
        this.loss = loss;
        random = new SplittableRandom(seed);
        try
        {
            selector = Selector.open();
            this.ingress = open(ingress, 0, false);
            this.response = open(response, 0, false);
            if (null != feed)
            {
                open(feed, address(feed).getPort(), true);
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        thread = new Thread(this::run, "lossy-relay");
        thread.setDaemon(true);
        thread.start();
    }

    /** For clients, in place of the engine's endpoint that receives. */
    String ingress()
    {
        return ingress;
    }

    /** For clients, in place of the engine's endpoint that sends. */
    String response()
    {
        return response;
    }

    /** Number of lost datagrams with data, which Aeron repeats, in the direction that lost fewer. */
    long lostData()
    {
        return Math.min(lostToEngine, lostToClients);
    }

    /** Number of lost datagrams with data from the engine. */
    long lostToClients()
    {
        return lostToClients;
    }

    /** Number of lost datagrams with packets of feeds, which Aeron does not repeat. */
    long lostOfFeeds()
    {
        return lostOfFeeds;
    }

    /** Length of the longest datagram from the engine. */
    int longestToClients()
    {
        return longestToClients;
    }

    private String open(final String endpoint, final int port, final boolean isFeed) throws IOException
    {
        final Door door = new Door(channel(port), address(endpoint), isFeed, new HashMap<>());
        door.channel.register(selector, SelectionKey.OP_READ, new Side(door.channel, door, null));
        return HOST + ":" + ((InetSocketAddress)door.channel.getLocalAddress()).getPort();
    }

    private static InetSocketAddress address(final String endpoint)
    {
        final String[] parts = endpoint.split(":");
        return new InetSocketAddress(parts[0], Integer.parseInt(parts[1]));
    }

    private static DatagramChannel channel(final int port) throws IOException
    {
        final DatagramChannel channel = DatagramChannel.open();
        channel.setOption(StandardSocketOptions.SO_RCVBUF, SOCKET_BUFFER);
        channel.bind(new InetSocketAddress(HOST, port)).configureBlocking(false);
        return channel;
    }

    private void run()
    {
        try (selector)
        {
            while (!isClosed)
            {
                final long waitNs = delayed.isEmpty() ? DELAY_NS : delayed.peek().dueNs - System.nanoTime();
                selector.select(Math.max(1, TimeUnit.NANOSECONDS.toMillis(waitNs)));
                for (final SelectionKey key : selector.selectedKeys())
                {
                    read((Side)key.attachment());
                }
                selector.selectedKeys().clear();
                final long nowNs = System.nanoTime();
                while (!delayed.isEmpty() && delayed.peek().dueNs - nowNs <= 0)
                {
                    final Delayed datagram = delayed.poll();
                    // A full socket buffer loses it, as networks do.
                    datagram.from.send(ByteBuffer.wrap(datagram.bytes), datagram.to);
                }
            }
            for (final SelectionKey key : selector.keys())
            {
                key.channel().close();
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private void read(final Side side) throws IOException
    {
        SocketAddress sender = side.channel.receive(buffer.clear());
        while (null != sender)
        {
            buffer.flip();
            if (null == side.sender)
            {
                take(channelTo(side.door, sender), side.door.endpoint, side.door, !side.door.isFeed);
            }
            else
            {
                take(side.door.channel, side.sender, side.door, side.door.isFeed);
            }
            sender = side.channel.receive(buffer.clear());
        }
    }

    private DatagramChannel channelTo(final Door door, final SocketAddress sender) throws IOException
    {
        DatagramChannel known = door.channelBySenderMap.get(sender);
        if (null == known)
        {
            known = channel(0);
            known.register(selector, SelectionKey.OP_READ, new Side(known, door, sender));
            door.channelBySenderMap.put(sender, known);
        }
        return known;
    }

    private void take(
        final DatagramChannel from, final SocketAddress to, final Door door, final boolean isToEngine)
    {
        longestToClients = isToEngine ? longestToClients : Math.max(longestToClients, buffer.remaining());
        if (random.nextDouble() < loss)
        {
            final boolean isData = buffer.remaining() > DATA_HEADER_LENGTH &&
                DATA_TYPE == buffer.getShort(TYPE_AT) && buffer.getInt(0) > DATA_HEADER_LENGTH;
            lostToEngine += isData && isToEngine ? 1 : 0;
            lostToClients += isData && !isToEngine && !door.isFeed ? 1 : 0;
            lostOfFeeds += isData && door.isFeed ? 1 : 0;
            return;
        }
        final byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        final long nowNs = System.nanoTime();
        final long dueNs = nowNs + (random.nextDouble() < OVERTAKING ? SHORT_DELAY_NS : DELAY_NS);
        delayed.add(new Delayed(dueNs, order++, from, to, bytes));
        if (random.nextDouble() < DOUBLED)
        {
            delayed.add(new Delayed(dueNs, order++, from, to, bytes));
        }
    }

    @Override
    public String toString()
    {
        return "lost to the engine " + lostToEngine + ", to clients " + lostToClients + ", of feeds " + lostOfFeeds;
    }

    @Override
    public void close()
    {
        isClosed = true;
        selector.wakeup();
    }
}
