package io.escapement.driver.guard;

import io.aeron.ChannelUri;
import io.aeron.CommonContext;
import io.aeron.driver.DriverConductorProxy;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.NetworkPublication;
import io.aeron.driver.media.SendChannelEndpoint;
import io.aeron.driver.media.UdpChannel;
import io.aeron.protocol.ErrorFlyweight;
import io.aeron.protocol.HeaderFlyweight;
import io.aeron.protocol.NakFlyweight;
import io.aeron.protocol.ResponseSetupFlyweight;
import io.aeron.protocol.RttMeasurementFlyweight;
import io.aeron.protocol.StatusMessageFlyweight;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.agrona.collections.Hashing;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.collections.MutableLong;
import org.agrona.concurrent.CachedNanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicCounter;

/**
 * Sends for publications, and accepts control frames only from their receivers. These are the endpoint's address,
 * destinations that the application added, any member of a multicast group, or the pinned address of a response
 * publication: the first requester from the host of the answered request. A feed ignores NAKs and errors. A
 * {@link FeedSocket} sends it to added destinations. To a multicast group it is sent as other publications are.
 */
class GuardedSendEndpoint extends SendChannelEndpoint
{
    /**
     * Poll interval for control frames after an empty poll. The system call costs more than the rest of an idle
     * sender's duty cycle, and window updates and NAKs are spaced by milliseconds.
     */
    private static final long POLL_INTERVAL_NS = 20_000;

    private final GuardCounters counters;
    private final ResponsePins responsePins;
    private final Long2ObjectHashMap<Receiver> receiverByKeyMap = new Long2ObjectHashMap<>();
    private final List<Destination> destinations = new ArrayList<>();
    private final boolean isFeed;
    /** Null if the channel is no feed, or a feed to a multicast group. */
    private final FeedSocket feed;
    private final CachedNanoClock clock;
    private final MutableLong sent;
    /** Null if what Aeron's sender offers is sent as it is. */
    private final SegmentedSocket segmentedSocket;
    private int descriptor;
    private long lastPollNs;

    GuardedSendEndpoint(
        final UdpChannel channel,
        final AtomicCounter status,
        final MediaDriver.Context context,
        final GuardCounters counters,
        final ResponsePins responsePins,
        final MutableLong sent,
        final OffloadCounters offloadCounters)
    {
        super(channel, status, context);
        this.counters = counters;
        this.responsePins = responsePins;
        this.sent = sent;
        clock = context.senderCachedNanoClock();
        lastPollNs = clock.nanoTime() - POLL_INTERVAL_NS;
        final boolean isResponse = channel.isResponseControlMode();
        final SegmentedSocket.Socket socket = new OwnSocket();
        isFeed = FeedSocket.isFeed(channel);
        feed = isFeed && !channel.isMulticast() ? new FeedSocket(destinations, socket, counters, clock) : null;
        final boolean isSegmented = (isResponse || null != offloadCounters) && !channel.isMultiDestination() &&
            !channel.isMulticast() && !channel.isChannelSendTimestampEnabled();
        segmentedSocket = isSegmented || isFeed ? new SegmentedSocket(context.countersManager(), offloadCounters,
            isResponse || isFeed ? context.mtuLength() : Integer.MAX_VALUE, null == feed ? socket : feed) : null;
    }

    @Override
    public void openDatagramChannel(final AtomicCounter statusIndicator)
    {
        super.openDatagramChannel(statusIndicator);
        if (null != segmentedSocket && segmentedSocket.isOn())
        {
            descriptor = SocketOffload.descriptor(sendDatagramChannel);
        }
    }

    @Override
    public InetSocketAddress receive(final ByteBuffer buffer)
    {
        final long nowNs = clock.nanoTime();
        if (nowNs - lastPollNs < POLL_INTERVAL_NS)
        {
            return null;
        }
        final InetSocketAddress source = super.receive(buffer);
        if (null == source)
        {
            lastPollNs = nowNs;
        }
        return source;
    }

    @Override
    public int send(final ByteBuffer buffer)
    {
        sent.value++;
        return null == segmentedSocket ? super.send(buffer) : segmentedSocket.send(buffer, null);
    }

    @Override
    public int send(final ByteBuffer buffer, final InetSocketAddress address)
    {
        sent.value++;
        return null == segmentedSocket ? super.send(buffer, address) : segmentedSocket.send(buffer, address);
    }

    private int sendPlain(final ByteBuffer buffer, final InetSocketAddress address)
    {
        return null == address ? super.send(buffer) : super.send(buffer, address);
    }

    @Override
    public void registerForSend(final NetworkPublication publication)
    {
        super.registerForSend(publication);
        if (null != segmentedSocket)
        {
            segmentedSocket.add(publication);
        }
        if (null != feed)
        {
            feed.add(publication);
        }
        receiverByKeyMap.put(Hashing.compoundKey(publication.streamId(), publication.sessionId()), new Receiver());
    }

    @Override
    public void unregisterForSend(final NetworkPublication publication)
    {
        super.unregisterForSend(publication);
        if (null != segmentedSocket)
        {
            segmentedSocket.remove(publication);
        }
        if (null != feed)
        {
            feed.remove(publication);
        }
        if (udpChannel().isResponseControlMode())
        {
            responsePins.unpin(publication.sessionId(), clock.nanoTime());
        }
        receiverByKeyMap.remove(Hashing.compoundKey(publication.streamId(), publication.sessionId()));
    }

    @Override
    public void addDestination(final ChannelUri uri, final InetSocketAddress address, final long registrationId)
    {
        super.addDestination(uri, address, registrationId);
        destinations.add(new Destination(uri.get(CommonContext.ENDPOINT_PARAM_NAME), address, registrationId));
    }

    @Override
    public void removeDestination(final ChannelUri uri, final InetSocketAddress address)
    {
        super.removeDestination(uri, address);
        for (int i = 0; i < destinations.size(); i++)
        {
            if (destinations.get(i).address().equals(address))
            {
                destinations.remove(i);
                break;
            }
        }
    }

    @Override
    public void removeDestination(final long registrationId)
    {
        super.removeDestination(registrationId);
        destinations.removeIf((destination) -> registrationId == destination.registrationId());
    }

    @Override
    public void resolutionChange(final String endpoint, final InetSocketAddress address)
    {
        super.resolutionChange(endpoint, address);
        destinations.replaceAll((destination) -> endpoint.equals(destination.endpoint()) ?
            new Destination(endpoint, address, destination.registrationId()) : destination);
    }

    @Override
    public void onStatusMessage(
        final StatusMessageFlyweight message,
        final UnsafeBuffer buffer,
        final int length,
        final InetSocketAddress source,
        final DriverConductorProxy conductorProxy)
    {
        if (isMalformed(message, length, StatusMessageFlyweight.HEADER_LENGTH) || message.receiverWindowLength() < 0)
        {
            counters.count(GuardCounter.CONTROL_MALFORMED);
            return;
        }
        final boolean isSetupRequested = 0 != (message.flags() & StatusMessageFlyweight.SEND_SETUP_FLAG);
        if (isSetupRequested && udpChannel().isResponseControlMode() ?
            mayReceiveResponse(message.streamId(), message.sessionId(), source) :
            isReceiver(message.streamId(), message.sessionId(), source))
        {
            if (null != feed)
            {
                feed.onStatusMessage(message, source);
            }
            super.onStatusMessage(message, buffer, length, source, conductorProxy);
        }
    }

    @Override
    public void onNakMessage(
        final NakFlyweight message, final UnsafeBuffer buffer, final int length, final InetSocketAddress source)
    {
        if (isMalformed(message, length, NakFlyweight.HEADER_LENGTH))
        {
            counters.count(GuardCounter.CONTROL_MALFORMED);
        }
        else if (isReceiver(message.streamId(), message.sessionId(), source))
        {
            if (!isFeed)
            {
                super.onNakMessage(message, buffer, length, source);
            }
            else
            {
                // A feed does not repeat: the loss of one receiver would be resent to all.
                counters.count(GuardCounter.FEED_IGNORED);
            }
        }
    }

    @Override
    public void onRttMeasurement(
        final RttMeasurementFlyweight message,
        final UnsafeBuffer buffer,
        final int length,
        final InetSocketAddress source)
    {
        if (isMalformed(message, length, RttMeasurementFlyweight.HEADER_LENGTH))
        {
            counters.count(GuardCounter.CONTROL_MALFORMED);
        }
        else if (isReceiver(message.streamId(), message.sessionId(), source))
        {
            if (null != feed)
            {
                feed.onMeasurement(source);
            }
            super.onRttMeasurement(message, buffer, length, source);
        }
    }

    @Override
    public void onResponseSetup(
        final ResponseSetupFlyweight message,
        final UnsafeBuffer buffer,
        final int length,
        final InetSocketAddress source,
        final DriverConductorProxy conductorProxy)
    {
        if (isMalformed(message, length, ResponseSetupFlyweight.HEADER_LENGTH))
        {
            counters.count(GuardCounter.CONTROL_MALFORMED);
        }
        else if (isReceiver(message.streamId(), message.sessionId(), source))
        {
            super.onResponseSetup(message, buffer, length, source, conductorProxy);
        }
    }

    @Override
    public void onError(
        final ErrorFlyweight message,
        final UnsafeBuffer buffer,
        final int length,
        final InetSocketAddress source,
        final DriverConductorProxy conductorProxy)
    {
        if (isMalformed(message, length, ErrorFlyweight.HEADER_LENGTH) || isTextMalformed(buffer, length))
        {
            counters.count(GuardCounter.CONTROL_MALFORMED);
        }
        else if (isReceiver(message.streamId(), message.sessionId(), source))
        {
            if (!isFeed)
            {
                super.onError(message, buffer, length, source, conductorProxy);
            }
            else
            {
                // Aeron would take the receiver off its list, and disconnect the publication if it was the last. It
                // would write the subscriber's text to the driver's log and to the application, once for each status
                // message and error that a subscriber sends in turn. A subscriber that rejects the feed sends no more
                // status messages.
                counters.count(GuardCounter.FEED_IGNORED);
            }
        }
    }

    private static boolean isMalformed(final HeaderFlyweight message, final int length, final int least)
    {
        return length < least || message.frameLength() < least || message.frameLength() > length;
    }

    private static boolean isTextMalformed(final UnsafeBuffer buffer, final int length)
    {
        final int textLength = buffer.getInt(ErrorFlyweight.ERROR_STRING_FIELD_OFFSET, ByteOrder.LITTLE_ENDIAN);
        return textLength < 0 || textLength > Math.min(
            length - ErrorFlyweight.HEADER_LENGTH, ErrorFlyweight.MAX_ERROR_MESSAGE_LENGTH);
    }

    /**
     * Pins the response to the first requester from the expected host. The host is pinned before it can send a request,
     * because it learns the session id from our receive endpoint.
     */
    private boolean mayReceiveResponse(final int streamId, final int sessionId, final InetSocketAddress source)
    {
        final Receiver receiver = receiverByKeyMap.get(Hashing.compoundKey(streamId, sessionId));
        if (null == receiver)
        {
            // Not a publication of this endpoint: subscriptions request session 0 until they learn the session id.
            return false;
        }
        if (null == receiver.address && responsePins.isPinnedTo(sessionId, source.getAddress()))
        {
            receiver.address = source;
        }
        if (!source.equals(receiver.address))
        {
            counters.count(GuardCounter.RESPONSE_REDIRECT);
            return false;
        }
        return true;
    }

    private boolean isReceiver(final int streamId, final int sessionId, final InetSocketAddress source)
    {
        final Receiver receiver = receiverByKeyMap.get(Hashing.compoundKey(streamId, sessionId));
        if (null == receiver)
        {
            return false;
        }
        final boolean isReceiver;
        if (udpChannel().isResponseControlMode())
        {
            isReceiver = source.equals(receiver.address);
        }
        else if (udpChannel().isMultiDestination())
        {
            isReceiver = null == feed ? isDestination(source) : feed.isDestination(source);
        }
        else
        {
            isReceiver = udpChannel().isMulticast() || isSame(connectAddress, source);
        }
        if (!isReceiver)
        {
            counters.count(GuardCounter.CONTROL_WRONG_SOURCE);
        }
        return isReceiver;
    }

    private boolean isDestination(final InetSocketAddress source)
    {
        for (int i = 0, size = destinations.size(); i < size; i++)
        {
            final InetSocketAddress address = destinations.get(i).address();
            if (isSame(address, source) || (!address.isUnresolved() && address.getAddress().isMulticastAddress()))
            {
                return true;
            }
        }
        return false;
    }

    private static boolean isSame(final InetSocketAddress address, final InetSocketAddress source)
    {
        // The system chooses which address of this host answers a publication to 0.0.0.0.
        return !address.isUnresolved() && (address.equals(source) ||
            (address.getAddress().isAnyLocalAddress() && address.getPort() == source.getPort()));
    }

    private final class OwnSocket implements SegmentedSocket.Socket
    {
        @Override
        public int send(final ByteBuffer buffer, final InetSocketAddress address)
        {
            return sendPlain(buffer, address);
        }

        @Override
        public int sendRun(final ByteBuffer buffer, final InetSocketAddress address) throws IOException
        {
            if (null != address)
            {
                return sendDatagramChannel.send(buffer, address);
            }
            return sendDatagramChannel.isConnected() ? sendDatagramChannel.write(buffer) : 0;
        }

        @Override
        public boolean segment(final int length)
        {
            return SocketOffload.segment(descriptor, length);
        }
    }

    /** The pinned address of a response publication. Null until the first request. */
    private static final class Receiver
    {
        InetSocketAddress address;
    }
}
