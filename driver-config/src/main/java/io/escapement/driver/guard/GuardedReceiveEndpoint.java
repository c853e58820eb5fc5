package io.escapement.driver.guard;

import io.aeron.driver.DataPacketDispatcher;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.media.ImageConnection;
import io.aeron.driver.media.ReceiveChannelEndpoint;
import io.aeron.driver.media.UdpChannel;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.logbuffer.LogBufferDescriptor;
import io.aeron.protocol.DataHeaderFlyweight;
import io.aeron.protocol.HeaderFlyweight;
import io.aeron.protocol.RttMeasurementFlyweight;
import io.aeron.protocol.SetupFlyweight;
import io.escapement.ratelimit.TokenBuckets;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.agrona.BitUtil;
import org.agrona.collections.Hashing;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.collections.MutableLong;
import org.agrona.concurrent.CachedNanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicCounter;

/**
 * Receives for subscriptions. A session belongs to the address that set it up until it has been inactive for longer
 * than Aeron keeps its image; after that, any address may set it up. If the channel names its sender's address
 * (control), only that address may set up a session. A channel with control-mode=manual receives one session from
 * several addresses by design, so there only datagram format and limits are enforced.
 */
final class GuardedReceiveEndpoint extends ReceiveChannelEndpoint
{
    // Aeron creates an image some time after its setup, so the image outlives our estimate by that time.
    private static final long SLACK_NS = TimeUnit.SECONDS.toNanos(1);
    /** Datagrams per poll of a socket. Aeron takes one and then runs the rest of its duty cycle. */
    private static final int RECEIVE_BURST = 8;
    /** Poll interval of a thread that is busy sending, after a poll that found nothing. */
    private static final long POLL_WHILE_SENDING_NS = 20_000;

    private final Long2ObjectHashMap<GuardedSession> sessionByKeyMap = new Long2ObjectHashMap<>();
    private final GuardLimits limits;
    private final GuardCounters counters;
    private final ResponsePins responsePins;
    private final CachedNanoClock clock;
    private final MutableLong sent;
    private final TokenBuckets setups;
    private final TokenBuckets unknownSessions;
    private final long inactivityTimeoutNs;
    private final boolean isPinned;
    private boolean hasReceived;
    private boolean isInBurst;
    private long lastSent;
    private long lastPollNs;
    private final SetupFlyweight setup = new SetupFlyweight();
    private final RttMeasurementFlyweight rttMeasurement = new RttMeasurementFlyweight();

    GuardedReceiveEndpoint(
        final UdpChannel channel,
        final DataPacketDispatcher dispatcher,
        final AtomicCounter status,
        final MediaDriver.Context context,
        final GuardLimits limits,
        final GuardCounters counters,
        final ResponsePins responsePins,
        final MutableLong sent)
    {
        super(channel, dispatcher, status, context);
        this.limits = limits;
        this.counters = counters;
        this.responsePins = responsePins;
        this.sent = sent;
        clock = context.receiverCachedNanoClock();
        lastPollNs = clock.nanoTime() - POLL_WHILE_SENDING_NS;
        setups = TokenBuckets.ofRate(1, limits.setupRate(), limits.setupBurst());
        // A separate bucket, because a sender that keeps sending data without a session must not block new setups.
        unknownSessions = TokenBuckets.ofRate(1, limits.setupRate(), limits.setupBurst());
        inactivityTimeoutNs = context.imageLivenessTimeoutNs() + SLACK_NS;
        isPinned = !channel.isManualControlMode();
    }

    @Override
    public int onDataPacket(
        final DataHeaderFlyweight header,
        final UnsafeBuffer buffer,
        final int length,
        final InetSocketAddress source,
        final int transportIndex)
    {
        int bytes = onData(header, buffer, length, source, transportIndex);
        for (int i = 1; isInBurst && isPinned && i < RECEIVE_BURST; i++)
        {
            final InetSocketAddress next = receive(buffer.byteBuffer());
            if (null == next)
            {
                break;
            }
            bytes += onDatagram(header, buffer, buffer.byteBuffer().position(), next, transportIndex);
        }
        return bytes;
    }

    /**
     * Polls that find nothing are avoided, because such a system call takes as long as delivering a message to its
     * room. A datagram that follows an empty poll is treated as single: no poll for another one follows it. A thread
     * that is sending polls only at an interval.
     */
    @Override
    public InetSocketAddress receive(final ByteBuffer buffer)
    {
        final boolean isSending = lastSent != sent.value;
        lastSent = sent.value;
        final long nowNs = clock.nanoTime();
        if (isSending && !hasReceived && nowNs - lastPollNs < POLL_WHILE_SENDING_NS)
        {
            return null;
        }
        final InetSocketAddress source = super.receive(buffer);
        isInBurst = hasReceived;
        hasReceived = null != source;
        lastPollNs = nowNs;
        return source;
    }

    /** Aeron's dispatch of a received datagram. */
    private int onDatagram(
        final DataHeaderFlyweight header,
        final UnsafeBuffer buffer,
        final int length,
        final InetSocketAddress source,
        final int transportIndex)
    {
        if (!isValidFrame(buffer, length))
        {
            return 0;
        }
        receiveHook(buffer, length, source);
        switch (FrameDescriptor.frameType(buffer, 0))
        {
            case HeaderFlyweight.HDR_TYPE_PAD, HeaderFlyweight.HDR_TYPE_DATA ->
            {
                return onData(header, buffer, length, source, transportIndex);
            }
            case HeaderFlyweight.HDR_TYPE_SETUP ->
            {
                setup.wrap(buffer);
                onSetupMessage(setup, buffer, length, source, transportIndex);
            }
            case HeaderFlyweight.HDR_TYPE_RTTM ->
            {
                rttMeasurement.wrap(buffer);
                onRttMeasurement(rttMeasurement, buffer, length, source, transportIndex);
            }
            default ->
            {
            }
        }
        return 0;
    }

    private int onData(
        final DataHeaderFlyweight header,
        final UnsafeBuffer buffer,
        final int length,
        final InetSocketAddress source,
        final int transportIndex)
    {
        final GuardedSession session = sessionByKeyMap.get(Hashing.compoundKey(header.streamId(), header.sessionId()));
        final long nowNs = clock.nanoTime();
        // Checked before inactivity, because only a setup may transfer a session; data would go straight into the
        // image.
        if (null != session && isPinned && !session.isFrom(source))
        {
            return drop(GuardCounter.DATA_WRONG_SOURCE);
        }
        if (null == session || session.isInactive(nowNs, inactivityTimeoutNs))
        {
            return mayRequestSetup(buffer, length, source, nowNs) ?
                super.onDataPacket(header, buffer, length, source, transportIndex) : 0;
        }
        if (!DatagramValidator.isValid(buffer, length, session.termLength()))
        {
            return drop(GuardCounter.DATA_MALFORMED);
        }
        session.onActivity(nowNs);
        return super.onDataPacket(header, buffer, length, source, transportIndex);
    }

    @Override
    public void onSetupMessage(
        final SetupFlyweight header,
        final UnsafeBuffer buffer,
        final int length,
        final InetSocketAddress source,
        final int transportIndex)
    {
        if (length < SetupFlyweight.HEADER_LENGTH || !isWithinLimits(header))
        {
            counters.count(GuardCounter.SETUP_REFUSED);
            return;
        }
        final long key = Hashing.compoundKey(header.streamId(), header.sessionId());
        final GuardedSession session = sessionByKeyMap.get(key);
        final long nowNs = clock.nanoTime();
        if (null == session || session.isInactive(nowNs, inactivityTimeoutNs))
        {
            if (!mayAdmit(source, nowNs))
            {
                return;
            }
            remove(key);
            sessionByKeyMap.put(key, new GuardedSession(source, header.termLength(), nowNs));
        }
        else if (isPinned && !session.isFrom(source))
        {
            counters.count(GuardCounter.DATA_WRONG_SOURCE);
            return;
        }
        else if (session.termLength() != header.termLength())
        {
            counters.count(GuardCounter.SETUP_REFUSED);
            return;
        }
        else
        {
            session.onActivity(nowNs);
        }
        super.onSetupMessage(header, buffer, length, source, transportIndex);
    }

    @Override
    public void onRttMeasurement(
        final RttMeasurementFlyweight header,
        final UnsafeBuffer buffer,
        final int length,
        final InetSocketAddress source,
        final int transportIndex)
    {
        if (length < RttMeasurementFlyweight.HEADER_LENGTH)
        {
            counters.count(GuardCounter.DATA_MALFORMED);
            return;
        }
        final GuardedSession session = sessionByKeyMap.get(Hashing.compoundKey(header.streamId(), header.sessionId()));
        if (null == session)
        {
            // Late measurements of a session that has ended.
            return;
        }
        if (isPinned && !session.isFrom(source))
        {
            counters.count(GuardCounter.DATA_WRONG_SOURCE);
            return;
        }
        super.onRttMeasurement(header, buffer, length, source, transportIndex);
    }

    @Override
    public void sendResponseSetup(
        final ImageConnection[] connections, final int sessionId, final int streamId, final int responseSessionId)
    {
        final GuardedSession session = sessionByKeyMap.get(Hashing.compoundKey(streamId, sessionId));
        if (null != session && !(session.hasResponse() && session.responseSessionId() == responseSessionId))
        {
            unpinResponse(session);
            session.responseSessionId(responseSessionId);
            responsePins.pin(responseSessionId, session.source().getAddress());
        }
        super.sendResponseSetup(connections, sessionId, streamId, responseSessionId);
    }

    @Override
    public void close()
    {
        super.close();
        sessionByKeyMap.values().forEach(this::unpinResponse);
    }

    private int drop(final GuardCounter counter)
    {
        counters.count(counter);
        return 0;
    }

    /** Aeron answers data of an unknown session by a request for a setup, and keeps state about it. */
    private boolean mayRequestSetup(
        final UnsafeBuffer buffer, final int length, final InetSocketAddress source, final long nowNs)
    {
        if (!isAllowed(source))
        {
            counters.count(GuardCounter.DATA_WRONG_SOURCE);
            return false;
        }
        if (!DatagramValidator.isValid(buffer, length, limits.maxTermLength()))
        {
            counters.count(GuardCounter.DATA_MALFORMED);
            return false;
        }
        if (!unknownSessions.tryTake(0, nowNs))
        {
            counters.count(GuardCounter.SETUP_RATE);
            return false;
        }
        return true;
    }

    private boolean mayAdmit(final InetSocketAddress source, final long nowNs)
    {
        if (!isAllowed(source))
        {
            counters.count(GuardCounter.DATA_WRONG_SOURCE);
            return false;
        }
        if (!setups.tryTake(0, nowNs))
        {
            counters.count(GuardCounter.SETUP_RATE);
            return false;
        }
        if (sessionByKeyMap.size() >= limits.sessionLimit() && !removeInactive(nowNs))
        {
            counters.count(GuardCounter.SESSION_LIMIT);
            return false;
        }
        return true;
    }

    private boolean isAllowed(final InetSocketAddress source)
    {
        if (!isPinned || isMulticast())
        {
            return true;
        }
        final InetSocketAddress control = explicitControlAddress();
        return null == control || control.getAddress().isAnyLocalAddress() || control.equals(source);
    }

    private boolean isWithinLimits(final SetupFlyweight setup)
    {
        final int termLength = setup.termLength();
        final int mtuLength = setup.mtuLength();
        final int termOffset = setup.termOffset();
        return termLength >= LogBufferDescriptor.TERM_MIN_LENGTH &&
            termLength <= limits.maxTermLength() &&
            BitUtil.isPowerOfTwo(termLength) &&
            mtuLength >= limits.minMtu() &&
            mtuLength <= Math.min(limits.maxMtu(), termLength >> 1) &&
            BitUtil.isAligned(mtuLength, FrameDescriptor.FRAME_ALIGNMENT) &&
            termOffset >= 0 &&
            termOffset < termLength &&
            BitUtil.isAligned(termOffset, FrameDescriptor.FRAME_ALIGNMENT) &&
            // Term ids wrap around, so compare by difference: a position cannot be negative.
            setup.activeTermId() - setup.initialTermId() >= 0;
    }

    private boolean removeInactive(final long nowNs)
    {
        final int before = sessionByKeyMap.size();
        final Long2ObjectHashMap<GuardedSession>.ValueIterator sessions = sessionByKeyMap.values().iterator();
        while (sessions.hasNext())
        {
            final GuardedSession session = sessions.next();
            if (session.isInactive(nowNs, inactivityTimeoutNs))
            {
                unpinResponse(session);
                sessions.remove();
            }
        }
        return sessionByKeyMap.size() < before;
    }

    private void remove(final long key)
    {
        final GuardedSession session = sessionByKeyMap.remove(key);
        if (null != session)
        {
            unpinResponse(session);
        }
    }

    private void unpinResponse(final GuardedSession session)
    {
        if (session.hasResponse())
        {
            responsePins.unpin(session.responseSessionId(), session.source().getAddress());
        }
    }
}
