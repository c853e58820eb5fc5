package io.escapement.client;

import io.aeron.exceptions.AeronException;
import io.escapement.client.TrunkClient.State;
import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.trunk.FeedOfferedDecoder;
import io.escapement.codecs.trunk.TrunkCode;
import io.escapement.codecs.trunk.WelcomeDecoder;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;
import org.agrona.concurrent.NanoClock;

/**
 * A connection to an engine: the control stream with its handshake, then also the loop streams. A client of several
 * engines is on standby in each of its sessions, and asks for the trunk in one.
 */
final class TrunkSession implements AutoCloseable
{
    /** The trunk, which outlives its sessions. */
    interface Owner
    {
        void onUp(Welcome welcome);

        void onDown(int code, HandshakeFailure.Progress progress);

        /**
         * The client is on standby at the engine. It stays on standby if it has asked for a trunk that the engine does
         * not give.
         */
        default void onStandby(final Standby standby)
        {
            throw new IllegalStateException("it did not ask to stand by");
        }

        /** The engine starts to lead. The client is on standby there. */
        default void onLeading(final int incarnation)
        {
            throw new IllegalStateException("it did not ask to stand by");
        }

        /** The engine has not got the trunk of the ticket. The client is on standby. */
        default void onUnknownTrunk()
        {
            throw new IllegalStateException("it did not ask to stand by");
        }
    }

    static final int CONNECTION_LOST = 0;
    /** The control stream carries few messages. Therefore it is not polled in every duty cycle. */
    private static final long CONTROL_INTERVAL_NS = TimeUnit.MICROSECONDS.toNanos(200);

    private final Owner owner;
    private final boolean isStandby;
    private final NanoClock clock;
    private final TrunkAdapter adapter;
    private final TrunkStream control;
    private final StreamBatch controlBatch;
    private final TrunkProxy proxy;
    private final LoopStreams loops;
    private final Handshake handshake;
    private State state = State.CONNECTING;
    private final ResumeTicket ticket;
    private Welcome welcome;
    /** From the Welcome, or before that from standing by. */
    private Keepalive keepalive;
    private long controlDueNs;

    /** Connect to the only engine, and ask it for a trunk. */
    TrunkSession(
        final TrunkContext context, final ResumeTicket ticket, final EgressAdapter egress, final Owner owner)
    {
        this(context, 0, false, ticket, egress, owner);
    }

    private TrunkSession(
        final TrunkContext context,
        final int member,
        final boolean isStandby,
        final ResumeTicket ticket,
        final EgressAdapter egress,
        final Owner owner)
    {
        this.owner = owner;
        this.isStandby = isStandby;
        this.ticket = ticket;
        clock = context.clock();
        loops = new LoopStreams(context, member, egress);
        adapter = new TrunkAdapter(this, egress, context.listener());
        control = context.streams().open(member, TrunkMessages.CONTROL_STREAM_ID, adapter);
        controlBatch = new StreamBatch(control, 1);
        proxy = new TrunkProxy(controlBatch);
        controlDueNs = clock.nanoTime();
        handshake = new Handshake(context, control, controlBatch, proxy, controlDueNs);
    }

    /** Connect to an engine of a group, for standby. */
    static TrunkSession standingBy(
        final TrunkContext context, final int member, final EgressAdapter egress, final Owner owner)
    {
        return new TrunkSession(context, member, true, null, egress, owner);
    }

    State state()
    {
        return state;
    }

    /** Whether the engine owes a Welcome. */
    boolean isAsking()
    {
        return State.PROVEN == state && handshake.isAsking();
    }

    /** Whether the client is on standby before it has a trunk. */
    boolean isStandby()
    {
        return isStandby;
    }

    /** Ask for the trunk of a ticket, or for a new trunk, where the client is on standby. */
    void ask(final ResumeTicket trunk)
    {
        if (!handshake.ask(trunk, clock.nanoTime()))
        {
            onDown(CONNECTION_LOST);
            return;
        }
        state = handshake.state();
    }

    TrunkProxy proxy()
    {
        return proxy;
    }

    long malformed()
    {
        return adapter.malformed();
    }

    int poll()
    {
        int work = loops.poll();
        work += pollControl(clock.nanoTime());
        if (State.UP == state)
        {
            loops.flush();
        }
        return work;
    }

    /** Poll the control stream when that is due. Without a trunk, the loop streams have no messages. */
    int pollControl(final long nowNs)
    {
        if (nowNs - controlDueNs < 0)
        {
            return 0;
        }
        controlDueNs = nowNs + CONTROL_INTERVAL_NS;
        final int work = control.poll();
        return State.DOWN == state ? work : work + advance(nowNs);
    }

    boolean flush()
    {
        return loops.flush();
    }

    void flushControl()
    {
        controlBatch.flush();
    }

    /** The stream of a loop if it is attached, otherwise null. */
    LoopStream attached(final int loop)
    {
        return State.UP == state && !control.isClosed() ? loops.attached(loop) : null;
    }

    /** Whether the engine has that loop. True while that is unknown. */
    boolean hasLoop(final int loop)
    {
        return State.UP != state || loops.has(loop);
    }

    /** The progress of the handshake. */
    HandshakeFailure.Progress progress()
    {
        return new HandshakeFailure.Progress(handshake.state(), control.isOpen(), control.hasImage());
    }

    /** Have the engine free the resources of this session. */
    void goodbye()
    {
        if (null != keepalive && State.DOWN != state && proxy.goodbye())
        {
            loops.flush();
            controlBatch.flush();
        }
    }

    /** Close the streams, without a word to the engine. */
    @Override
    public void close()
    {
        state = State.DOWN;
        CloseHelper.quietCloseAll(control, loops);
    }

    void onActivity()
    {
        if (null != keepalive)
        {
            keepalive.onActivity(clock.nanoTime());
        }
    }

    void onChallenge(final long serverHigh, final long serverLow)
    {
        handshake.onChallenge(serverHigh, serverLow);
        if (isStandby)
        {
            handshake.stand();
        }
        else
        {
            handshake.ask(ticket, clock.nanoTime());
        }
        state = handshake.state();
    }

    void onStandby(final Standby standby)
    {
        if (null == keepalive)
        {
            keepalive = new Keepalive(standby.keepaliveNs(), clock.nanoTime());
            controlBatch.maxEntries(standby.maxBatchEntries());
            loops.onStandby(standby);
        }
        handshake.onStandby();
        state = handshake.state();
        owner.onStandby(standby);
    }

    void onLeading(final int incarnation)
    {
        owner.onLeading(incarnation);
    }

    void onReject(final int code)
    {
        if (isStandby && isAsking() && TrunkCode.UNKNOWN_TRUNK.value() == code)
        {
            handshake.onStandby();
            state = handshake.state();
            owner.onUnknownTrunk();
        }
        else
        {
            onDown(code);
        }
    }

    void onWelcome(final WelcomeDecoder message)
    {
        welcome = new Welcome(message, clock.nanoTime());
        keepalive = welcome.keepalive();
        controlBatch.maxEntries(welcome.maxBatchEntries());
        state = State.UP;
        loops.onUp(welcome);
        owner.onUp(welcome);
    }

    boolean onAttached(final int loop)
    {
        return loops.onAttached(loop);
    }

    void onFeedOffered(final FeedOfferedDecoder offer)
    {
        loops.onFeedOffered(offer, proxy);
    }

    void onKeepaliveReply(final long clientTimeNs, final long serverTimeNs)
    {
        // Where the client is on standby it only shows that the engine is running.
        if (null != welcome)
        {
            welcome.onKeepaliveReply(clientTimeNs, serverTimeNs, clock.nanoTime());
        }
    }

    void onDown(final int code)
    {
        final HandshakeFailure.Progress progress = progress();
        close();
        owner.onDown(code, progress);
    }

    private int advance(final long nowNs)
    {
        if (control.isClosed())
        {
            onDown(CONNECTION_LOST);
            return 1;
        }
        try
        {
            return State.UP == state ? advanceSession(nowNs) : advanceHandshake(nowNs);
        }
        catch (final AeronException ex)
        {
            if (!control.isClosed())
            {
                throw ex;
            }
            // The driver died in between.
            onDown(CONNECTION_LOST);
            return 1;
        }
    }

    private int advanceHandshake(final long nowNs)
    {
        if (handshake.isConnectionLost())
        {
            onDown(CONNECTION_LOST);
            return 1;
        }
        handshake.advance();
        state = handshake.state();
        if (handshake.isOverdue(nowNs))
        {
            onDown(TrunkCode.HANDSHAKE_TIMEOUT.value());
            return 1;
        }
        return State.STANDBY == state ? keepAlive(nowNs) : 0;
    }

    private int advanceSession(final long nowNs)
    {
        if (!control.hasImage())
        {
            onDown(CONNECTION_LOST);
            return 1;
        }
        return keepAlive(nowNs);
    }

    private int keepAlive(final long nowNs)
    {
        if (keepalive.isLate(nowNs))
        {
            onDown(TrunkCode.KEEPALIVE_LATE.value());
            return 1;
        }
        keepalive.advance(proxy, null == welcome ? 0 : welcome.roundTripNs(), nowNs);
        loops.advance(nowNs);
        controlBatch.flush();
        return 0;
    }
}
