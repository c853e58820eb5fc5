package io.escapement.rooms.internal;

import io.escapement.codecs.room.RefusalCode;
import io.escapement.rooms.RoomLogic;
import org.agrona.DirectBuffer;

/** The steps that a host takes with a room for players who want a seat. */
final class JoinSteps
{
    /** The room. */
    interface Owner extends Spectators.Owner
    {
        /** Settle once the callback has returned. */
        void requestSettling();
    }

    private static final int NONE = 0;
    private static final int UNKNOWN_ROOM = RefusalCode.UNKNOWN_ROOM.value();

    private final Owner room;
    private final SeatTable seats;
    private final Membership membership;
    private final WaitingJoins waiting;

    JoinSteps(final Owner room, final SeatTable seats, final Membership membership)
    {
        this.room = room;
        this.seats = seats;
        this.membership = membership;
        waiting = membership.joins();
    }

    /** Returns 0 for a join that was accepted or waits, otherwise the code of the refusal. */
    int join(
        final long playerId,
        final long requestId,
        final int link,
        final boolean isSpectator,
        final DirectBuffer args,
        final int offset,
        final int length)
    {
        if (isSpectator)
        {
            return Spectators.join(room, membership, playerId, requestId, link, args, offset, length);
        }
        final int refusal = Spectators.yield(room, membership, playerId);
        if (NONE != refusal)
        {
            return refusal;
        }
        final SeatState known = seats.ofPlayer(playerId);
        if (null != known && known.isJoining())
        {
            if (known.link() == link)
            {
                return RefusalCode.JOIN_WAITS.value();
            }
            end(known, RefusalCode.JOIN_CANCELLED.value());
            if (!room.isOpen())
            {
                return UNKNOWN_ROOM;
            }
        }

        final SeatState seat = seats.ofPlayer(playerId);
        final boolean isReturn = null != seat && seat.isTaken();
        int code = isReturn ?
            membership.prepareReturn(seat, link) : membership.request(seat, playerId, link, args, offset, length);
        if (RoomLogic.LATER == code)
        {
            code = waiting.begin(playerId, requestId, link);
            room.settle();
            return code;
        }
        // Kicks and a close that the logic requested are done before the player takes a seat.
        room.settle();
        if (NONE == code)
        {
            code = !room.isOpen() ? UNKNOWN_ROOM : isReturn ?
                membership.returnTo(seat, playerId, requestId, link) : membership.sit(playerId, requestId, link);
            room.settle();
        }
        return code;
    }

    /** A player withdraws a join that waits. Returns 0, or the code of the refusal. */
    int cancel(final long playerId, final long requestId, final int link)
    {
        final SeatState seat = seats.ofPlayer(playerId);
        if (null == seat || !seat.isJoining() || seat.link() != link || !waiting.isRequest(seat, requestId))
        {
            return RefusalCode.NOT_JOINED.value();
        }
        end(seat, RefusalCode.JOIN_CANCELLED.value());
        return NONE;
    }

    // Decisions of the logic; false for a join that does not wait for one

    boolean admit(final long joinId, final DirectBuffer answer, final int offset, final int length)
    {
        room.requestSettling();
        return waiting.admit(joinId, answer, offset, length);
    }

    boolean refuse(final long joinId, final int code)
    {
        room.requestSettling();
        return waiting.refuse(joinId, code);
    }

    /** Refuse all joins that wait. */
    void refuseAll(final int code)
    {
        SeatState seat = waiting.first();
        while (null != seat && room.isOpen())
        {
            end(seat, code);
            seat = waiting.first();
        }
    }

    private void end(final SeatState seat, final int code)
    {
        waiting.end(seat, code);
        room.settle();
    }
}
