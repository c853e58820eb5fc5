package io.escapement.rooms.host;

/** The share of its host that one room has reserved. */
record RoomLimits(int seats, int spectators, int timers, int output, int requests)
{
    /** Seats of players and of spectators. */
    int allSeats()
    {
        return seats + spectators;
    }
}
