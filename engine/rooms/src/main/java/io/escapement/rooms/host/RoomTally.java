package io.escapement.rooms.host;

/** Counts of a room for operators. They are not state: a restored room begins again. */
final class RoomTally
{
    /** Time of the host when the room was opened or restored. */
    final long openedNs;
    /** Commands to the room that were refused. */
    private long refusals;
    /** States that were dropped on their way to a seat. */
    private long statesLost;

    RoomTally(final long openedNs)
    {
        this.openedNs = openedNs;
    }

    long refusals()
    {
        return refusals;
    }

    void refused()
    {
        refusals++;
    }

    long statesLost()
    {
        return statesLost;
    }

    void stateLost()
    {
        statesLost++;
    }
}
