package io.escapement.rooms.host;

import io.escapement.codecs.room.OpenRoomDecoder;
import io.escapement.rooms.RoomType;

/** What a command to open a room asks for, held against what the room's type allows. */
final class OpenLimits
{
    private static final int INVALID = -1;

    private OpenLimits()
    {
    }

    /** The limits, or null when one is over the type's or below zero. */
    static RoomLimits of(final OpenRoomDecoder command, final RoomType type)
    {
        final int seats = pick(command.seatLimit(), type.seats());
        final int timers = pick(command.timerLimit(), type.timers());
        final int output = pick(command.outputLimit(), type.outputLimit());
        final int asked = command.requestLimit();
        final int requests = OpenRoomDecoder.requestLimitNullValue() == asked ? type.requests() :
            pick(asked, type.requests());
        return INVALID == seats || INVALID == timers || INVALID == output || INVALID == requests ?
            null : new RoomLimits(seats, timers, output, requests);
    }

    private static int pick(final int asked, final int allowed)
    {
        if (0 == asked)
        {
            return allowed;
        }
        return asked < 0 || asked > allowed ? INVALID : asked;
    }
}
