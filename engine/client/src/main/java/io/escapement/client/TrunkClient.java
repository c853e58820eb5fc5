package io.escapement.client;

import io.aeron.exceptions.AeronException;
import io.escapement.codecs.Codes;
import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.trunk.JoinDecoder;
import io.escapement.codecs.trunk.TrunkCode;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The client's end of a trunk. It has no thread: one thread calls {@link #poll()} often, and every callback runs inside
 * that call. No method blocks. If a method cannot send, it returns why. Several trunks may share an Aeron client. If
 * its conductor is invoked rather than run in a thread, the caller invokes it in the polling thread, once for all of
 * them.
 *
 * <pre>{@code
 *   while (TrunkClient.State.DOWN != trunk.state() && !isSeatLost && accepted() < LINES)
 *   {
 *       int work = trunk.poll();
 *       line.putLong(0, sent + 1);
 *       if (!hasJoined)
 *       {
 *           hasJoined = SendStatus.SENT == trunk.join(1, roomId, PLAYER_ID, NO_TOKEN, line, 0, 0);
 *       }
 *       else if (null != seat && sent < LINES && SendStatus.SENT == trunk.send(seat, line, 0, Long.BYTES))
 *       {
 *           sent++;
 *           work++;
 *       }
 *       idle.idle(work);
 *   }
 * }</pre>
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
        /** The connection was lost, and the next attempt waits for its time: see {@link TrunkContext#reconnect}. */
        WAITING,
        /** Connected to engines without a known leader: see {@link TrunkContext#member}. */
        STANDBY,
        /** Ended. A new client may resume the trunk with this one's ticket. */
        DOWN
    }

    private static final System.Logger LOGGER = System.getLogger("io.escapement.client");

    private final TrunkContext context;
    private final TrunkListener listener;
    private final NanoClock clock;
    private final ClientSeats seats;
    private final EgressAdapter egress;
    private final LoopProxy loopProxy = new LoopProxy();
    private final TrunkSession.Owner owner = new TrunkSession.Owner()
    {
        @Override
        public void onUp(final Welcome value)
        {
            TrunkClient.this.onUp(value);
        }

        @Override
        public void onDown(final int code, final HandshakeFailure.Progress progress)
        {
            TrunkClient.this.onDown(code, progress);
        }
    };
    /** Null if the trunk is lost with its connection. */
    private final Backoff backoff;
    private final Rejoin rejoin;
    private final EarlyJoins earlyJoins;
    /** Null if messages are not resent. */
    private final Resends resends;
    /** Null if there is one engine. */
    private final Members members;
    private TrunkSession session;
    private State state = State.CONNECTING;
    private ResumeTicket ticket;
    private Welcome welcome;
    private String failure = "";
    private long joins;
    private boolean isPolling;
    /** The engine took no message since the last poll. */
    private boolean hasRefused;
    private long malformed;

    private TrunkClient(final TrunkContext context)
    {
        this.context = context;
        listener = context.listener();
        clock = context.clock();
        seats = context.seats();
        ticket = context.ticket();
        backoff = context.newBackoff();
        rejoin = null == backoff ? null : new Rejoin(seats, this::join);
        earlyJoins = new EarlyJoins(context.connectTimeoutNs(), this::sendJoin, (request, isCancelled) -> refuseJoin(
            request, isCancelled ? RefusalCode.JOIN_CANCELLED : RefusalCode.JOIN_TIMEOUT));
        final Resender kept = context.resender();
        resends = null == kept ? null : new Resends(kept, (seat, sequence, buffer, offset, length) ->
            loopProxy.send(attached(seat.loop()), seat, sequence, buffer, offset, length));
        seats.resender(kept);
        egress = new EgressAdapter(
            seats, listener, rejoin, resends, (seat) -> SendStatus.BACK_PRESSURED != stateLost(seat), clock);
        if (context.isGroup())
        {
            members = new Members(context, egress, new MembersOwner());
        }
        else
        {
            members = null;
            open();
        }
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
     * The duty cycle: receive, send queued messages, advance handshake and keepalive, and reconnect if the context says
     * so.
     *
     * @return the amount of work done.
     */
    public int poll()
    {
        hasRefused = false;
        isPolling = true;
        try
        {
            return null == members ? pollOne() : pollMembers();
        }
        finally
        {
            isPolling = false;
        }
    }

    private int pollOne()
    {
        if (State.WAITING == state)
        {
            if (backoff.isDue(clock.nanoTime()))
            {
                open();
            }
            return 0;
        }
        if (State.DOWN == state)
        {
            return 0;
        }
        final TrunkSession polled = session;
        int work = 1;
        try
        {
            work = polled.poll();
        }
        catch (final AeronException ex)
        {
            if (null == backoff || State.UP == state)
            {
                throw ex;
            }
            // The driver refused a stream, as when it cannot resolve the engine's host now.
            reportFailure(TrunkSession.CONNECTION_LOST, "the media driver refused a stream: " + ex.getMessage());
            polled.onDown(TrunkSession.CONNECTION_LOST);
        }
        if (State.DOWN != polled.state())
        {
            state = polled.state();
        }
        advance();
        return work;
    }

    private int pollMembers()
    {
        if (State.DOWN == state)
        {
            return 0;
        }
        final int work = members.poll();
        if (State.DOWN != state)
        {
            state = members.state();
            advance();
        }
        return work;
    }

    private void advance()
    {
        if (State.UP == state && !earlyJoins.isEmpty())
        {
            earlyJoins.advance(clock.nanoTime());
        }
        if (State.UP == state && null != rejoin && rejoin.isPending())
        {
            rejoin.advance(clock.nanoTime());
        }
        if (State.UP == state && null != resends && resends.isPending())
        {
            resends.advance();
        }
    }

    /** Where the trunk is in its life. */
    public State state()
    {
        return state;
    }

    /**
     * Why the last attempt to connect failed, and what to change: one line, empty before the first failure. It is also
     * logged as a warning of {@code io.escapement.client}, once while it is the same. If an engine stops, or does not
     * know the trunk, and this client reconnects by itself, it is logged as information.
     */
    public String failure()
    {
        return failure;
    }

    /** The ticket to resume this trunk with, or null before the trunk was up. */
    public ResumeTicket ticket()
    {
        return null == welcome ? null : welcome.ticket();
    }

    /** The trunk's id at the engine, or 0 before the trunk was up. */
    public long trunkId()
    {
        return null == welcome ? 0 : welcome.trunkId();
    }

    /** Whether the engine admits players of this trunk without a token. */
    public boolean isTrusted()
    {
        return null != welcome && welcome.isTrusted();
    }

    /** Round trip of the last answered keepalive in nanoseconds, or 0 before the first. */
    public long roundTripNs()
    {
        return null == welcome ? 0 : welcome.roundTripNs();
    }

    /** The engine's time now in nanoseconds, estimated from the last keepalive. */
    public long serverTimeNs()
    {
        return clock.nanoTime() + (null == welcome ? 0 : welcome.serverOffsetNs());
    }

    /**
     * Number of the turn of the message in delivery, within {@link TrunkListener#onRoomMessage} and the callbacks that
     * follow it. With a feed a state and an event of one turn arrive in any order. 0 without a feed, which keeps the
     * order.
     */
    public long turn()
    {
        return egress.turn();
    }

    /** How often packets of a feed were missing. */
    public long feedGaps()
    {
        return egress.feedGaps();
    }

    /** How often a feed that had arrived fell silent. Then states arrived on the trunk. */
    public long feedsLeft()
    {
        return egress.feedsLeft();
    }

    /**
     * Messages of the engine that were dropped: malformed messages, with the rest of their batch, and messages that the
     * trunk's state or their stream does not allow. 0 unless the two ends disagree on the protocol.
     */
    public long malformedMessages()
    {
        return egress.malformed() + malformed +
            (null != members ? members.malformed() : null == session ? 0 : session.malformed());
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
        if (!session.proxy().logIn(requestId, credentials))
        {
            return SendStatus.BACK_PRESSURED;
        }
        session.flushControl();
        return SendStatus.SENT;
    }

    /**
     * Request a seat. The answer is {@link TrunkListener#onJoined} or {@link TrunkListener#onRefused}.
     *
     * <p>The stream of a loop is opened for the first join of any of its rooms. Joins wait for it, even within
     * {@link TrunkListener#onUp}, and are sent in their order. A join that has waited for
     * {@link TrunkContext#connectTimeoutNs} is refused with {@code JOIN_TIMEOUT}. If the trunk is lost before, the join
     * has no answer: a client that reconnects resends it.
     *
     * @param requestId  echoed in the answer.
     * @param roomId     the room.
     * @param playerId   the player.
     * @param token      from the player's log-in. Empty on a trusted trunk.
     * @param args       buffer with arguments for the room's logic.
     * @param argsOffset of the arguments.
     * @param argsLength of the arguments.
     * @return whether it was queued. {@link SendStatus#NO_ROOM} is final: no answer follows.
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
        return join(requestId, roomId, playerId, false, token, args, argsOffset, argsLength);
    }

    /**
     * Request a seat that only watches: it gets the room's states, without events, and cannot send. The answer is the
     * same as for {@link #join}.
     *
     * @param requestId  echoed in the answer.
     * @param roomId     the room.
     * @param playerId   the player.
     * @param token      from the player's log-in. Empty on a trusted trunk.
     * @param args       buffer with arguments for the room's logic.
     * @param argsOffset of the arguments.
     * @param argsLength of the arguments.
     * @return whether it was queued. {@link SendStatus#NO_ROOM} is final: no answer follows.
     */
    public SendStatus watch(
        final long requestId,
        final long roomId,
        final long playerId,
        final byte[] token,
        final DirectBuffer args,
        final int argsOffset,
        final int argsLength)
    {
        return join(requestId, roomId, playerId, true, token, args, argsOffset, argsLength);
    }

    private SendStatus join(
        final long requestId,
        final long roomId,
        final long playerId,
        final boolean isSpectator,
        final byte[] token,
        final DirectBuffer args,
        final int argsOffset,
        final int argsLength)
    {
        final int loop = TrunkMessages.loopOf(roomId);
        final LoopStream stream = attached(loop);
        final SendStatus status = orNoRoom(loop, loopProxy.join(earlyJoins.has(loop) ? null : stream, requestId,
            roomId, playerId, isSpectator, token, args, argsOffset, argsLength));
        final boolean isEarly = SendStatus.NOT_READY == status && State.UP == state;
        if (!isEarly && (SendStatus.SENT != status || null == rejoin))
        {
            return status;
        }
        final UnsafeBuffer copy = new UnsafeBuffer(new byte[argsLength]);
        copy.putBytes(0, args, argsOffset, argsLength);
        final KeptJoin request = new KeptJoin(
            ++joins, requestId, roomId, playerId, isSpectator, token.clone(), copy);
        if (isEarly && !earlyJoins.add(request, clock.nanoTime()))
        {
            return SendStatus.NOT_READY;
        }
        if (null != rejoin)
        {
            rejoin.onJoin(request);
        }
        return SendStatus.SENT;
    }

    /**
     * Withdraw a join that has no answer yet: its room has not decided. {@link TrunkListener#onRefused} follows for the
     * join, with the code {@code JOIN_CANCELLED}. If the withdrawal crossed the decision,
     * {@link TrunkListener#onJoined} follows and then a refusal of this with {@code NOT_JOINED}. A withdrawn join is
     * not resent, even if this is refused because the connection is lost.
     *
     * @param requestId of the join.
     * @param roomId    of the join.
     * @param playerId  of the join.
     * @return whether it was queued.
     */
    public SendStatus cancelJoin(final long requestId, final long roomId, final long playerId)
    {
        final int loop = TrunkMessages.loopOf(roomId);
        final SendStatus status = earlyJoins.cancel(requestId) ? SendStatus.SENT :
            orNoRoom(loop, loopProxy.cancelJoin(attached(loop), requestId, roomId, playerId));
        if (SendStatus.BACK_PRESSURED != status && null != rejoin)
        {
            rejoin.onCancel(requestId);
        }
        return status;
    }

    /**
     * Leave a seat. The answer is {@link TrunkListener#onLeft}.
     *
     * @param seat to leave.
     * @return whether it was queued.
     */
    public SendStatus leave(final ClientSeat seat)
    {
        return leave(seat, 0);
    }

    /**
     * Leave a room for a reason. {@link TrunkListener#onLeft} follows.
     *
     * @param seat to free.
     * @param code for the room's logic: 1 to 65,534, or 0 for no code.
     * @return whether it was queued.
     */
    public SendStatus leave(final ClientSeat seat, final int code)
    {
        if (code < 0 || code > Codes.LAST_CODE)
        {
            throw new IllegalArgumentException("code must be 0 to " + Codes.LAST_CODE + ": " + code);
        }
        return orNoRoom(seat.loop(), loopProxy.leave(attached(seat.loop()), seat, code));
    }

    /**
     * Report that the player's own connection was lost, as in a gateway: the engine holds the seat, and the player's
     * {@link #join} returns to it, through any trunk. The seat does not return when this trunk is resumed. Not answered
     * when it is accepted. {@link TrunkListener#onLeft} follows if the seat is freed, and
     * {@link TrunkListener#onSeatAway} if it moved to another trunk.
     *
     * @param seat that is away from now on, if this is queued.
     * @return whether it was queued.
     */
    public SendStatus away(final ClientSeat seat)
    {
        final SendStatus status = orNoRoom(seat.loop(), loopProxy.away(attached(seat.loop()), seat));
        if (SendStatus.SENT == status)
        {
            egress.away(seat);
            // Joins are not repeated for a player who is not there.
            seat.keptJoin(null);
        }
        return status;
    }

    /**
     * Report that a State was dropped on its way to the player of a seat: its room sends a full state. The engine
     * accepts 4 per second for each seat.
     *
     * @param seat of the player.
     * @return whether it was queued.
     */
    public SendStatus stateLost(final ClientSeat seat)
    {
        return orNoRoom(seat.loop(), loopProxy.stateLost(attached(seat.loop()), seat));
    }

    /**
     * Drop an away seat from this client, for example after it moved to another trunk. No callback names it again,
     * unless its player joins.
     *
     * @param seat that is away.
     */
    public void forget(final ClientSeat seat)
    {
        if (seat.isPresent())
        {
            throw new IllegalStateException("the seat is present: leave it, or put it away");
        }
        seat.keptJoin(null);
        seats.remove(seat);
    }

    /**
     * Send a player's message to its room. It is queued in the batch of the room's loop, which the next
     * {@link #flush()} or {@link #poll()} sends.
     *
     * <p>The engine stops accepting messages from a client that does not take their answers. If this method is refused
     * twice without a poll between, it polls, and callbacks run. Within a callback it does not poll.
     *
     * @param seat   of the player.
     * @param buffer with the message.
     * @param offset of the message.
     * @param length of the message.
     * @return whether it was queued.
     */
    public SendStatus send(final ClientSeat seat, final DirectBuffer buffer, final int offset, final int length)
    {
        final LoopStream stream = attached(seat.loop());
        final SendStatus status =
            null != resends && null != stream && length <= TrunkMessages.MAX_PAYLOAD_LENGTH ?
            resends.send(seat, buffer, offset, length) :
            orNoRoom(seat.loop(), loopProxy.send(stream, seat, buffer, offset, length));
        if (SendStatus.BACK_PRESSURED == status || SendStatus.RESEND_FULL == status)
        {
            onBackPressure();
        }
        return status;
    }

    private void onBackPressure()
    {
        if (hasRefused && !isPolling)
        {
            poll();
        }
        hasRefused = true;
    }

    /**
     * Send the queued batches.
     *
     * @return whether all were sent. False under back pressure.
     */
    public boolean flush()
    {
        final boolean isAll = null == session || session.flush();
        hasRefused &= !isAll;
        return isAll;
    }

    /** End the trunk with a Goodbye, so that the engine frees it at once, and close its streams. */
    @Override
    public void close()
    {
        if (null != members)
        {
            members.close(true);
        }
        else if (State.UP == state)
        {
            session.goodbye();
        }
        abandon();
    }

    /** Close the streams without a Goodbye, as if the connection broke. The trunk can be resumed. */
    public void abandon()
    {
        state = State.DOWN;
        putSeatsAway();
        if (null != members)
        {
            members.close(false);
        }
        else
        {
            CloseHelper.quietClose(session);
        }
    }

    ClientSeats clientSeats()
    {
        return seats;
    }

    /** The messages that the engine has not accepted, or null if they are not kept. */
    Resender resender()
    {
        return null == resends ? null : resends.kept();
    }

    private void onUp(final Welcome value)
    {
        welcome = value;
        ticket = value.ticket();
        state = State.UP;
        if (null != backoff)
        {
            backoff.onSuccess();
            rejoin.onUp(value.isResumed(), clock.nanoTime());
        }
        listener.onUp(value.isResumed());
    }

    private void onDown(final int code, final HandshakeFailure.Progress progress)
    {
        if (State.UP != state && TrunkSession.CONNECTION_LOST != code)
        {
            reportFailure(code, HandshakeFailure.text(code, progress, context, 0));
        }
        putSeatsAway();
        if (null == backoff || isFinal(code))
        {
            state = State.DOWN;
            listener.onDown(code);
            return;
        }
        if (TrunkCode.UNKNOWN_TRUNK.value() == code)
        {
            // The engine restarted, or held the trunk no longer.
            ticket = null;
        }
        state = State.WAITING;
        backoff.onFailure(clock.nanoTime());
        listener.onDisconnected(code);
    }

    private void putSeatsAway()
    {
        earlyJoins.clear();
        for (final ClientSeat seat : seats.all())
        {
            egress.away(seat);
        }
    }

    /** Connecting again would fail in the same way, or take the trunk from the connection that has it now. */
    static boolean isFinal(final int code)
    {
        return TrunkCode.PROTOCOL_VERSION.value() == code || TrunkCode.APPLICATION_VERSION.value() == code ||
            TrunkCode.BAD_CREDENTIALS.value() == code || TrunkCode.REPLACED.value() == code;
    }

    private void open()
    {
        if (null != session)
        {
            malformed += session.malformed();
        }
        try
        {
            session = new TrunkSession(context, ticket, egress, owner);
            state = State.CONNECTING;
        }
        catch (final AeronException ex)
        {
            if (null == backoff)
            {
                throw ex;
            }
            session = null;
            reportFailure(TrunkSession.CONNECTION_LOST, "the media driver refused a stream: " + ex.getMessage());
            onDown(TrunkSession.CONNECTION_LOST, null);
        }
    }

    private void reportFailure(final int code, final String text)
    {
        if (!text.equals(failure))
        {
            failure = text;
            final boolean isNormal = (null != rejoin || null != members) && isOfRestart(code);
            LOGGER.log(isNormal ? System.Logger.Level.INFO : System.Logger.Level.WARNING, text);
        }
    }

    /** Engines that stop, restart or change their leader say so, and the next attempt of this client follows. */
    private static boolean isOfRestart(final int code)
    {
        return TrunkCode.UNKNOWN_TRUNK.value() == code || TrunkCode.ENGINE_STOPPING.value() == code ||
            TrunkCode.NOT_LEADING.value() == code;
    }

    /** Rejoin. After a restart an engine may have fewer loops. */
    private SendStatus join(final KeptJoin request)
    {
        final SendStatus status = sendJoin(request);
        if (SendStatus.NO_ROOM == status)
        {
            refuseJoin(request, RefusalCode.UNKNOWN_ROOM);
        }
        return status;
    }

    private SendStatus sendJoin(final KeptJoin request)
    {
        final int loop = TrunkMessages.loopOf(request.roomId());
        return orNoRoom(loop, loopProxy.join(attached(loop), request.requestId(), request.roomId(),
            request.playerId(), request.isSpectator(), request.token(), request.args(), 0, request.args().capacity()));
    }

    private void refuseJoin(final KeptJoin request, final RefusalCode code)
    {
        egress.onRefused(JoinDecoder.TEMPLATE_ID, request.roomId(), TrunkMessages.NO_SEAT, request.requestId(),
            code.value());
    }

    private SendStatus orNoRoom(final int loop, final SendStatus status)
    {
        return SendStatus.NOT_READY == status && State.UP == state && !session.hasLoop(loop) ?
            SendStatus.NO_ROOM : status;
    }

    private LoopStream attached(final int loop)
    {
        return State.UP == state ? session.attached(loop) : null;
    }

    private final class MembersOwner implements Members.Owner
    {
        @Override
        public ResumeTicket ticket()
        {
            return ticket;
        }

        @Override
        public void onUp(final TrunkSession chosen, final Welcome value)
        {
            session = chosen;
            TrunkClient.this.onUp(value);
        }

        @Override
        public void onLost(final int code)
        {
            session = null;
            putSeatsAway();
            if (isFinal(code))
            {
                onRefused(code);
                return;
            }
            state = State.STANDBY;
            listener.onDisconnected(code);
        }

        @Override
        public void onRefused(final int code)
        {
            abandon();
            listener.onDown(code);
        }

        @Override
        public void onUnknownTrunk()
        {
            ticket = null;
        }

        @Override
        public void onFailure(final int code, final String text)
        {
            reportFailure(code, text);
        }
    }
}
