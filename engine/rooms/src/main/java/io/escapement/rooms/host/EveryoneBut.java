package io.escapement.rooms.host;

import io.escapement.rooms.Audience;

/** Every seat of a room but one. A seat has one from its first use on, so that handing it out allocates nothing. */
final class EveryoneBut implements Audience
{
    private final SeatState except;

    EveryoneBut(final SeatState except)
    {
        this.except = except;
    }

    SeatState except()
    {
        return except;
    }

    @Override
    public String toString()
    {
        return "everyone but " + except;
    }
}
