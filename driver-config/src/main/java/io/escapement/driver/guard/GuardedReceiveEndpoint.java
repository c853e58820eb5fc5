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
 * Receives for subscriptions. A session belongs to the address that set it up until it has been silent for as long as
 * Aeron keeps its image, and a moment more; then it goes to the next one who sets it up. Where a channel names the
 * address of its sender (control), only that address may set up a session. A channel with destinations of its own
 * choice (control-mode=manual) hears one session from several addresses by design, so there only the form of frames
 * and the limits are checked.
 */
final class GuardedReceiveEndpoint extends ReceiveChannelEndpoint
{
    // An image is made a little after the set-up that asked for it, and so dies a little later than we would count.
    private static final long SLACK_NS = TimeUnit.SECONDS.toNanos(1);
    /** Datagrams taken from a socket at once. Aeron takes one, and then sees to everything else a driver does. */
    private static final int DATAGRAMS_AT_ONCE = 8;
    /** How often a thread that is busy sending looks for what comes in, once nothing came. */
    private static final long LOOK_WHILE_SENDING_NS = 20_000;

    private final Long2ObjectHashMap<GuardedSession> sessionByKeyMap = new Long2ObjectHashMap<>();
    private final GuardLimits limits;
    private final GuardCounters counters;
    private final ResponsePins responsePins;
    private final CachedNanoClock clock;
    private final MutableLong sent;
    private final SetupBucket setups;
    private final SetupBucket strangers;
    private final long silenceNs;
    private final boolean isPinned;
    private boolean hasReceived;
    private boolean isFollowing;
    private long sentBefore;
    private long lookedNs;
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
        lookedNs = clock.nanoTime() - LOOK_WHILE_SENDING_NS;
        setups = new SetupBucket(limits.setupRate(), limits.setupBurst(), clock.nanoTime());
        // Apart from set-ups, so that a sender which talks on without a session cannot keep newcomers out.
        strangers = new SetupBucket(limits.setupRate(), limits.setupBurst(), clock.nanoTime());
        silenceNs = context.imageLivenessTimeoutNs() + SLACK_NS;
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
        for (int i = 1; isFollowing && isPinned && i < DATAGRAMS_AT_ONCE; i++)
        {
            final InetSocketAddress next = receive(buffer.byteBuffer());
            if (null == next)
            {
                break;
            }
            bytes += onNext(header, buffer, buffer.byteBuffer().position(), next, transportIndex);
        }
        return bytes;
    }

    /**
     * A datagram that follows another is one of a stream; one that follows an empty look came alone. Behind that one
     * nobody looks for a next: to look for nothing takes as long as to hand a message to its room. Nor does a thread
     * that sends one datagram after the other look after each.
     */
    @Override
    public InetSocketAddress receive(final ByteBuffer buffer)
    {
        final boolean isSending = sentBefore != sent.value;
        sentBefore = sent.value;
        final long nowNs = clock.nanoTime();
        if (isSending && !hasReceived && nowNs - lookedNs < LOOK_WHILE_SENDING_NS)
        {
            return null;
        }
        final InetSocketAddress source = super.receive(buffer);
        isFollowing = hasReceived;
        hasReceived = null != source;
        lookedNs = nowNs;
        return source;
    }

    /** What Aeron does with a datagram that it took. */
    private int onNext(
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
        // Before its silence is asked about: only a set-up hands a session on, for data goes straight into an image.
        if (null != session && isPinned && !session.isFrom(source))
        {
            return drop(GuardCounter.DATA_WRONG_SOURCE);
        }
        if (null == session || session.isSilent(nowNs, silenceNs))
        {
            return mayElicitSetup(buffer, length, source, nowNs) ?
                super.onDataPacket(header, buffer, length, source, transportIndex) : 0;
        }
        if (!FrameWalk.isSound(buffer, length, session.termLength()))
        {
            return drop(GuardCounter.DATA_MALFORMED);
        }
        session.heard(nowNs);
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
        if (null == session || session.isSilent(nowNs, silenceNs))
        {
            if (!mayEnter(source, nowNs))
            {
                return;
            }
            forget(key);
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
            session.heard(nowNs);
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
            // The last ones of a session that has ended.
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

    /**
     * Data of a session that is not known makes Aeron ask its source for a set-up and remember that it did.
     */
    private boolean mayElicitSetup(
        final UnsafeBuffer buffer, final int length, final InetSocketAddress source, final long nowNs)
    {
        if (!isWelcome(source))
        {
            counters.count(GuardCounter.DATA_WRONG_SOURCE);
            return false;
        }
        if (!FrameWalk.isSound(buffer, length, limits.maxTermLength()))
        {
            counters.count(GuardCounter.DATA_MALFORMED);
            return false;
        }
        if (!strangers.tryTake(nowNs))
        {
            counters.count(GuardCounter.SETUP_RATE);
            return false;
        }
        return true;
    }

    private boolean mayEnter(final InetSocketAddress source, final long nowNs)
    {
        if (!isWelcome(source))
        {
            counters.count(GuardCounter.DATA_WRONG_SOURCE);
            return false;
        }
        if (!setups.tryTake(nowNs))
        {
            counters.count(GuardCounter.SETUP_RATE);
            return false;
        }
        if (sessionByKeyMap.size() >= limits.sessionLimit() && !forgetSilent(nowNs))
        {
            counters.count(GuardCounter.SESSION_LIMIT);
            return false;
        }
        return true;
    }

    private boolean isWelcome(final InetSocketAddress source)
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
            // Term ids wrap around: their difference counts, and a position cannot be negative.
            setup.activeTermId() - setup.initialTermId() >= 0;
    }

    private boolean forgetSilent(final long nowNs)
    {
        final int before = sessionByKeyMap.size();
        final Long2ObjectHashMap<GuardedSession>.ValueIterator sessions = sessionByKeyMap.values().iterator();
        while (sessions.hasNext())
        {
            final GuardedSession session = sessions.next();
            if (session.isSilent(nowNs, silenceNs))
            {
                unpinResponse(session);
                sessions.remove();
            }
        }
        return sessionByKeyMap.size() < before;
    }

    private void forget(final long key)
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
