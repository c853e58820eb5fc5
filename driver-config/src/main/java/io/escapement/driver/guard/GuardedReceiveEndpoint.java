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
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.agrona.BitUtil;
import org.agrona.collections.Hashing;
import org.agrona.collections.MutableLong;
import org.agrona.concurrent.CachedNanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicCounter;

/**
 * Receives for subscriptions. A session is admitted when something subscribes to it, its sender has echoed a cookie,
 * and {@link GuardedSessions} has a place. It belongs to that address until it is inactive and its image is gone. After
 * that, any address may set it up. If the channel names its sender's address (control), only that address may set up a
 * session, without a cookie. A channel with control-mode=manual receives one session from several addresses by design.
 * There only datagram format and limits are enforced.
 */
class GuardedReceiveEndpoint extends ReceiveChannelEndpoint
{
    // Aeron creates an image some time after its setup. Therefore the image outlives our estimate by that time.
    private static final long SLACK_NS = TimeUnit.SECONDS.toNanos(1);
    /** Datagrams per poll of a socket. Aeron takes one and then runs the rest of its duty cycle. */
    private static final int RECEIVE_BURST = 8;
    /** Poll interval of a thread that is busy sending, after an empty poll. */
    private static final long POLL_WHILE_SENDING_NS = 20_000;

    /** Cookies per second. A flood of setups may keep newcomers waiting, and must not keep the thread busy. */
    private static final int COOKIE_RATE = 10_000;
    private static final int COOKIE_BURST = 1_000;

    private final GuardedSessions sessions;
    private final SourceCookies cookies = new SourceCookies();
    /** Written by the conductor. */
    private final Set<Integer> subscribedStreams = ConcurrentHashMap.newKeySet();
    private final Set<Long> subscribedSessions = ConcurrentHashMap.newKeySet();
    private final GuardLimits limits;
    /** Null for any. */
    private final Predicate<InetAddress> sources;
    private final GuardCounters counters;
    private final CachedNanoClock clock;
    private final MutableLong sent;
    private final TokenBuckets setups;
    private final TokenBuckets unknownSessions;
    private final TokenBuckets challenges = TokenBuckets.ofRate(1, COOKIE_RATE, COOKIE_BURST);
    private final boolean isPinned;
    /** Null without segmentation offload. */
    private final OffloadCounters offloadCounters;
    private final boolean isJoined;
    private final UnsafeBuffer datagram = new UnsafeBuffer(0, 0);
    private final DataHeaderFlyweight datagramHeader = new DataHeaderFlyweight();
    private boolean hasReceived;
    private boolean isInBurst;
    private long lastSent;
    private long lastPollNs;
    private final SetupFlyweight setup = new SetupFlyweight();
    private final RttMeasurementFlyweight rttMeasurement = new RttMeasurementFlyweight();

    // Four of them are the driver's. The driver's factory has no place for others.
    @SuppressWarnings("checkstyle:parameternumber")
    GuardedReceiveEndpoint(
        final UdpChannel channel,
        final DataPacketDispatcher dispatcher,
        final AtomicCounter status,
        final MediaDriver.Context context,
        final GuardLimits limits,
        final Predicate<InetAddress> sources,
        final GuardCounters counters,
        final ResponsePins responsePins,
        final MutableLong sent,
        final OffloadCounters offloadCounters)
    {
        super(channel, dispatcher, status, context);
        this.limits = limits;
        this.sources = sources;
        this.counters = counters;
        this.sent = sent;
        clock = context.receiverCachedNanoClock();
        lastPollNs = clock.nanoTime() - POLL_WHILE_SENDING_NS;
        setups = TokenBuckets.ofRate(1, limits.setupRate(), limits.setupBurst());
        // A separate bucket, because a sender that keeps sending data without a session must not block new setups.
        unknownSessions = TokenBuckets.ofRate(1, limits.setupRate(), limits.setupBurst());
        sessions = new GuardedSessions(limits.sessionLimit(), context.imageLivenessTimeoutNs() + SLACK_NS,
            responsePins, new LiveImages(context.countersManager()), clock.nanoTime());
        isPinned = !channel.isManualControlMode();
        this.offloadCounters = offloadCounters;
        isJoined = null != offloadCounters && isPinned && !channel.isMulticast();
    }

    @Override
    public void openDatagramChannel(final AtomicCounter statusIndicator)
    {
        super.openDatagramChannel(statusIndicator);
        if (isJoined)
        {
            SocketOffload.join(receiveDatagramChannel);
        }
    }

    @Override
    public int onDataPacket(
        final DataHeaderFlyweight header,
        final UnsafeBuffer buffer,
        final int length,
        final InetSocketAddress source,
        final int transportIndex)
    {
        int bytes = isJoined ?
            onRead(buffer, length, source, transportIndex) : onData(header, buffer, length, source, transportIndex);
        for (int i = 1; isInBurst && isPinned && i < RECEIVE_BURST; i++)
        {
            final InetSocketAddress next = receive(buffer.byteBuffer());
            if (null == next)
            {
                break;
            }
            final int nextLength = buffer.byteBuffer().position();
            bytes += isJoined ? onRead(buffer, nextLength, next, transportIndex) :
                onDatagram(header, buffer, nextLength, next, transportIndex);
        }
        return bytes;
    }

    /** One or more datagrams of one sender. */
    private int onRead(
        final UnsafeBuffer buffer, final int length, final InetSocketAddress source, final int transportIndex)
    {
        int bytes = 0;
        int offset = 0;
        while (offset < length)
        {
            final int datagramLength = lengthAt(buffer, offset, length);
            if (0 == datagramLength)
            {
                counters.count(GuardCounter.DATA_MALFORMED);
                break;
            }
            datagram.wrap(buffer, offset, datagramLength);
            datagramHeader.wrap(datagram);
            bytes += onDatagram(datagramHeader, datagram, datagramLength, source, transportIndex);
            offset += datagramLength;
        }
        return bytes;
    }

    /** Length of the block of data at an offset, as far as the image takes it as one, or of the datagram. */
    private int lengthAt(final UnsafeBuffer buffer, final int offset, final int end)
    {
        final int length = JoinedDatagrams.length(buffer, offset, end, Integer.MAX_VALUE);
        if (length <= limits.minMtu())
        {
            return length;
        }
        datagramHeader.wrap(buffer, offset, length);
        final GuardedSession session =
            sessions.get(Hashing.compoundKey(datagramHeader.streamId(), datagramHeader.sessionId()));
        if (null == session || length <= session.mtuLength())
        {
            return length;
        }
        if (session.isTakenAsOne(datagramHeader.termId(), datagramHeader.termOffset(), length))
        {
            offloadCounters.count(OffloadCounter.BLOCKS_JOINED, 1);
            return length;
        }
        return JoinedDatagrams.length(buffer, offset, end, session.mtuLength());
    }

    @Override
    public void sendStatusMessage(
        final ImageConnection[] connections,
        final int sessionId,
        final int streamId,
        final int termId,
        final int termOffset,
        final int windowLength,
        final short flags)
    {
        if (isJoined)
        {
            final GuardedSession session = sessions.get(Hashing.compoundKey(streamId, sessionId));
            if (null != session)
            {
                session.onStatusMessage(termId, termOffset);
            }
        }
        super.sendStatusMessage(connections, sessionId, streamId, termId, termOffset, windowLength, flags);
    }

    /**
     * Empty polls are avoided, because such a system call takes as long as delivering a message to its room. A datagram
     * that follows an empty poll is treated as single: no poll for a further datagram follows it. A thread that is
     * sending polls only at an interval.
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
                onSetup(setup, buffer, length, source, transportIndex);
            }
            case HeaderFlyweight.HDR_TYPE_RTTM ->
            {
                rttMeasurement.wrap(buffer);
                onMeasurement(rttMeasurement, buffer, length, source, transportIndex);
            }
            default ->
            {
                // As Aeron's poller does: frames of other types are for senders, not for receivers.
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
        if (isStranger(source))
        {
            return 0;
        }
        final GuardedSession session = sessions.get(Hashing.compoundKey(header.streamId(), header.sessionId()));
        final long nowNs = clock.nanoTime();
        // Checked before inactivity, because only a setup may transfer a session. Data would go straight into the
        // image.
        if (null != session && isPinned && !session.isFrom(source))
        {
            return drop(GuardCounter.DATA_WRONG_SOURCE);
        }
        if (null == session || sessions.isInactive(session, nowNs))
        {
            return mayRequestSetup(header, buffer, length, source, nowNs) ?
                super.onDataPacket(header, buffer, length, source, transportIndex) : 0;
        }
        if (!DatagramValidator.isValid(buffer, length, session.termLength()))
        {
            return drop(GuardCounter.DATA_MALFORMED);
        }
        session.onActivity(nowNs);
        if (isJoined)
        {
            session.onData(header.termId(), header.termOffset(), 0 == header.frameLength() ? 0 : length);
        }
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
        if (isJoined)
        {
            onRead(buffer, length, source, transportIndex);
        }
        else
        {
            onSetup(header, buffer, length, source, transportIndex);
        }
    }

    private void onSetup(
        final SetupFlyweight header,
        final UnsafeBuffer buffer,
        final int length,
        final InetSocketAddress source,
        final int transportIndex)
    {
        if (isStranger(source))
        {
            return;
        }
        if (length < SetupFlyweight.HEADER_LENGTH || !isWithinLimits(header))
        {
            counters.count(GuardCounter.SETUP_REFUSED);
            return;
        }
        final long key = Hashing.compoundKey(header.streamId(), header.sessionId());
        final GuardedSession session = sessions.get(key);
        final long nowNs = clock.nanoTime();
        if (null == session || (sessions.isInactive(session, nowNs) && sessions.tryRelease(key, nowNs)))
        {
            if (!mayAdmit(header, source, transportIndex, nowNs))
            {
                return;
            }
            sessions.add(key, source, header, nowNs);
        }
        else if (isPinned && !session.isFrom(source))
        {
            counters.count(GuardCounter.DATA_WRONG_SOURCE);
            return;
        }
        else if (sessions.isInactive(session, nowNs))
        {
            // Its old image is not gone yet. A new image would have no place.
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
        if (isJoined)
        {
            onRead(buffer, length, source, transportIndex);
        }
        else
        {
            onMeasurement(header, buffer, length, source, transportIndex);
        }
    }

    private void onMeasurement(
        final RttMeasurementFlyweight header,
        final UnsafeBuffer buffer,
        final int length,
        final InetSocketAddress source,
        final int transportIndex)
    {
        if (isStranger(source))
        {
            return;
        }
        if (length < RttMeasurementFlyweight.HEADER_LENGTH)
        {
            counters.count(GuardCounter.DATA_MALFORMED);
            return;
        }
        final GuardedSession session = sessions.get(Hashing.compoundKey(header.streamId(), header.sessionId()));
        if (null == session)
        {
            // The echo of a cookie, or a late measurement of a closed session.
            if (mustShowAddress() && cookies.onEcho(
                header.echoTimestampNs(), source, header.streamId(), header.sessionId(), clock.nanoTime()))
            {
                sendSetupElicitingStatusMessage(transportIndex, source, header.sessionId(), header.streamId());
            }
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
        final GuardedSession session = sessions.get(Hashing.compoundKey(streamId, sessionId));
        if (null != session)
        {
            sessions.pinResponse(session, responseSessionId, clock.nanoTime());
        }
        super.sendResponseSetup(connections, sessionId, streamId, responseSessionId);
    }

    @Override
    public void close()
    {
        super.close();
        sessions.close(clock.nanoTime());
    }

    @Override
    public int incRefToStream(final int streamId)
    {
        subscribedStreams.add(streamId);
        return super.incRefToStream(streamId);
    }

    @Override
    public int decRefToStream(final int streamId)
    {
        final int count = super.decRefToStream(streamId);
        if (0 == count)
        {
            subscribedStreams.remove(streamId);
        }
        return count;
    }

    @Override
    public long incRefToStreamAndSession(final int streamId, final int sessionId)
    {
        subscribedSessions.add(Hashing.compoundKey(streamId, sessionId));
        return super.incRefToStreamAndSession(streamId, sessionId);
    }

    @Override
    public long decRefToStreamAndSession(final int streamId, final int sessionId)
    {
        final long count = super.decRefToStreamAndSession(streamId, sessionId);
        if (0 == count)
        {
            subscribedSessions.remove(Hashing.compoundKey(streamId, sessionId));
        }
        return count;
    }

    private int drop(final GuardCounter counter)
    {
        counters.count(counter);
        return 0;
    }

    /** Aeron answers data of an unknown session by a request for a setup, and keeps state about it. */
    private boolean mayRequestSetup(
        final DataHeaderFlyweight header,
        final UnsafeBuffer buffer,
        final int length,
        final InetSocketAddress source,
        final long nowNs)
    {
        if (!isSubscribed(header.streamId(), header.sessionId()))
        {
            counters.count(GuardCounter.NO_SUBSCRIPTION);
            return false;
        }
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

    private boolean mayAdmit(
        final SetupFlyweight header, final InetSocketAddress source, final int transportIndex, final long nowNs)
    {
        if (!isAllowed(source))
        {
            counters.count(GuardCounter.DATA_WRONG_SOURCE);
            return false;
        }
        if (!isSubscribed(header.streamId(), header.sessionId()))
        {
            counters.count(GuardCounter.NO_SUBSCRIPTION);
            return false;
        }
        if (mustShowAddress() && !cookies.isProven(source, header.streamId(), header.sessionId(), nowNs))
        {
            challenge(header, source, transportIndex, nowNs);
            return false;
        }
        final GuardCounter refusal = sessions.refusal(source, nowNs);
        if (null != refusal)
        {
            counters.count(refusal);
            return false;
        }
        // Last, because refused setups must not keep others out.
        if (!setups.tryTake(0, nowNs))
        {
            counters.count(GuardCounter.SETUP_RATE);
            return false;
        }
        return true;
    }

    /**
     * Whether a sender must show that it receives at its address. This takes a sender 100 ms. Not if the channel names
     * the address, or the driver its peers.
     */
    private boolean mustShowAddress()
    {
        return null == sources && isPinned && !isMulticast() && null == explicitControlAddress();
    }

    private void challenge(
        final SetupFlyweight header, final InetSocketAddress source, final int transportIndex, final long nowNs)
    {
        if (!challenges.tryTake(0, nowNs))
        {
            counters.count(GuardCounter.SETUP_RATE);
            return;
        }
        final int streamId = header.streamId();
        final int sessionId = header.sessionId();
        final long cookie = cookies.cookie(source, streamId, sessionId, nowNs);
        sendRttMeasurement(transportIndex, source, sessionId, streamId, cookie, 0, true);
    }

    private boolean isSubscribed(final int streamId, final int sessionId)
    {
        return subscribedStreams.contains(streamId) ||
            subscribedSessions.contains(Hashing.compoundKey(streamId, sessionId));
    }

    private boolean isStranger(final InetSocketAddress source)
    {
        if (null == sources || sources.test(source.getAddress()))
        {
            return false;
        }
        counters.count(GuardCounter.SOURCE_REFUSED);
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
            // Term ids wrap around. Compare by difference: a position cannot be negative.
            setup.activeTermId() - setup.initialTermId() >= 0;
    }
}
