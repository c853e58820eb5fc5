package io.escapement.driver.guard;

import io.aeron.CommonContext;
import io.aeron.driver.MaxMulticastFlowControl;
import io.aeron.driver.NetworkPublication;
import io.aeron.driver.media.UdpChannel;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.protocol.HeaderFlyweight;
import io.aeron.protocol.SetupFlyweight;
import io.aeron.protocol.StatusMessageFlyweight;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.collections.Hashing;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The socket of a feed: a publication with {@code control-mode=manual|fc=max}. Its subscribers have
 * {@code reliable=false} and do without lost datagrams. A datagram is sent once to each destination that listens. If a
 * destination misses it, it is counted and not repeated. No destination stops or slows the others.
 *
 * <pre>
 *               status message from its address
 *   unproven  ---------------------------------&gt;  proven
 *   a SETUP   &lt;---------------------------------  data, heartbeats,
 *   per 100 ms      5 s without one               the SETUP that it asks for
 * </pre>
 *
 * <p>The status message must name a session and a position of the feed. Only a host that has received its SETUP knows
 * both. Because Aeron sends no SETUP once it has a receiver, this asks for it while a destination is unproven.
 *
 * <p>Confined to the sender thread.
 */
final class FeedSocket implements SegmentedSocket.Socket
{
    /** As often as Aeron sends it to the receiver of a publication without receivers. */
    static final long SETUP_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final List<NetworkPublication> publications = new ArrayList<>();
    private final List<Destination> refusing = new ArrayList<>();
    private final UnsafeBuffer frame = new UnsafeBuffer(0, 0);
    private final SetupFlyweight setup = new SetupFlyweight();
    /** Of the endpoint, which adds and removes them. */
    private final List<Destination> destinations;
    private final SegmentedSocket.Socket socket;
    private final GuardCounters counters;
    private final NanoClock clock;
    private int segmentLength;
    private int next;
    private boolean isTaken;
    private long askedNs;
    private long setupNs;
    private long setupKey;
    /** The source of the round trip measurement that is being answered. */
    private InetSocketAddress measurer;

    FeedSocket(
        final List<Destination> destinations,
        final SegmentedSocket.Socket socket,
        final GuardCounters counters,
        final NanoClock clock)
    {
        this.destinations = destinations;
        this.socket = socket;
        this.counters = counters;
        this.clock = clock;
        askedNs = clock.nanoTime() - SETUP_INTERVAL_NS;
        setupNs = askedNs;
    }

    /** Whether a channel is a feed's. A feed to a multicast group has the socket of other publications. */
    static boolean isFeed(final UdpChannel channel)
    {
        return (channel.isManualControlMode() || channel.isMulticast()) && MaxMulticastFlowControl.FC_PARAM_VALUE
            .equals(channel.channelUri().get(CommonContext.FLOW_CONTROL_PARAM_NAME));
    }

    void add(final NetworkPublication publication)
    {
        publications.add(publication);
    }

    void remove(final NetworkPublication publication)
    {
        publications.remove(publication);
        final long key = Hashing.compoundKey(publication.streamId(), publication.sessionId());
        for (int i = 0, size = destinations.size(); i < size; i++)
        {
            destinations.get(i).clearAskedSetup(key);
        }
    }

    /** Whether an address is exactly a destination's. */
    boolean isDestination(final InetSocketAddress source)
    {
        for (int i = 0, size = destinations.size(); i < size; i++)
        {
            if (destinations.get(i).address().equals(source))
            {
                return true;
            }
        }
        return false;
    }

    /** A status message of a destination. It proves the destination for all publications of the endpoint. */
    void onStatusMessage(final StatusMessageFlyweight message, final InetSocketAddress source)
    {
        final NetworkPublication publication = publication(message.streamId(), message.sessionId());
        if (null == publication)
        {
            return;
        }
        final boolean isSetupAsked = 0 != (message.flags() & StatusMessageFlyweight.SEND_SETUP_FLAG);
        if (!isSetupAsked && publication.isValidStatusMessage(message))
        {
            onProof(source);
        }
        for (int i = 0, size = destinations.size(); isSetupAsked && i < size; i++)
        {
            if (destinations.get(i).address().equals(source))
            {
                destinations.get(i).onSetupAsked(Hashing.compoundKey(message.streamId(), message.sessionId()));
            }
        }
    }

    void onProof(final InetSocketAddress source)
    {
        final long nowNs = clock.nanoTime();
        for (int i = 0, size = destinations.size(); i < size; i++)
        {
            if (destinations.get(i).address().equals(source))
            {
                destinations.get(i).onProof(nowNs);
            }
        }
    }

    /** A round trip measurement of a destination, which Aeron is about to answer. */
    void onMeasurement(final InetSocketAddress source)
    {
        measurer = source;
    }

    /** Returns the whole length always. */
    @Override
    public int send(final ByteBuffer buffer, final InetSocketAddress address)
    {
        final int begin = buffer.position();
        final int length = buffer.remaining();
        frame.wrap(buffer, begin, length);
        switch (FrameDescriptor.frameType(frame, 0))
        {
            case HeaderFlyweight.HDR_TYPE_SETUP -> sendSetup(buffer, begin);
            case HeaderFlyweight.HDR_TYPE_RTTM -> sendMeasurement(buffer, begin);
            default -> sendToProven(buffer, begin);
        }
        return length;
    }

    private void sendSetup(final ByteBuffer buffer, final int begin)
    {
        setup.wrap(frame);
        final long key = Hashing.compoundKey(setup.streamId(), setup.sessionId());
        final long nowNs = clock.nanoTime();
        final long sinceNs = nowNs - setupNs;
        // Publications that share the endpoint share the rate, in turn. One that sends no SETUP loses its turn.
        final boolean isTurn = setupKey != key || publications.size() < 2 || sinceNs >= 2 * SETUP_INTERVAL_NS;
        final boolean isDue = isTurn && sinceNs >= SETUP_INTERVAL_NS;
        for (int i = 0, size = destinations.size(); i < size; i++)
        {
            final Destination destination = destinations.get(i);
            final boolean isProven = destination.isProven(nowNs);
            if (isProven ? destination.hasAskedSetup(key) : isDue)
            {
                destination.clearAskedSetup(key);
                sendOne(buffer, begin, destination);
            }
            if (!isProven && isDue)
            {
                setupNs = nowNs;
                setupKey = key;
            }
        }
    }

    private void sendMeasurement(final ByteBuffer buffer, final int begin)
    {
        for (int i = 0, size = destinations.size(); i < size; i++)
        {
            if (destinations.get(i).address().equals(measurer))
            {
                sendOne(buffer, begin, destinations.get(i));
                break;
            }
        }
    }

    private void sendToProven(final ByteBuffer buffer, final int begin)
    {
        final long nowNs = clock.nanoTime();
        isTaken = false;
        boolean isAnyUnproven = false;
        for (int i = first(), left = destinations.size(); left > 0; left--)
        {
            final Destination destination = destinations.get(i);
            if (!destination.isProven(nowNs))
            {
                isAnyUnproven = true;
            }
            else if (sendOne(buffer, begin, destination))
            {
                isTaken = true;
            }
            i = i + 1 == destinations.size() ? 0 : i + 1;
        }
        askForSetups(isAnyUnproven, nowNs);
    }

    /** Returns the whole length always. Throws if the kernel refuses the run for every destination. */
    @Override
    public int sendRun(final ByteBuffer buffer, final InetSocketAddress address) throws IOException
    {
        final int begin = buffer.position();
        final int length = buffer.remaining();
        final long nowNs = clock.nanoTime();
        isTaken = false;
        boolean isAnyUnproven = false;
        IOException refusal = null;
        for (int i = first(), left = destinations.size(); left > 0; left--)
        {
            final Destination destination = destinations.get(i);
            if (!destination.isProven(nowNs))
            {
                isAnyUnproven = true;
            }
            else
            {
                try
                {
                    if (length != socket.sendRun(buffer.position(begin), destination.address()))
                    {
                        onMissed(destination, (length + segmentLength - 1) / segmentLength);
                    }
                    isTaken = true;
                }
                catch (final IOException ex)
                {
                    refusal = ex;
                    refusing.add(destination);
                }
            }
            i = i + 1 == destinations.size() ? 0 : i + 1;
        }
        askForSetups(isAnyUnproven, nowNs);
        if (null != refusal)
        {
            if (!isTaken)
            {
                refusing.clear();
                throw refusal;
            }
            sendToRefusing(buffer, begin);
        }
        return length;
    }

    @Override
    public boolean segment(final int length)
    {
        segmentLength = length;
        return socket.segment(length);
    }

    @Override
    public boolean hasSent()
    {
        return isTaken;
    }

    /** Not the same destination each time, because a full socket is full for the last ones. */
    private int first()
    {
        next = next + 1 < destinations.size() ? next + 1 : 0;
        return next;
    }

    /** The path to these refuses runs that others take, for example because its datagrams must be shorter. */
    private void sendToRefusing(final ByteBuffer buffer, final int begin)
    {
        final int end = buffer.limit();
        final int length = segmentLength;
        socket.segment(0);
        for (int i = 0, size = refusing.size(); i < size; i++)
        {
            for (int offset = begin; offset < end; offset += length)
            {
                sendOne(buffer.limit(Math.min(offset + length, end)), offset, refusing.get(i));
            }
        }
        refusing.clear();
        socket.segment(length);
    }

    /** Returns whether the socket took the datagram. Errors are counted instead of logged once per datagram. */
    private boolean sendOne(final ByteBuffer buffer, final int begin, final Destination destination)
    {
        try
        {
            buffer.position(begin);
            if (buffer.remaining() == socket.sendRun(buffer, destination.address()))
            {
                return true;
            }
        }
        catch (final IOException | IllegalArgumentException ignore)
        {
            // The second for an address that is unresolved, or of another family than the socket.
        }
        onMissed(destination, 1);
        return false;
    }

    private void onMissed(final Destination destination, final int datagrams)
    {
        destination.onMissed(datagrams);
        counters.count(GuardCounter.FEED_MISSED, datagrams);
    }

    /**
     * Called with data and heartbeats, which Aeron sends at least each 100 ms after it has had a receiver. Before, it
     * sends a SETUP each 100 ms. A poll of the socket is no place for this: with more than a few endpoints, Aeron polls
     * an endpoint only when it has received something.
     */
    private void askForSetups(final boolean isAnyUnproven, final long nowNs)
    {
        if (isAnyUnproven && nowNs - askedNs >= SETUP_INTERVAL_NS)
        {
            askedNs = nowNs;
            for (int i = 0, size = publications.size(); i < size; i++)
            {
                // Aeron keeps to its own 100 ms between two of them. The arguments are for other flow controls, and the
                // time of the last status message, which this sets, is read for other channels only.
                publications.get(i).triggerSendSetupFrame(null, null);
            }
        }
    }

    private NetworkPublication publication(final int streamId, final int sessionId)
    {
        for (int i = 0, size = publications.size(); i < size; i++)
        {
            final NetworkPublication publication = publications.get(i);
            if (streamId == publication.streamId() && sessionId == publication.sessionId())
            {
                return publication;
            }
        }
        return null;
    }
}
