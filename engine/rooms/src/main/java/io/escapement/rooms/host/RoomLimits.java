package io.escapement.rooms.host;

/** What one room has reserved of its host. */
record RoomLimits(int seats, int timers, int output, int requests)
{
}
