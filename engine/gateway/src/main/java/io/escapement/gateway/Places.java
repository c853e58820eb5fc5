package io.escapement.gateway;

import io.escapement.client.SendStatus;
import io.escapement.codecs.player.GatewayCode;
import io.escapement.codecs.player.JoinDecoder;
import io.escapement.codecs.player.LeaveDecoder;
import io.escapement.codecs.player.MessageDecoder;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.trunk.AwayDecoder;
import io.escapement.codecs.trunk.CancelJoinDecoder;
import io.escapement.codecs.trunk.SendDecoder;
import io.escapement.codecs.trunk.TrunkCode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The places of all sessions of a worker: joins, seats, and the orders to the engine that its trunk has not taken yet.
 */
final class Places
{
    /** The engine accepts four per second for each seat. */
    private static final long STATE_LOST_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(250);
    /** Ordinal of the engine's {@code AwayReason.LINK_DOWN}. */
    private static final int LINK_DOWN = 0;
    /** Ordinals of the engine's {@code LeaveReason}. */
    private static final int GRACE_EXPIRED = 2;
    private static final int ROOM_CLOSED = 3;
    private static final int NO_CODE = 0;

    private final Sessions sessions;
    private final GatewayLimits limits;
    private final GatewayCounters counters;
    private final Long2ObjectHashMap<Place> placeByRequestMap = new Long2ObjectHashMap<>();
    private final Long2ObjectHashMap<Int2ObjectHashMap<Place>> placesByRoomMap = new Long2ObjectHashMap<>();
    private final ArrayDeque<Place> orders = new ArrayDeque<>();
    /** Places with a sent join, in the order of their deadlines. */
    private final ArrayDeque<Place> asked = new ArrayDeque<>();
    private final ArrayList<Place> withLostState = new ArrayList<>();
    private final Partings partings = new Partings();
    /** Has the seats of sessions that are over until the engine has put them away. */
    private final PlayerSession nobody = new PlayerSession();
    private Upstream upstream;
    private long lastRequestId;
    private int seats;

    Places(final Sessions sessions)
    {
        this.sessions = sessions;
        limits = sessions.limits();
        counters = sessions.counters();
        nobody.isOver = true;
    }

    void upstream(final Upstream value)
    {
        upstream = value;
    }

    /** Seats that are taken or held. */
    int seats()
    {
        return seats;
    }

    // Orders of sessions

    void join(
        final PlayerSession session,
        final Place known,
        final long requestId,
        final long roomId,
        final boolean isSpectator,
        final UnsafeBuffer args)
    {
        final Place place = null == known ? new Place(session, roomId) : known;
        if (null == known)
        {
            session.places.add(place);
        }
        place.requestId = requestId;
        place.isSpectator = isSpectator;
        place.args = args;
        place.isReturning = false;
        place.isJoinRepeated = false;
        order(place);
    }

    private void order(final Place place)
    {
        place.state = Place.State.JOINING;
        place.joinDeadlineNs = sessions.nowNs() + limits.requestNs();
        place.hasJoinToSend = true;
        list(place);
    }

    void leave(final Place place, final int code)
    {
        place.leaveCode = code;
        place.isLeaving = true;
        place.hasLeaveToSend = true;
        list(place);
    }

    /** The player leaves before its join was answered. The room may be deciding on it. */
    void cancel(final Place place)
    {
        if (place.hasJoinToSend)
        {
            refuseJoin(place, RefusalCode.JOIN_CANCELLED.value());
        }
        else
        {
            place.isCancelled = true;
            place.hasCancelToSend = true;
            list(place);
        }
    }

    /**
     * Withdraw a join if its player no longer waits for it. If the trunk has no space for that, the join expires by the
     * room's time limit.
     */
    private void withdraw(final Place place)
    {
        if (!place.hasJoinToSend && isWaiting(place))
        {
            upstream.cancelJoin(place.trunkRequestId, place.roomId, place.session.playerId);
        }
    }

    /** The player's connection is lost: the engine holds its seats. */
    void detach(final PlayerSession session)
    {
        for (int i = session.places.size() - 1; i >= 0; i--)
        {
            final Place place = session.places.get(i);
            final boolean isUnsent = place.hasJoinToSend;
            place.hasJoinToSend = false;
            place.hasLostState = false;
            if (Place.State.SEATED == place.state)
            {
                hold(place);
            }
            else if (isUnsent && null != place.seat)
            {
                place.state = Place.State.HELD;
            }
            else if (isUnsent && place.isReturning)
            {
                gone(place, false, GRACE_EXPIRED, NO_CODE);
            }
            else if (isUnsent)
            {
                remove(place);
            }
        }
    }

    private void hold(final Place place)
    {
        place.state = Place.State.HELD;
        if (place.seat.isPresent())
        {
            place.hasAwayToSend = true;
            list(place);
        }
    }

    /** The session has a connection: return to the seats that are held for it. */
    void attach(final PlayerSession session)
    {
        for (int i = 0; i < session.places.size(); i++)
        {
            final Place place = session.places.get(i);
            if (place.isGone)
            {
                sendGone(place, session.connection);
                i--;
            }
            else if (Place.State.HELD == place.state && !place.isLeaving)
            {
                comeBack(place);
            }
        }
    }

    /** The player has no seat any more. A player without a connection gets the message with the next connection. */
    private void gone(final Place place, final boolean hasMoved, final int reason, final int code)
    {
        place.hasMoved = hasMoved;
        place.goneReason = reason;
        place.goneCode = code;
        if (null != place.session.connection || place.session.isOver)
        {
            sendGone(place, place.session.connection);
        }
        else
        {
            seat(place, null);
            placeByRequestMap.remove(place.trunkRequestId);
            place.state = Place.State.HELD;
            place.isGone = true;
        }
    }

    private void sendGone(final Place place, final PlayerConnection connection)
    {
        if (null != connection && place.hasMoved)
        {
            sessions.proxy().seatAway(connection, place.roomId, place.goneReason);
        }
        else if (null != connection)
        {
            sessions.proxy().left(connection, place.roomId, place.goneReason, place.goneCode);
        }
        remove(place);
    }

    private void comeBack(final Place place)
    {
        place.requestId = 0;
        place.isReturning = true;
        place.noArgs();
        order(place);
    }

    /** The session is over. */
    void end(final PlayerSession session)
    {
        for (int i = session.places.size() - 1; i >= 0; i--)
        {
            final Place place = session.places.get(i);
            withdraw(place);
            place.hasJoinToSend = false;
            if (Place.State.SEATED == place.state && !place.hasLeaveToSend)
            {
                hold(place);
            }
            if (!place.hasOrders())
            {
                part(place, sessions.nowNs());
            }
        }
    }

    /** Every seat is void. */
    void forgetAll()
    {
        for (final PlayerSession session : sessions.all())
        {
            for (int i = session.places.size() - 1; i >= 0; i--)
            {
                remove(session.places.get(i));
            }
        }
        while (!orders.isEmpty())
        {
            final Place place = orders.remove();
            place.isListed = false;
            remove(place);
        }
        for (Place parted = partings.poll(); null != parted; parted = partings.poll())
        {
            remove(parted);
        }
    }

    private void list(final Place place)
    {
        if (!place.isListed)
        {
            place.isListed = true;
            orders.add(place);
        }
    }

    /** Send the orders that the trunk takes. */
    int advance(final long nowNs)
    {
        int work = 0;
        for (int i = orders.size(); i > 0; i--)
        {
            final Place place = orders.remove();
            if (place.hasAwayToSend &&
                isDone(place.seat.isPresent() || place.isAwayRefused ? upstream.away(place.seat) : null))
            {
                place.hasAwayToSend = false;
                place.isAwayRefused = false;
                place.sent(nowNs + limits.requestNs());
                work++;
            }
            if (!place.hasAwayToSend && place.hasLeaveToSend &&
                isDone(place.seat.isPresent() ? upstream.leave(place.seat, place.leaveCode) : null))
            {
                place.hasLeaveToSend = false;
                place.sent(nowNs + limits.requestNs());
                work++;
            }
            if (place.hasCancelToSend &&
                isDone(upstream.cancelJoin(place.trunkRequestId, place.roomId, place.session.playerId)))
            {
                place.hasCancelToSend = false;
                work++;
            }
            if (!place.hasAwayToSend && place.hasJoinToSend)
            {
                work += tryJoin(place, nowNs);
            }
            place.isListed = false;
            if (place.hasOrders())
            {
                list(place);
            }
            else if (place.session.isOver)
            {
                part(place, nowNs);
            }
        }
        return work;
    }

    private void part(final Place place, final long nowNs)
    {
        if (!partings.add(place, nowNs))
        {
            remove(place);
        }
    }

    /** If its seat is not present any more, an order needs no message. Null means that. */
    private static boolean isDone(final SendStatus status)
    {
        return null == status || SendStatus.SENT == status || SendStatus.NO_ROOM == status;
    }

    private int tryJoin(final Place place, final long nowNs)
    {
        final long requestId = lastRequestId + 1;
        final SendStatus status = upstream.join(requestId, place.roomId, place.session.playerId,
            place.isSpectator, place.session.playerToken, place.args, place.args.capacity());
        switch (status)
        {
            case SENT ->
            {
                lastRequestId = requestId;
                placeByRequestMap.remove(place.trunkRequestId);
                place.trunkRequestId = requestId;
                placeByRequestMap.put(requestId, place);
                place.joinDeadlineNs = nowNs + limits.requestNs();
                asked.add(place);
                place.hasJoinToSend = false;
                return 1;
            }
            case NO_ROOM -> refuseJoin(place, RefusalCode.UNKNOWN_ROOM.value());
            default ->
            {
                if (nowNs - place.joinDeadlineNs >= 0)
                {
                    refuseJoin(place, GatewayCode.ENGINE_UNREACHABLE.value());
                }
            }
        }
        return 0;
    }

    /** A join failed: the player gets Refused, or Left for a seat that it had. */
    private void refuseJoin(final Place place, final int code)
    {
        place.hasJoinToSend = false;
        if (place.isReturning)
        {
            gone(place, false, RefusalCode.UNKNOWN_ROOM.value() == code ? ROOM_CLOSED : GRACE_EXPIRED, NO_CODE);
            return;
        }
        sessions.refuse(place.session.connection, place.roomId, place.requestId, JoinDecoder.TEMPLATE_ID, code);
        remove(place);
    }

    private void remove(final Place place)
    {
        place.session.places.remove(place);
        placeByRequestMap.remove(place.trunkRequestId);
        place.hasJoinToSend = false;
        place.hasCancelToSend = false;
        place.hasLostState = false;
        seat(place, null);
    }

    /** Give a place another seat, or null. */
    private void seat(final Place place, final TrunkSeat seat)
    {
        final TrunkSeat last = place.seat;
        if (null != last)
        {
            seats--;
            // The seat of another player has the index if this one was freed while the trunk was lost.
            final Int2ObjectHashMap<Place> room = placesByRoomMap.get(place.roomId);
            if (place == placeOf(place.roomId, last.index()))
            {
                room.remove(last.index());
                if (room.isEmpty())
                {
                    placesByRoomMap.remove(place.roomId);
                }
            }
            last.place(null);
            if (last != seat && !last.isPresent())
            {
                upstream.forget(last);
            }
        }
        place.seat = seat;
        if (null == seat)
        {
            // Orders for the last seat are not for a next one.
            place.hasAwayToSend = false;
            place.isAwayRefused = false;
            place.hasLeaveToSend = false;
            place.hasSent = false;
            place.isLeaving = false;
        }
        else
        {
            seats++;
            seat.place(place);
            placesByRoomMap.computeIfAbsent(place.roomId, (roomId) -> new Int2ObjectHashMap<>())
                .put(seat.index(), place);
        }
    }

    // The trunk

    void onTrunkDown()
    {
        for (final Place place : orders)
        {
            // The seat is away with its trunk. If the trunk is resumed, the seat returns and is reported away then.
            place.hasAwayToSend = false;
        }
        for (final PlayerSession session : sessions.all())
        {
            session.places.forEach(this::loseLeave);
        }
    }

    /** The answer to the Leave of a seat that is away may be lost. Only a join shows whether the seat is held. */
    private void loseLeave(final Place place)
    {
        if (Place.State.HELD == place.state && place.isLeaving)
        {
            place.hasLeaveToSend = false;
            final int code = GatewayCode.ENGINE_UNREACHABLE.value();
            sessions.refuse(place.session.connection, place.roomId, 0, LeaveDecoder.TEMPLATE_ID, code);
            onLeaveRefused(place, code);
        }
    }

    void onJoined(
        final long requestId, final TrunkSeat seat, final DirectBuffer answer, final int offset, final int length)
    {
        final Place asked = placeByRequestMap.get(requestId);
        if (null == asked)
        {
            putAway(seat);
            return;
        }
        final Place other = seat.place();
        if (null != other && other != asked)
        {
            remove(other);
        }
        if (asked.isCancelled)
        {
            // The player left when the room had decided.
            refuseJoin(asked, RefusalCode.JOIN_CANCELLED.value());
            final Place left = new Place(nobody, seat.roomId());
            seat(left, seat);
            leave(left, NO_CODE);
            return;
        }
        final boolean isSame = asked.seat == seat;
        seat(asked, seat);
        if (asked.isLeaving)
        {
            // Its Leave, or the answer, was lost with the trunk, which has rejoined.
            leave(asked, asked.leaveCode);
            return;
        }
        asked.firstSequence = seat.sequence();
        final PlayerConnection connection = asked.session.connection;
        if (null == connection)
        {
            hold(asked);
            return;
        }
        final boolean isAsked = Place.State.JOINING == asked.state;
        asked.state = Place.State.SEATED;
        sessions.proxy().joined(connection, isAsked ? asked.requestId : 0, asked.roomId, seat.playerId(), seat.index(),
            isSame, asked.isSpectator, answer, offset, length);
        asked.isReturning = false;
    }

    /** This seat has no player here. The engine holds it until its player returns, perhaps elsewhere. */
    private void putAway(final TrunkSeat seat)
    {
        final Place place = new Place(nobody, seat.roomId());
        seat(place, seat);
        hold(place);
    }

    void onSeatResumed(final TrunkSeat seat)
    {
        final Place place = seat.place();
        if (null == place)
        {
            putAway(seat);
        }
        else if (place.isLeaving)
        {
            // Its Leave was lost with the trunk.
            leave(place, place.leaveCode);
        }
        else if (null == place.session.connection)
        {
            hold(place);
        }
        else if (Place.State.JOINING == place.state)
        {
            // The trunk was lost before it took the Away of a session that was resumed at once.
            place.hasAwayToSend = true;
            list(place);
        }
    }

    void onSeatAway(final TrunkSeat seat, final int reason, final boolean hasMoved)
    {
        final Place place = seat.place();
        if (null == place)
        {
            upstream.forget(seat);
            return;
        }
        if (LINK_DOWN == reason)
        {
            // The stream of a loop is reconnected, and the seat returns with it.
            return;
        }
        if (hasMoved)
        {
            gone(place, true, reason, NO_CODE);
            return;
        }
        if (null != place.session.connection)
        {
            sessions.proxy().seatAway(place.session.connection, place.roomId, reason);
        }
        if (Place.State.SEATED == place.state)
        {
            place.state = Place.State.AWAY;
        }
    }

    void onLeft(final TrunkSeat seat, final int reason, final int code)
    {
        final Place place = seat.place();
        if (null == place)
        {
            return;
        }
        if (Place.State.JOINING == place.state)
        {
            // The seat was freed before the engine handled the join, which asks for a new seat then.
            seat(place, null);
            return;
        }
        gone(place, false, reason, code);
    }

    void onRefused(
        final int templateId, final long roomId, final int seatIndex, final long reference, final int code)
    {
        switch (templateId)
        {
            case io.escapement.codecs.trunk.JoinDecoder.TEMPLATE_ID ->
            {
                final Place place = placeByRequestMap.get(reference);
                if (null != place && !place.hasJoinToSend)
                {
                    onJoinRefused(place, code);
                }
            }
            case SendDecoder.TEMPLATE_ID -> refuse(roomId, seatIndex, reference, MessageDecoder.TEMPLATE_ID, code);
            case io.escapement.codecs.trunk.LeaveDecoder.TEMPLATE_ID ->
            {
                refuse(roomId, seatIndex, 0, LeaveDecoder.TEMPLATE_ID, code);
                onLeaveRefused(placeOf(roomId, seatIndex), code);
            }
            case CancelJoinDecoder.TEMPLATE_ID ->
            {
                final Place place = placeByRequestMap.get(reference);
                if (null != place && place.isCancelled)
                {
                    onCancelRefused(place, code);
                }
            }
            case AwayDecoder.TEMPLATE_ID ->
            {
                final Place place = placeOf(roomId, seatIndex);
                if (null != place && TrunkCode.RATE_LIMITED.value() == code && Place.State.HELD == place.state)
                {
                    repeatAway(place);
                }
            }
            default ->
            {
                // A state that the engine does not count as lost, or a batch of another version. It is not awaited.
            }
        }
    }

    private void repeatAway(final Place place)
    {
        place.isAwayRefused = true;
        place.hasAwayToSend = true;
        list(place);
    }

    private void onLeaveRefused(final Place place, final int code)
    {
        if (null != place && place.session.isOver && TrunkCode.RATE_LIMITED.value() == code)
        {
            place.hasLeaveToSend = true;
            list(place);
        }
        else if (null != place)
        {
            place.isLeaving = false;
            if (Place.State.HELD == place.state && null != place.session.connection)
            {
                comeBack(place);
            }
        }
    }

    /** Otherwise the join has no answer any more, because answers arrive in the order of the requests. */
    private void onCancelRefused(final Place place, final int code)
    {
        if (TrunkCode.RATE_LIMITED.value() == code)
        {
            place.hasCancelToSend = true;
            list(place);
        }
        else
        {
            refuseJoin(place, RefusalCode.JOIN_CANCELLED.value());
        }
    }

    private void onJoinRefused(final Place place, final int code)
    {
        if (Place.State.JOINING != place.state && null != place.seat && place.seat.isPresent())
        {
            // The trunk repeated a join that was answered after all.
            return;
        }
        if (RefusalCode.ALREADY_JOINED.value() == code && null != place.seat && Place.State.JOINING == place.state)
        {
            // The seat returned with the trunk. The player needs a full state, which only its return brings.
            repeatAway(place);
            order(place);
        }
        else if (RefusalCode.ALREADY_JOINED.value() == code && !place.isJoinRepeated && isWaiting(place))
        {
            // So did the seat of the player's last session, which is put away: this one takes it along.
            place.isJoinRepeated = true;
            order(place);
        }
        else
        {
            refuseJoin(place, code);
        }
    }

    private void refuse(
        final long roomId, final int seatIndex, final long sequence, final int templateId, final int code)
    {
        final Place place = placeOf(roomId, seatIndex);
        if (null != place && null != place.session.connection)
        {
            sessions.refuse(place.session.connection, roomId,
                0 == sequence ? 0 : sequence - place.firstSequence, templateId, code);
        }
    }

    private Place placeOf(final long roomId, final int seatIndex)
    {
        final Int2ObjectHashMap<Place> room = placesByRoomMap.get(roomId);
        return null == room ? null : room.get(seatIndex);
    }

    // Lost states

    void onStateDropped(final Place place)
    {
        if (!place.hasLostState)
        {
            place.hasLostState = true;
            withLostState.add(place);
        }
    }

    /** Give up joins without an answer, and places of sessions that are over, then ask for full states. */
    void tick(final long nowNs)
    {
        while (!asked.isEmpty() &&
            (!isWaiting(asked.peek()) || nowNs - asked.peek().joinDeadlineNs >= 0))
        {
            final Place place = asked.remove();
            if (isWaiting(place) && nowNs - place.joinDeadlineNs >= 0)
            {
                withdraw(place);
                refuseJoin(place, GatewayCode.ENGINE_UNREACHABLE.value());
            }
        }
        for (Place parted = partings.poll(nowNs); null != parted; parted = partings.poll(nowNs))
        {
            remove(parted);
        }
        reportLostStates(nowNs);
    }

    private boolean isWaiting(final Place place)
    {
        return Place.State.JOINING == place.state && placeByRequestMap.get(place.trunkRequestId) == place;
    }

    /** Ask for a full state for each player if the player's machine has taken all queued bytes. */
    private void reportLostStates(final long nowNs)
    {
        for (int i = withLostState.size() - 1; i >= 0; i--)
        {
            final Place place = withLostState.get(i);
            if (place.hasLostState && Place.State.SEATED == place.state && null != place.session.connection)
            {
                if (nowNs - place.stateLostDueNs < 0 || !place.session.connection.isDrained() ||
                    SendStatus.SENT != upstream.stateLost(place.seat))
                {
                    continue;
                }
                place.stateLostDueNs = nowNs + STATE_LOST_INTERVAL_NS;
                counters.increment(GatewayCounter.STATE_LOST_SENT);
            }
            place.hasLostState = false;
            withLostState.remove(i);
        }
    }
}
