package io.escapement.driver.guard;

import io.aeron.driver.DataPacketDispatcher;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ReceiveChannelEndpointSupplier;
import io.aeron.driver.SendChannelEndpointSupplier;
import io.aeron.driver.media.ReceiveChannelEndpoint;
import io.aeron.driver.media.SendChannelEndpoint;
import io.aeron.driver.media.UdpChannel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.function.Supplier;
import org.agrona.CloseHelper;
import org.agrona.collections.MutableLong;
import org.agrona.concurrent.status.AtomicCounter;

/** Guarded endpoints with sockets in memory. Everything above the sockets is the driver's and the guards' own. */
final class SimulatedEndpoints implements ReceiveChannelEndpointSupplier, SendChannelEndpointSupplier
{
    private final Supplier<DatagramChannel> sockets;
    private final GuardLimits limits;
    private final ResponsePins responsePins = new ResponsePins(ResponsePins.ESTABLISHED_NS);
    private final MutableLong sent = new MutableLong();
    private GuardCounters counters;

    private SimulatedEndpoints(final Supplier<DatagramChannel> sockets, final GuardLimits limits)
    {
        this.sockets = sockets;
        this.limits = limits;
    }

    static void install(
        final MediaDriver.Context context, final GuardLimits limits, final Supplier<DatagramChannel> sockets)
    {
        final SimulatedEndpoints endpoints = new SimulatedEndpoints(sockets, limits);
        context.receiveChannelEndpointSupplier(endpoints).sendChannelEndpointSupplier(endpoints);
    }

    @Override
    public ReceiveChannelEndpoint newInstance(
        final UdpChannel channel,
        final DataPacketDispatcher dispatcher,
        final AtomicCounter status,
        final MediaDriver.Context context)
    {
        return new Receiving(channel, dispatcher, status, context, this);
    }

    @Override
    public SendChannelEndpoint newInstance(
        final UdpChannel channel, final AtomicCounter status, final MediaDriver.Context context)
    {
        return new Sending(channel, status, context, this);
    }

    private GuardCounters counters(final MediaDriver.Context context)
    {
        if (null == counters)
        {
            counters = new GuardCounters(context);
        }
        return counters;
    }

    /**
     * The JDK's selectors take the JDK's sockets only, and Aeron polls more than a few endpoints by a selector. This
     * socket is registered. It has a datagram that is never read, and is always ready.
     */
    private static DatagramChannel newReadySocket()
    {
        try
        {
            final DatagramChannel channel = DatagramChannel.open(StandardProtocolFamily.INET);
            channel.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            channel.send(ByteBuffer.allocate(1), channel.getLocalAddress());
            channel.configureBlocking(false);
            return channel;
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private static DatagramChannel bound(
        final DatagramChannel channel, final InetSocketAddress address, final InetSocketAddress remote)
    {
        try
        {
            channel.bind(address);
            return null == remote ? channel : channel.connect(remote);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private static final class Receiving extends GuardedReceiveEndpoint
    {
        private final SimulatedEndpoints endpoints;
        private DatagramChannel registered;

        Receiving(
            final UdpChannel channel,
            final DataPacketDispatcher dispatcher,
            final AtomicCounter status,
            final MediaDriver.Context context,
            final SimulatedEndpoints endpoints)
        {
            super(channel, dispatcher, status, context, endpoints.limits, null, endpoints.counters(context),
                endpoints.responsePins, endpoints.sent, null);
            this.endpoints = endpoints;
        }

        @Override
        public void openDatagramChannel(final AtomicCounter status)
        {
            sendDatagramChannel = bound(endpoints.sockets.get(), udpChannel().remoteData(), null);
            receiveDatagramChannel = sendDatagramChannel;
            registered = newReadySocket();
        }

        @Override
        public DatagramChannel receiveDatagramChannel()
        {
            return registered;
        }

        @Override
        public void close()
        {
            CloseHelper.close(registered);
            super.close();
        }
    }

    private static final class Sending extends GuardedSendEndpoint
    {
        private final SimulatedEndpoints endpoints;
        private DatagramChannel registered;

        Sending(
            final UdpChannel channel,
            final AtomicCounter status,
            final MediaDriver.Context context,
            final SimulatedEndpoints endpoints)
        {
            super(channel, status, context, endpoints.counters(context), endpoints.responsePins, endpoints.sent, null);
            this.endpoints = endpoints;
        }

        @Override
        public void openDatagramChannel(final AtomicCounter status)
        {
            sendDatagramChannel = bound(endpoints.sockets.get(), udpChannel().localControl(), connectAddress);
            receiveDatagramChannel = sendDatagramChannel;
            registered = newReadySocket();
        }

        @Override
        public DatagramChannel receiveDatagramChannel()
        {
            return registered;
        }

        @Override
        public void close()
        {
            CloseHelper.close(registered);
            super.close();
        }
    }
}
