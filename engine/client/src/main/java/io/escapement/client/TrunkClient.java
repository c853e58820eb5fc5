package io.escapement.client;

import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.trunk.TrunkCode;
import io.escapement.codecs.trunk.WelcomeDecoder;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.NanoClock;

/**
 * The client's end of a trunk. It has no thread: one thread calls {@link #poll()} often, and every callback runs inside
 * that call. No method blocks; a method that cannot send returns why. Several trunks may share an Aeron client. If its
 * conductor is invoked rather than run in a thread, the caller invokes it in the polling thread, once for all of them.
 */
public final class TrunkClient implements AutoCloseable
{
    /** Where the trunk is in its life. */
    public enum State
    {
        /** The control stream is being connected. */
        CONNECTING,
        /** Hello was sent. */
        GREETED,
        /** The challenge was answered. */
        PROVEN,
        /** The handshake succeeded: players can join. */
        UP,
        /** Ended. A new client may resume the trunk with this one's ticket. */
        DOWN
    }

    /** The control stream carries few messages, so it is not polled in every duty cycle. */
    private static final long CONTROL_INTERVAL_NS = TimeUnit.MICROSECONDS.toNanos(200);
    private static final int CONNECTION_LOST = 0;

    private final TrunkListener listener;
    private final NanoClock clock;
    private final ClientSeats seats = new ClientSeats();
    private final EgressAdapter egress;
    private final ControlAdapter controlAdapter;
    private final StreamConnection control;
    private final BatchSender controlSender;
    private final ControlProxy controlProxy;
    private final LoopProxy loopProxy = new LoopProxy();
    private final LoopStreams loops;
    private final Handshake handshake;
    private State state = State.CONNECTING;
    private Session session;
    private long controlDueNs;

    private TrunkClient(final TrunkContext context)
    {
        listener = context.listener();
        clock = context.clock();
        egress = new EgressAdapter(seats, listener);
        loops = new LoopStreams(context, egress);
        controlAdapter = new ControlAdapter(this, listener);
        control = context.connections().open(TrunkMessages.CONTROL_STREAM_ID, controlAdapter);
        controlSender = new BatchSender(control, 1);
        controlProxy = new ControlProxy(controlSender);
        controlDueNs = clock.nanoTime();
        handshake = new Handshake(context, control, controlSender, controlProxy, controlDueNs);
    }

    /**
     * Start to connect a trunk. Poll the client until it is {@link State#UP}.
     *
     * @param context of this trunk only. It is frozen by this call.
     */
    public static TrunkClient connect(final TrunkContext context)
    {
        return new TrunkClient(context.conclude());
    }

    /**
     * The duty cycle: receive, send what is queued, advance handshake and keepalive.
     *
     * @return the amount of work done.
     */
    public int poll()
    {
        int work = loops.poll();
        final long nowNs = clock.nanoTime();
        if (nowNs - controlDueNs >= 0)
        {
            controlDueNs = nowNs + CONTROL_INTERVAL_NS;
            if (State.DOWN != state)
            {
                work += control.poll();
            }
            if (State.DOWN != state)
            {
                work += State.UP == state ? advanceSession(nowNs) : advanceHandshake(nowNs);
            }
        }
        if (State.UP == state)
        {
            flush();
        }
        return work;
    }

    /** Where the trunk is in its life. */
    public State state()
    {
        return state;
    }

    /** The ticket to resume this trunk with, or null before the trunk was up. */
    public ResumeTicket ticket()
    {
        return null == session ? null : session.ticket();
    }

    /** The trunk's id at the engine, or 0 before the trunk was up. */
    public long trunkId()
    {
        return null == session ? 0 : session.trunkId();
    }

    /** Whether the engine lets players of this trunk join without a token. */
    public boolean isTrusted()
    {
        return null != session && session.isTrusted();
    }

    /** Round trip of the last answered keepalive in nanoseconds, or 0 before the first. */
    public long roundTripNs()
    {
        return null == session ? 0 : session.roundTripNs();
    }

    /** The engine's time now in nanoseconds, estimated from the last keepalive. */
    public long serverTimeNs()
    {
        return clock.nanoTime() + (null == session ? 0 : session.serverOffsetNs());
    }

    /**
     * Messages of the engine that were dropped: malformed ones, which are dropped with the rest of their batch, and
     * those that the trunk's state or their stream does not allow. 0 unless the two ends disagree on the protocol.
     */
    public long malformedMessages()
    {
        return egress.malformed() + controlAdapter.malformed();
    }

    /** The seats of this trunk's players, in a new list. */
    public Iterable<ClientSeat> seats()
    {
        return seats.all();
    }

    /**
     * Log a player in. The answer is {@link TrunkListener#onLogIn}.
     *
     * @param requestId   echoed in the answer.
     * @param credentials for the engine's log-in service.
     * @return whether it was sent.
     */
    public SendStatus logIn(final long requestId, final byte[] credentials)
    {
        if (credentials.length > TrunkMessages.MAX_LOG_IN_LENGTH)
        {
            return SendStatus.TOO_LONG;
        }
        if (State.UP != state)
        {
            return SendStatus.NOT_READY;
        }
        if (!controlProxy.logIn(requestId, credentials))
        {
            return SendStatus.BACK_PRESSURED;
        }
        controlSender.flush();
        return SendStatus.SENT;
    }

    /**
     * Request a seat. The answer is {@link TrunkListener#onJoined} or {@link TrunkListener#onRefused}.
     *
     * @param requestId  echoed in the answer.
     * @param roomId     the room.
     * @param playerId   the player.
     * @param token      from the player's log-in; empty on a trusted trunk.
     * @param args       buffer with arguments for the room's logic.
     * @param argsOffset of the arguments.
     * @param argsLength of the arguments.
     * @return whether it was queued.
     */
    public SendStatus join(
        final long requestId,
        final long roomId,
        final long playerId,
        final byte[] token,
        final DirectBuffer args,
        final int argsOffset,
        final int argsLength)
    {
        return loopProxy.join(attached(TrunkMessages.loopOf(roomId)),
            requestId, roomId, playerId, token, args, argsOffset, argsLength);
    }

    /**
     * Leave a seat. The answer is {@link TrunkListener#onLeft}.
     *
     * @param seat to leave.
     * @return whether it was queued.
     */
    public SendStatus leave(final ClientSeat seat)
    {
        return loopProxy.leave(attached(seat.loop()), seat);
    }

    /**
     * Send a player's message to its room. It is queued in the batch of the room's loop, which the next
     * {@link #flush()} or {@link #poll()} sends.
     *
     * @param seat   of the player.
     * @param buffer with the message.
     * @param offset of the message.
     * @param length of the message.
     * @return whether it was queued.
     */
    public SendStatus send(final ClientSeat seat, final DirectBuffer buffer, final int offset, final int length)
    {
        return loopProxy.send(attached(seat.loop()), seat, buffer, offset, length);
    }

    /**
     * Send the queued batches.
     *
     * @return whether all were sent; false under back pressure.
     */
    public boolean flush()
    {
        return loops.flush();
    }

    /** End the trunk with a Goodbye, so that the engine frees it at once, and close its streams. */
    @Override
    public void close()
    {
        if (State.UP == state && controlProxy.goodbye())
        {
            flush();
            controlSender.flush();
        }
        abandon();
    }

    /** Close the streams without a Goodbye, as if the connection broke. The trunk can be resumed. */
    public void abandon()
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
        listener.onUp(session.isResumed());
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
        abandon();
        for (final ClientSeat seat : seats.all())
        {
            seat.away();
        }
        listener.onDown(code);
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

    private LoopStream attached(final int loop)
    {
        return State.UP == state ? loops.attached(loop) : null;
    }
}
