package io.escapement.rooms.internal;

/** Ids of a room's nodes in the wheel: its own timers have their slot's number, the engine's have negative ids. */
final class TimerIds
{
    static final int FLUSH = -1;
    static final int REFUSALS = -2;
    static final int EMPTY = -3;
    static final int QUESTIONS = -4;

    /** Node of a timer that is not set. */
    static final int NO_NODE = -1;

    /** Nodes of a room beyond its timers and its seats. */
    static final int EXTRA_NODES = 4;

    private static final int FIRST_SEAT = -5;

    private TimerIds()
    {
    }

    static int ofSeat(final int seatIndex)
    {
        return FIRST_SEAT - seatIndex;
    }

    static int seatIndex(final int id)
    {
        return FIRST_SEAT - id;
    }
}
