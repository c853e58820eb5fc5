package io.escapement.rooms.host;

/** What one room has reserved. */
record RoomLimits(int seats, int timers, int output, int requests)
{
    int nodes()
    {
        return seats + timers + RoomInstance.EXTRA_NODES;
    }
}
