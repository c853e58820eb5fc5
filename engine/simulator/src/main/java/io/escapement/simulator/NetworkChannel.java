package io.escapement.simulator;

import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.MembershipKey;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayDeque;
import java.util.Set;

/** A socket of a {@link Network}. It never blocks. If a datagram does not fit its buffer, it is lost. */
final class NetworkChannel extends DatagramChannel
{
    /** Datagrams that wait in a socket, about 700 KiB of them. */
    private static final int BUFFERED = 512;

    private final Network network;
    private final String host;
    private final ArrayDeque<Network.Datagram> received = new ArrayDeque<>();
    private InetSocketAddress local;
    private InetSocketAddress remote;

    NetworkChannel(final Network network, final String host)
    {
        super(SelectorProvider.provider());
        this.network = network;
        this.host = host;
    }

    String host()
    {
        return host;
    }

    void deliver(final Network.Datagram datagram)
    {
        if (received.size() < BUFFERED && (null == remote || remote.equals(datagram.from())))
        {
            received.add(datagram);
        }
    }

    @Override
    public DatagramChannel bind(final SocketAddress address)
    {
        local = network.bind(this, (InetSocketAddress)address);
        return this;
    }

    @Override
    public DatagramChannel connect(final SocketAddress address)
    {
        remote = (InetSocketAddress)address;
        return this;
    }

    @Override
    public DatagramChannel disconnect()
    {
        remote = null;
        return this;
    }

    @Override
    public boolean isConnected()
    {
        return null != remote;
    }

    @Override
    public SocketAddress getLocalAddress()
    {
        return local;
    }

    @Override
    public SocketAddress getRemoteAddress()
    {
        return remote;
    }

    @Override
    public SocketAddress receive(final ByteBuffer buffer)
    {
        final Network.Datagram datagram = received.poll();
        if (null == datagram)
        {
            return null;
        }
        buffer.put(datagram.bytes(), 0, Math.min(buffer.remaining(), datagram.bytes().length));
        return datagram.from();
    }

    @Override
    public int send(final ByteBuffer buffer, final SocketAddress target)
    {
        final int length = buffer.remaining();
        network.send(local, (InetSocketAddress)target, buffer);
        return length;
    }

    @Override
    public int write(final ByteBuffer buffer)
    {
        return send(buffer, remote);
    }

    @Override
    public <T> DatagramChannel setOption(final SocketOption<T> name, final T value)
    {
        return this;
    }

    @Override
    public <T> T getOption(final SocketOption<T> name)
    {
        return null;
    }

    @Override
    public Set<SocketOption<?>> supportedOptions()
    {
        return Set.of();
    }

    @Override
    protected void implCloseSelectableChannel()
    {
        if (null != local)
        {
            network.unbind(local);
        }
    }

    @Override
    protected void implConfigureBlocking(final boolean isBlocking)
    {
        // It never does.
    }

    @Override
    public DatagramSocket socket()
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public int read(final ByteBuffer buffer)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public long read(final ByteBuffer[] buffers, final int offset, final int length)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public long write(final ByteBuffer[] buffers, final int offset, final int length)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public MembershipKey join(final InetAddress group, final NetworkInterface multicast)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public MembershipKey join(final InetAddress group, final NetworkInterface multicast, final InetAddress source)
    {
        throw new UnsupportedOperationException();
    }
}
