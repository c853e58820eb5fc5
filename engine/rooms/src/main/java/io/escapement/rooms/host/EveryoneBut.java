package io.escapement.rooms.host;

import io.escapement.rooms.Audience;

/** Every seat of a room except one. A seat has this object from its first use on: to hand it out does not allocate. */
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
