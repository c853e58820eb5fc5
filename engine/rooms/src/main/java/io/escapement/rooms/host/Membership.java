package io.escapement.rooms.host;

import io.escapement.codecs.room.RefusalCode;
import io.escapement.rooms.AwayReason;
import io.escapement.rooms.LeaveReason;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import org.agrona.DirectBuffer;

/**
 * How players come to their seats and leave them: free, reserved, present, away, and round again. What the room sent is
 * flushed before each change of who sits where, so that a message reaches those who were there when it was sent.
 */
final class Membership
{
    private final RoomInstance room;
    private final SeatTable seats;
    private final RoomHost host;

    Membership(final RoomInstance room, final SeatTable seats, final RoomHost host)
    {
        this.room = room;
        this.seats = seats;
        this.host = host;
    }

    long lookAhead()
    {
        return null == host ? 1 : 0;
    }

    int join(
        final long playerId,
        final long requestId,
        final int link,
        final DirectBuffer args,
        final int offset,
        final int length)
    {
        final SeatState seat = seats.ofPlayer(playerId);
        if (null != seat && seat.isTaken())
        {
            return returnTo(seat, requestId, link);
        }

        final int refusal = refusalOfNewPlayer(seat);
        if (RefusalCode.NONE.value() != refusal)
        {
            return refusal;
        }

        final int answer = room.calls.joinRequest(playerId, args, offset, length);
        if (!room.isOpen() || room.isCloseAsked())
        {
            return RefusalCode.UNKNOWN_ROOM.value();
        }
        if (RoomLogic.ACCEPT != answer)
        {
            return answer;
        }

        sit(null == seat ? seats.take(playerId, SeatState.PRESENT) : seat, requestId, link);
        return RefusalCode.NONE.value();
    }

    int reserve(final long playerId, final long ttlNs)
    {
        SeatState seat = seats.ofPlayer(playerId);
        if (null == seat)
        {
            if (host.isDraining())
            {
                return RefusalCode.DRAINING.value();
            }
            if (room.isLocked)
            {
                return RefusalCode.ROOM_LOCKED.value();
            }
            if (0 == seats.freeCount())
            {
                return RefusalCode.ROOM_FULL.value();
            }
            seat = seats.take(playerId, SeatState.RESERVED);
            room.outputs.occupancy(room.roomId(), seats.occupied());
        }
        else if (SeatState.RESERVED != seat.state)
        {
            return RefusalCode.ALREADY_JOINED.value();
        }

        cancelTimer(seat);
        setTimer(seat, ttlNs);
        return RefusalCode.NONE.value();
    }

    int check(final SeatState seat, final int generation, final int link)
    {
        if (null == seat || seat.generation != generation || SeatState.FREE == seat.state)
        {
            return RefusalCode.STALE_SEAT.value();
        }
        if (seat.link != link)
        {
            return RefusalCode.FOREIGN_SEAT.value();
        }
        return (SeatState.PRESENT == seat.state ? RefusalCode.NONE : RefusalCode.SEAT_AWAY).value();
    }

    void away(final SeatState seat, final AwayReason reason)
    {
        putAway(seat, reason);
        if (room.isOpen() && SeatState.AWAY == seat.state)
        {
            if (0 == room.type.graceNs())
            {
                leave(seat, LeaveReason.GRACE_EXPIRED);
            }
            else
            {
                setTimer(seat, room.type.graceNs());
            }
        }
    }

    void leave(final SeatState seat, final LeaveReason reason)
    {
        room.flush();
        if (SeatState.PRESENT == seat.state)
        {
            seats.removePresent(seat.link);
        }
        cancelTimer(seat);
        seat.state = SeatState.LEAVING;
        room.calls.leave(seat, reason);
        if (room.isOpen())
        {
            if (host.links.isUp(seat.link))
            {
                room.outputs.left(seat.link, room.roomId(), seat, reason);
            }
            freeSeat(seat);
            room.outputs.occupancy(room.roomId(), seats.occupied());
        }
    }

    void timerDue(final SeatState seat)
    {
        seat.node = SeatState.NO_NODE;
        if (SeatState.AWAY == seat.state)
        {
            leave(seat, LeaveReason.GRACE_EXPIRED);
        }
        else
        {
            seats.free(seat);
            room.outputs.occupancy(room.roomId(), seats.occupied());
        }
    }

    void cancelTimer(final SeatState seat)
    {
        if (SeatState.NO_NODE != seat.node)
        {
            host.wheel.cancel(seat.node);
            seat.node = SeatState.NO_NODE;
        }
    }

    void back(final SeatState seat, final int link)
    {
        cancelTimer(seat);
        host.links.remove(seat);
        seat.state = SeatState.PRESENT;
        host.links.add(seat, link);
        seats.addPresent(link);
    }

    private void setTimer(final SeatState seat, final long delayNs)
    {
        seat.node = host.wheel.schedule(
            host.deadlineIn(delayNs), host.nowNs(), room.slot(), RoomInstance.seatTimerId(seat.index));
    }

    private int refusalOfNewPlayer(final SeatState reserved)
    {
        if (host.isDraining())
        {
            return RefusalCode.DRAINING.value();
        }
        if (null != reserved)
        {
            return RefusalCode.NONE.value();
        }
        if (room.isLocked)
        {
            return RefusalCode.ROOM_LOCKED.value();
        }
        if (RoomType.Admission.BY_RESERVATION == room.type.admission())
        {
            return RefusalCode.NOT_RESERVED.value();
        }
        return (0 == seats.freeCount() ? RefusalCode.ROOM_FULL : RefusalCode.NONE).value();
    }

    private void sit(final SeatState seat, final long requestId, final int link)
    {
        room.flush();
        cancelTimer(seat);
        seat.state = SeatState.PRESENT;
        seats.seated();
        host.links.add(seat, link);
        seats.addPresent(link);
        tellJoined(seat, requestId, link);
        room.outputs.occupancy(room.roomId(), seats.occupied());
        room.calls.join(seat);
    }

    private int returnTo(final SeatState seat, final long requestId, final int link)
    {
        if (SeatState.PRESENT == seat.state)
        {
            if (seat.link == link)
            {
                return RefusalCode.ALREADY_JOINED.value();
            }
            // The player came in by another door before the loss of the first was noticed.
            putAway(seat, AwayReason.MOVED);
            if (!room.isOpen())
            {
                return RefusalCode.ROOM_FAILED.value();
            }
        }

        room.flush();
        back(seat, link);
        tellJoined(seat, requestId, link);
        room.calls.back(seat);
        return RefusalCode.NONE.value();
    }

    private void tellJoined(final SeatState seat, final long requestId, final int link)
    {
        room.outputs.joined(link, requestId, room.roomId(), seat);
    }

    private void putAway(final SeatState seat, final AwayReason reason)
    {
        room.flush();
        seats.removePresent(seat.link);
        seat.state = SeatState.AWAY;
        seat.hasLostEvent = false;
        seat.hasLostState = false;
        if (AwayReason.LINK_DOWN != reason)
        {
            room.outputs.away(seat.link, room.roomId(), seat, reason);
        }
        room.calls.away(seat);
    }

    private void freeSeat(final SeatState seat)
    {
        host.links.remove(seat);
        for (int i = 0; i < room.groupCount; i++)
        {
            room.groups[i].drop(seat.index);
        }
        seats.free(seat);
    }
}
