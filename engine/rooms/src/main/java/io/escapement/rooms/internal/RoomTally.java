package io.escapement.rooms.internal;

/** Counts of a room for operators. They are not state: a restored room begins again. */
final class RoomTally
{
    /** Time of the host when the room was opened or restored. */
    final long openedNs;
    /** Commands to the room that were refused. */
    long refusals;
    /** States that were dropped on their way to a seat. */
    long statesLost;

    RoomTally(final long openedNs)
    {
        this.openedNs = openedNs;
    }
}
