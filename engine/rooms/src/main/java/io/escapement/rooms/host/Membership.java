package io.escapement.rooms.host;

import io.escapement.codecs.room.RefusalCode;
import io.escapement.rooms.AwayReason;
import io.escapement.rooms.LeaveReason;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import io.escapement.rooms.internal.timers.TimerWheel;
import org.agrona.DirectBuffer;

/**
 * Moves the seats of a room through their states: free, reserved, joining, present, away, leaving, free again. The
 * room's output is flushed before each change, so that a message reaches the players who were seated when it was sent.
 * Closes a room that was empty for as long as its type or its logic allows.
 */
final class Membership
{
    private static final int NONE = 0;

    private final RoomInstance room;
    private final SeatTable seats;
    private final OutputProxy proxy;
    private final RoomServices services;
    final WaitingJoins joins;
    /** Whether the logic took or freed a seat in its callback, which the directory learns when it has returned. */
    private boolean isOccupancyChanged;
    /** How long the room may be empty; NEVER if it may be so for ever. */
    private long emptyDelayNs;
    private int emptyNode = EngineTimer.NO_NODE;

    Membership(final RoomInstance room)
    {
        this.room = room;
        seats = room.seats;
        services = room.services;
        proxy = services.proxy;
        emptyDelayNs = room.type().closeWhenEmptyNs();
        joins = new WaitingJoins(room.identity, seats, this, room.invoker, services);
    }

    /**
     * Request a seat for a player without a seat, or with only a reservation. Returns 0, {@link RoomLogic#LATER}, or
     * the code of the refusal.
     */
    int request(
        final SeatState reserved,
        final long playerId,
        final int link,
        final DirectBuffer args,
        final int offset,
        final int length)
    {
        final int refusal = refusalOfNewPlayer(reserved);
        if (NONE != refusal)
        {
            return refusal;
        }

        if (joins.isFull())
        {
            return RefusalCode.JOIN_LIMIT.value();
        }

        final JoinRequestView request =
            services.joinRequest.begin(room.identity, joins.nextId(), playerId, services.links.trunkId(link));
        final int answer = room.invoker.joinRequest(request, args, offset, length);
        request.end();
        return room.isOpen() && !room.isCloseRequested() ? answer : RefusalCode.UNKNOWN_ROOM.value();
    }

    /** Give a player the seat that was requested. */
    int sit(final long playerId, final long requestId, final int link)
    {
        // The logic may have reserved or released this seat or others since the request.
        final SeatState reserved = seats.ofPlayer(playerId);
        if (null == reserved && 0 == seats.freeCount())
        {
            return RefusalCode.ROOM_FULL.value();
        }
        sit(null == reserved ? seats.take(playerId, SeatState.PRESENT) : reserved, requestId, link,
            services.joinRequest.answer(), 0, services.joinRequest.answerLength());
        return NONE;
    }

    /** Request a spectator's seat for a player without a seat. Returns 0 or the code of the refusal. */
    int requestToWatch(final long playerId, final DirectBuffer args, final int offset, final int length)
    {
        if (services.isDraining())
        {
            return RefusalCode.DRAINING.value();
        }
        if (0 == seats.freeToWatch())
        {
            return RefusalCode.ROOM_FULL.value();
        }
        final int answer = room.invoker.watchRequest(playerId, args, offset, length);
        return room.isOpen() && !room.isCloseRequested() ? answer : RefusalCode.UNKNOWN_ROOM.value();
    }

    /** Give a player the spectator's seat that was requested, unless the logic has reserved it another since. */
    int sitToWatch(final long playerId, final long requestId, final int link)
    {
        if (null != seats.ofPlayer(playerId))
        {
            return RefusalCode.ALREADY_JOINED.value();
        }
        sit(seats.takeToWatch(playerId), requestId, link,
            services.joinRequest.answer(), 0, 0);
        return NONE;
    }

    /** Reserve a seat, or give a reservation another time. {@link #publishOccupancy} must follow. */
    int reserve(final long playerId, final long ttlNs)
    {
        SeatState seat = seats.ofPlayer(playerId);
        if (null == seat)
        {
            if (services.isDraining())
            {
                return RefusalCode.DRAINING.value();
            }
            if (isLocked())
            {
                return RefusalCode.ROOM_LOCKED.value();
            }
            if (0 == seats.freeCount())
            {
                return RefusalCode.ROOM_FULL.value();
            }
            seat = seats.take(playerId, SeatState.RESERVED);
            isOccupancyChanged = true;
        }
        else if (seat.isJoining())
        {
            joins.reserve(seat, services.time.deadlineIn(ttlNs));
            return NONE;
        }
        else if (!seat.isReserved())
        {
            return RefusalCode.ALREADY_JOINED.value();
        }

        cancelTimer(seat);
        setTimer(seat, ttlNs);
        return NONE;
    }

    /** End a reservation. {@link #publishOccupancy} must follow. */
    int release(final long playerId)
    {
        final SeatState seat = seats.ofPlayer(playerId);
        if (null != seat && seat.isJoining() && joins.release(seat))
        {
            return NONE;
        }
        if (null == seat || !seat.isReserved())
        {
            return RefusalCode.NOT_RESERVED.value();
        }
        cancelTimer(seat);
        seats.free(seat);
        isOccupancyChanged = true;
        return NONE;
    }

    /** Publish what reservations have changed. */
    void publishOccupancy()
    {
        if (isOccupancyChanged)
        {
            occupancyChanged();
        }
    }

    void occupancyChanged()
    {
        isOccupancyChanged = false;
        proxy.occupancy(room.roomId(), seats.occupied());
        updateEmptyTimer();
    }

    void away(final SeatState seat, final AwayReason reason)
    {
        putAway(seat, reason);
        holdOrFree(seat);
    }

    /** The player's own connection was lost, while its trunk is up. */
    void awayAlone(final SeatState seat)
    {
        room.output.flush();
        seats.removePresent(seat);
        seat.goAwayAlone();
        room.invoker.away(seat);
        holdOrFree(seat);
    }

    /** A trunk was resumed, but a player's own connection is lost: the seat stays away, and its end is reported. */
    void follow(final SeatState seat, final int link)
    {
        services.links.remove(seat);
        services.links.add(seat, link);
    }

    /** Notify the logic of a seat that went away because it misses an event. */
    void notifyAway(final SeatState seat)
    {
        room.invoker.away(seat);
        holdOrFree(seat);
    }

    private void holdOrFree(final SeatState seat)
    {
        // If the logic closed the room or kicked the player in onAway, it gets that, not the end of a grace.
        if (room.isOpen() && !room.isCloseRequested() && seat.isAway() && !seat.isKicked())
        {
            if (0 == room.type().graceNs())
            {
                leave(seat, LeaveReason.GRACE_EXPIRED);
            }
            else
            {
                setTimer(seat, room.type().graceNs());
            }
        }
    }

    void leave(final SeatState seat, final LeaveReason reason)
    {
        leave(seat, reason, NONE);
    }

    void leave(final SeatState seat, final LeaveReason reason, final int code)
    {
        room.output.flush();
        if (seat.isPresent())
        {
            seats.removePresent(seat);
        }
        cancelTimer(seat);
        seat.state(SeatState.LEAVING);
        seats.left(seat);
        room.invoker.leave(seat, reason, code);
        if (room.isOpen())
        {
            if (services.links.isUp(seat.link()))
            {
                proxy.left(seat.link(), room.roomId(), seat, reason, code);
            }
            freeSeat(seat);
            if (!seat.isSpectator())
            {
                occupancyChanged();
            }
        }
    }

    void timerDue(final SeatState seat)
    {
        seat.timerNode(EngineTimer.NO_NODE);
        if (seat.isAway())
        {
            leave(seat, LeaveReason.GRACE_EXPIRED);
        }
        else if (seat.isJoining())
        {
            joins.end(seat, RefusalCode.JOIN_TIMEOUT.value());
        }
        else
        {
            seats.free(seat);
            occupancyChanged();
        }
    }

    void cancelTimer(final SeatState seat)
    {
        if (EngineTimer.NO_NODE != seat.timerNode())
        {
            services.wheel.cancel(seat.timerNode());
            seat.timerNode(EngineTimer.NO_NODE);
        }
    }

    /** The trunk of the player was resumed. */
    void resume(final SeatState seat, final int link)
    {
        room.output.flush();
        back(seat, link);
        proxy.resumed(link, room.roomId(), seat);
        room.invoker.back(seat);
    }

    private void back(final SeatState seat, final int link)
    {
        cancelTimer(seat);
        services.links.remove(seat);
        seat.state(SeatState.PRESENT);
        services.links.add(seat, link);
        seats.addPresent(seat, link);
    }

    void setTimer(final SeatState seat, final long delayNs)
    {
        seat.timerNode(services.wheel.schedule(services.time.deadlineIn(delayNs), services.time.nowNs(),
            room.slot(), EngineTimer.ofSeat(seat.index())));
    }

    /** Whether the room takes no new players: its logic or an operator has locked it, or all rooms of its type. */
    boolean isLocked()
    {
        return room.isLocked() || room.isLockedByOperator() || services.typeLocks.isLocked(room.type());
    }

    private int refusalOfNewPlayer(final SeatState reserved)
    {
        if (services.isDraining())
        {
            return RefusalCode.DRAINING.value();
        }
        if (null != reserved)
        {
            return NONE;
        }
        if (isLocked())
        {
            return RefusalCode.ROOM_LOCKED.value();
        }
        if (RoomType.Admission.BY_RESERVATION == room.type().admission())
        {
            return RefusalCode.NOT_RESERVED.value();
        }
        return (0 == seats.freeCount() ? RefusalCode.ROOM_FULL : RefusalCode.NONE).value();
    }

    void sit(
        final SeatState seat,
        final long requestId,
        final int link,
        final DirectBuffer answer,
        final int answerOffset,
        final int answerLength)
    {
        room.output.flush();
        cancelTimer(seat);
        seat.state(SeatState.PRESENT);
        seats.seated(seat);
        services.links.add(seat, link);
        seats.addPresent(seat, link);
        proxy.joined(link, requestId, room.roomId(), seat, answer, answerOffset, answerLength);
        if (!seat.isSpectator())
        {
            occupancyChanged();
        }
        room.invoker.join(seat);
    }

    /** Free the link of a player who returns before the loss of the link was noticed. */
    int prepareReturn(final SeatState seat, final int link)
    {
        if (seat.isPresent())
        {
            if (seat.link() == link)
            {
                return RefusalCode.ALREADY_JOINED.value();
            }
            putAway(seat, AwayReason.MOVED);
            if (!room.isOpen())
            {
                return RefusalCode.ROOM_FAILED.value();
            }
        }
        return NONE;
    }

    /** Give an away player its seat back, unless the logic kicked it since. */
    int returnTo(final SeatState seat, final long playerId, final long requestId, final int link)
    {
        if (!seat.isAway() || seat.playerId() != playerId)
        {
            return RefusalCode.NOT_JOINED.value();
        }

        room.output.flush();
        if (seat.isAwayAlone() && seat.link() != link && services.links.isUp(seat.link()))
        {
            // Its last trunk holds the seat for the player until it learns of its end.
            proxy.away(seat.link(), room.roomId(), seat, AwayReason.MOVED);
        }
        back(seat, link);
        proxy.joined(link, requestId, room.roomId(), seat, services.scratch, 0, 0);
        room.invoker.back(seat);
        return NONE;
    }

    private void putAway(final SeatState seat, final AwayReason reason)
    {
        room.output.flush();
        seats.removePresent(seat);
        seat.goAway();
        if (AwayReason.LINK_DOWN != reason)
        {
            proxy.away(seat.link(), room.roomId(), seat, reason);
        }
        room.invoker.away(seat);
    }

    private void freeSeat(final SeatState seat)
    {
        services.links.remove(seat);
        room.groups().removeSeat(seat.index());
        seats.free(seat);
    }

    // The timer of a room that is empty

    /** The logic has set another delay. It starts now if the room is empty. NEVER for no delay. */
    void closeWhenEmpty(final long delayNs)
    {
        cancelEmptyTimer();
        emptyDelayNs = delayNs;
        updateEmptyTimer();
    }

    /** The room was opened, or a seat was taken, reserved or freed. */
    void updateEmptyTimer()
    {
        if (RoomType.NEVER == emptyDelayNs || seats.isEmpty() == (EngineTimer.NO_NODE != emptyNode))
        {
            return;
        }
        if (seats.isEmpty())
        {
            emptyNode = services.wheel.schedule(
                services.time.deadlineIn(emptyDelayNs), services.time.nowNs(), room.slot(), EngineTimer.EMPTY.id());
        }
        else
        {
            cancelEmptyTimer();
        }
    }

    /** The time is over. Returns whether the room must close. */
    boolean onEmptyTimer()
    {
        emptyNode = EngineTimer.NO_NODE;
        return RoomType.NEVER != emptyDelayNs && seats.isEmpty();
    }

    void cancelEmptyTimer()
    {
        if (EngineTimer.NO_NODE != emptyNode)
        {
            services.wheel.cancel(emptyNode);
            emptyNode = EngineTimer.NO_NODE;
        }
    }

    /** Write the delay and the timer: to a snapshot both, to a hash only if the room has them. */
    void writeEmptyTimer(final StateWriter writer, final TimerWheel wheel, final boolean isSnapshot)
    {
        final boolean isOfLogic = emptyDelayNs != room.type().closeWhenEmptyNs();
        if (isSnapshot || isOfLogic)
        {
            writer.putLong(emptyDelayNs);
        }
        if (isSnapshot || isOfLogic || RoomType.NEVER != emptyDelayNs)
        {
            NodeState.write(writer, wheel, emptyNode, isSnapshot);
        }
    }

    void readEmptyTimer(final StateReader reader, final NodeState.Restorer nodes)
    {
        emptyDelayNs = reader.getLong();
        Restored.check(RoomType.NEVER == emptyDelayNs || emptyDelayNs > 0, "the delay of an empty room");
        nodes.read(reader, EngineTimer.EMPTY.id());
    }

    void restoredEmptyTimer(final int node)
    {
        emptyNode = node;
    }
}
