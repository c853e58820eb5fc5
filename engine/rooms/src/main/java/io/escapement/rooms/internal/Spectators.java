package io.escapement.rooms.internal;

import io.escapement.codecs.room.RefusalCode;
import io.escapement.rooms.LeaveReason;
import org.agrona.DirectBuffer;

/** Joins of spectators, and of players who were spectators. A player has one seat in a room, of either kind. */
final class Spectators
{
    private static final int NONE = RefusalCode.NONE.value();
    private static final int ALREADY_JOINED = RefusalCode.ALREADY_JOINED.value();

    /** The room, which does what its logic requested in a callback. */
    interface Owner
    {
        boolean isOpen();

        void settle();
    }

    private Spectators()
    {
    }

    /** A player wants to watch, or returns to the seat from which it does; returns 0 or the code of the refusal. */
    static int join(
        final Owner room,
        final Membership membership,
        final long playerId,
        final long requestId,
        final int link,
        final DirectBuffer args,
        final int offset,
        final int length)
    {
        final SeatState seat = membership.seats().ofPlayer(playerId);
        int code = ALREADY_JOINED;
        if (null == seat)
        {
            code = membership.requestToWatch(playerId, args, offset, length);
        }
        else if (seat.isSpectator())
        {
            code = membership.prepareReturn(seat, link);
        }
        room.settle();
        if (NONE == code)
        {
            code = !room.isOpen() ? RefusalCode.UNKNOWN_ROOM.value() :
                null == seat ? membership.sitToWatch(playerId, requestId, link) :
                membership.returnTo(seat, playerId, requestId, link);
            room.settle();
        }
        return code;
    }

    /** A player who may be a spectator wants to play: a spectator who is away leaves, another has to leave first. */
    static int yield(final Owner room, final Membership membership, final long playerId)
    {
        final SeatState seat = membership.seats().ofPlayer(playerId);
        if (null == seat || !seat.isSpectator())
        {
            return NONE;
        }
        if (!seat.isAway())
        {
            return ALREADY_JOINED;
        }
        membership.leave(seat, LeaveReason.LEFT);
        room.settle();
        return room.isOpen() ? NONE : RefusalCode.UNKNOWN_ROOM.value();
    }
}
