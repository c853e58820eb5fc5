package io.escapement.rooms.host;

import io.escapement.rooms.Seat;

/** A seat with everything the host knows of it. One object for the life of the room. */
final class SeatState implements Seat
{
    static final int FREE = 0;
    static final int RESERVED = 1;
    static final int PRESENT = 2;
    static final int AWAY = 3;
    static final int LEAVING = 4;
    static final int NO_LINK = -1;
    static final int NO_NODE = -1;

    final RoomInstance room;
    final int index;
    final EveryoneBut everyoneElse = new EveryoneBut(this);
    int generation = 1;
    int state = FREE;
    int link = NO_LINK;
    int node = NO_NODE;
    long playerId;
    long lastSequence;
    boolean isKicked;
    boolean hasLostEvent;
    boolean hasLostState;
    SeatState nextOnLink;
    SeatState previousOnLink;

    SeatState(final RoomInstance room, final int index)
    {
        this.room = room;
        this.index = index;
    }

    @Override
    public int index()
    {
        return index;
    }

    @Override
    public int generation()
    {
        return generation;
    }

    @Override
    public long playerId()
    {
        return playerId;
    }

    @Override
    public long trunkId()
    {
        return NO_LINK == link ? NO_TRUNK : room.host.links.trunkId(link);
    }

    @Override
    public boolean isPresent()
    {
        return PRESENT == state;
    }

    /** Taken by a player who joined and whose leave has not begun. */
    boolean isTaken()
    {
        return PRESENT == state || AWAY == state;
    }

    long selector()
    {
        return ((long)generation << 32) | index;
    }

    @Override
    public String toString()
    {
        return "seat " + index + "/" + generation + " of player " + playerId;
    }
}
