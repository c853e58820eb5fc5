package io.escapement.rooms.host;

import io.escapement.codecs.room.OpenRoomDecoder;
import io.escapement.rooms.RoomType;

/** The share of its host that one room has reserved. */
record RoomLimits(int seats, int spectators, int timers, int output, int requests)
{
    private static final int INVALID = -1;

    /** The limits that a command requests, or null if a limit is above the type's or below zero. */
    static RoomLimits of(final OpenRoomDecoder command, final RoomType type)
    {
        final int seats = pick(command.seatLimit(), type.seats());
        final int timers = pick(command.timerLimit(), type.timers());
        final int output = pick(command.outputLimit(), type.outputLimit());
        final int requested = command.requestLimit();
        final int requests = OpenRoomDecoder.requestLimitNullValue() == requested ? type.requests() :
            pick(requested, type.requests());
        return INVALID == seats || INVALID == timers || INVALID == output || INVALID == requests ?
            null : new RoomLimits(seats, type.spectators(), timers, output, requests);
    }

    private static int pick(final int requested, final int allowed)
    {
        if (0 == requested)
        {
            return allowed;
        }
        return requested < 0 || requested > allowed ? INVALID : requested;
    }

    /** Seats of players and of spectators. */
    int allSeats()
    {
        return seats + spectators;
    }
}
