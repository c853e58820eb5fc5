package io.escapement.client;

import io.aeron.exceptions.AeronException;
import io.escapement.client.TrunkClient.State;
import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.trunk.TrunkCode;
import io.escapement.codecs.trunk.WelcomeDecoder;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;
import org.agrona.concurrent.NanoClock;

/** One connection of a trunk: the control stream with its handshake, then the session with its loop streams. */
final class TrunkConnection implements AutoCloseable
{
    /** The trunk, which outlives its connections. */
    interface Owner
    {
        void onUp(Session session);

        void onDown(int code, HandshakeFailure.Progress progress);
    }

    static final int CONNECTION_LOST = 0;
    /** The control stream carries few messages, so it is not polled in every duty cycle. */
    private static final long CONTROL_INTERVAL_NS = TimeUnit.MICROSECONDS.toNanos(200);

    private final Owner owner;
    private final NanoClock clock;
    private final ControlAdapter controlAdapter;
    private final StreamConnection control;
    private final BatchSender controlSender;
    private final ControlProxy controlProxy;
    private final LoopStreams loops;
    private final Handshake handshake;
    private State state = State.CONNECTING;
    private Session session;
    private long controlDueNs;

    TrunkConnection(
        final TrunkContext context, final ResumeTicket ticket, final EgressAdapter egress, final Owner owner)
    {
        this.owner = owner;
        clock = context.clock();
        loops = new LoopStreams(context, egress);
        controlAdapter = new ControlAdapter(this, egress, context.listener());
        control = context.connections().open(TrunkMessages.CONTROL_STREAM_ID, controlAdapter);
        controlSender = new BatchSender(control, 1);
        controlProxy = new ControlProxy(controlSender);
        controlDueNs = clock.nanoTime();
        handshake = new Handshake(context, ticket, control, controlSender, controlProxy, controlDueNs);
    }

    State state()
    {
        return state;
    }

    ControlProxy controlProxy()
    {
        return controlProxy;
    }

    long malformed()
    {
        return controlAdapter.malformed();
    }

    int poll()
    {
        int work = loops.poll();
        final long nowNs = clock.nanoTime();
        if (nowNs - controlDueNs >= 0)
        {
            controlDueNs = nowNs + CONTROL_INTERVAL_NS;
            work += control.poll();
            if (State.DOWN != state)
            {
                work += advance(nowNs);
            }
        }
        if (State.UP == state)
        {
            loops.flush();
        }
        return work;
    }

    boolean flush()
    {
        return loops.flush();
    }

    void flushControl()
    {
        controlSender.flush();
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

    /** How far the handshake came. */
    HandshakeFailure.Progress progress()
    {
        return new HandshakeFailure.Progress(handshake.state(), control.isOpen(), control.hasImage());
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
        if (null != session)
        {
            session.onActivity(clock.nanoTime());
        }
    }

    void onChallenge(final long serverHigh, final long serverLow)
    {
        handshake.onChallenge(serverHigh, serverLow);
        state = handshake.state();
    }

    void onWelcome(final WelcomeDecoder welcome)
    {
        session = new Session(welcome, clock.nanoTime());
        controlSender.maxEntries(session.maxBatchEntries());
        state = State.UP;
        loops.onUp(session);
        owner.onUp(session);
    }

    boolean onAttached(final int loop)
    {
        return loops.onAttached(loop);
    }

    void onKeepaliveReply(final long clientTimeNs, final long serverTimeNs)
    {
        session.onKeepaliveReply(clientTimeNs, serverTimeNs, clock.nanoTime());
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
        }
        return 0;
    }

    private int advanceSession(final long nowNs)
    {
        if (!control.hasImage())
        {
            onDown(CONNECTION_LOST);
            return 1;
        }
        if (session.isKeepaliveLate(nowNs))
        {
            onDown(TrunkCode.KEEPALIVE_LATE.value());
            return 1;
        }
        session.advance(controlProxy, nowNs);
        loops.advance(nowNs);
        controlSender.flush();
        return 0;
    }
}
