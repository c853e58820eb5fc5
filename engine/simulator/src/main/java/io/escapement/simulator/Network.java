package io.escapement.simulator;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.random.RandomGenerator;
import org.agrona.concurrent.NanoClock;

/**
 * A network of hosts in memory. Datagrams wait in a queue, in the order of their arrival, until their simulated
 * time. A seeded random generator decides which of them are lost, doubled and late. Single-threaded.
 */
final class Network
{
    private static final int FIRST_EPHEMERAL_PORT = 50_000;
    private static final int IPV4_LENGTH = 4;
    /** Of the drivers of nodes and players. */
    private static final int MTU = 1_408;
    private static final int REMEMBERED = 64;

    private final NanoClock clock;
    private final RandomGenerator random;
    private final PriorityQueue<Datagram> underWay = new PriorityQueue<>();
    private final Map<InetSocketAddress, NetworkChannel> channelByAddressMap = new HashMap<>();
    private final ArrayDeque<Datagram> remembered = new ArrayDeque<>();
    private final Map<String, Long> cutUntilNsByHostMap = new HashMap<>();
    private double lossRate;
    private double doubleRate;
    private double lateRate;
    private long delayNs;
    private long lateNs;
    private int nextPort = FIRST_EPHEMERAL_PORT;
    private long sent;
    private long hash = 1;

    /**
     * Make one without faults.
     *
     * @param clock  of the simulation.
     * @param random decides the fate of datagrams.
     */
    public Network(final NanoClock clock, final RandomGenerator random)
    {
        this.clock = clock;
        this.random = random;
    }

    /**
     * Set the faults of datagrams that are sent from now on.
     *
     * @param loss   share of datagrams that are lost.
     * @param twice  share that arrives twice.
     * @param late   share of late datagrams, which others overtake.
     * @param baseNs least time under way.
     * @param byNs   most by which a late datagram is late.
     */
    public void faults(final double loss, final double twice, final double late, final long baseNs, final long byNs)
    {
        lossRate = loss;
        doubleRate = twice;
        lateRate = late;
        delayNs = baseNs;
        lateNs = byNs;
    }

    /**
     * Cut a host off: it receives no datagrams and is not received.
     *
     * @param host    its address.
     * @param untilNs time of the end.
     */
    public void cut(final String host, final long untilNs)
    {
        cutUntilNsByHostMap.put(host, untilNs);
    }

    /**
     * Send a datagram of the last ones again from another address, as it was or with a few bytes changed.
     *
     * @param source that the forger gives.
     */
    public void forge(final InetSocketAddress source)
    {
        if (remembered.isEmpty())
        {
            return;
        }
        final Datagram past = remembered.stream().skip(random.nextInt(remembered.size())).findFirst().orElseThrow();
        final byte[] bytes = past.bytes().clone();
        for (int i = random.nextInt(4); i > 0; i--)
        {
            bytes[random.nextInt(bytes.length)] = (byte)random.nextInt();
        }
        sent++;
        underWay.add(new Datagram(clock.nanoTime() + delayNs, 2 * sent, source, past.to(), bytes));
    }

    /** End all faults. */
    public void heal()
    {
        faults(0, 0, 0, delayNs, 0);
        cutUntilNsByHostMap.clear();
    }

    /**
     * Open a socket.
     *
     * @param host address of the socket while it is unbound.
     */
    public DatagramChannel open(final String host)
    {
        return new NetworkChannel(this, host);
    }

    /** Deliver the due datagrams to their sockets. */
    public void deliver()
    {
        final long nowNs = clock.nanoTime();
        while (!underWay.isEmpty() && underWay.peek().atNs() <= nowNs)
        {
            final Datagram datagram = underWay.poll();
            final NetworkChannel receiver = channelByAddressMap.get(datagram.to());
            if (null != receiver && !isCut(datagram.from(), nowNs) && !isCut(datagram.to(), nowNs))
            {
                receiver.deliver(datagram);
            }
        }
    }

    /** When the next datagram arrives, or the end of time. */
    public long nextNs()
    {
        return underWay.isEmpty() ? Long.MAX_VALUE : underWay.peek().atNs();
    }

    /** Datagrams sent until now. */
    public long sent()
    {
        return sent;
    }

    /** A hash of the length, the ends and the times of all datagrams. */
    public long hash()
    {
        return hash;
    }

    InetSocketAddress bind(final NetworkChannel channel, final InetSocketAddress address)
    {
        final boolean isAny = null == address || address.getAddress().isAnyLocalAddress();
        final InetSocketAddress bound = new InetSocketAddress(
            isAny ? address(channel.host()) : address.getAddress(),
            null == address || 0 == address.getPort() ? nextPort++ : address.getPort());
        if (null != channelByAddressMap.putIfAbsent(bound, channel))
        {
            throw new IllegalStateException("in use: " + bound);
        }
        return bound;
    }

    void unbind(final InetSocketAddress address)
    {
        channelByAddressMap.remove(address);
    }

    void send(final InetSocketAddress from, final InetSocketAddress to, final ByteBuffer buffer)
    {
        final byte[] bytes = new byte[buffer.remaining()];
        if (bytes.length > MTU)
        {
            throw new IllegalStateException("a datagram of " + bytes.length + " bytes to " + to);
        }
        buffer.get(bytes);
        final long nowNs = clock.nanoTime();
        hash = 31 * (31 * (31 * (31 * hash + bytes.length) + from.getPort()) + to.getPort()) + nowNs;
        sent++;
        final boolean isLost = random.nextDouble() < lossRate;
        final boolean isDoubled = random.nextDouble() < doubleRate;
        if (remembered.size() == REMEMBERED)
        {
            remembered.poll();
        }
        remembered.add(new Datagram(nowNs, 0, from, to, bytes));
        if (isLost || isCut(from, nowNs) || isCut(to, nowNs))
        {
            return;
        }
        for (int i = 0; i < (isDoubled ? 2 : 1); i++)
        {
            final boolean isLate = random.nextDouble() < lateRate;
            final long atNs = nowNs + delayNs + (isLate ? random.nextLong(lateNs + 1) : 0);
            underWay.add(new Datagram(atNs, 2 * sent + i, from, to, bytes));
        }
    }

    private boolean isCut(final InetSocketAddress address, final long nowNs)
    {
        final Long untilNs = cutUntilNsByHostMap.get(address.getAddress().getHostAddress());
        return null != untilNs && nowNs < untilNs;
    }

    private static InetAddress address(final String host)
    {
        try
        {
            final byte[] bytes = new byte[IPV4_LENGTH];
            final String[] numbers = host.split("\\.");
            for (int i = 0; i < IPV4_LENGTH; i++)
            {
                bytes[i] = (byte)Integer.parseInt(numbers[i]);
            }
            return InetAddress.getByAddress(bytes);
        }
        catch (final UnknownHostException ex)
        {
            throw new IllegalArgumentException(host, ex);
        }
    }

    record Datagram(long atNs, long order, InetSocketAddress from, InetSocketAddress to, byte[] bytes)
        implements Comparable<Datagram>
    {
        @Override
        public int compareTo(final Datagram other)
        {
            final int byTime = Long.compare(atNs, other.atNs);
            return 0 == byTime ? Long.compare(order, other.order) : byTime;
        }
    }
}
