package io.escapement.rooms.internal;

/** The share of its host that one room has reserved. */
record RoomLimits(int seats, int timers, int output, int requests)
{
}
