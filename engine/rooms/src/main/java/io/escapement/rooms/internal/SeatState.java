package io.escapement.rooms.internal;

import io.escapement.rooms.Seat;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import io.escapement.rooms.internal.timers.TimerWheel;

/** A seat as its host keeps it. One object for the life of the room. */
final class SeatState implements Seat
{
    static final int FREE = 0;
    static final int RESERVED = 1;
    static final int PRESENT = 2;
    static final int AWAY = 3;
    static final int LEAVING = 4;
    static final int NO_LINK = -1;

    private final RoomIdentity room;
    private final LinkTable links;
    private final int index;
    private final EveryoneBut everyoneElse = new EveryoneBut(this);
    private int generation = 1;
    private int state = FREE;
    private int link = NO_LINK;
    private int timerNode = TimerIds.NO_NODE;
    private long playerId;
    private long lastSequence;
    private boolean isKicked;
    private boolean hasLostEvent;
    private boolean hasLostState;
    private SeatState nextOnLink;
    private SeatState previousOnLink;

    SeatState(final RoomIdentity room, final int index, final LinkTable links)
    {
        this.room = room;
        this.index = index;
        this.links = links;
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
        return NO_LINK == link ? NO_TRUNK : links.trunkId(link);
    }

    @Override
    public boolean isPresent()
    {
        return PRESENT == state;
    }

    RoomIdentity room()
    {
        return room;
    }

    EveryoneBut everyoneElse()
    {
        return everyoneElse;
    }

    int state()
    {
        return state;
    }

    void state(final int value)
    {
        state = value;
    }

    /** Taken by a player who joined and has not begun to leave. */
    boolean isTaken()
    {
        return PRESENT == state || AWAY == state;
    }

    boolean isFree()
    {
        return FREE == state;
    }

    boolean isReserved()
    {
        return RESERVED == state;
    }

    boolean isAway()
    {
        return AWAY == state;
    }

    /** Index in the low 32 bits, generation in the high. */
    long selector()
    {
        return ((long)generation << 32) | index;
    }

    long lastSequence()
    {
        return lastSequence;
    }

    void accept(final long sequence)
    {
        lastSequence = sequence;
    }

    void reserveFor(final long player, final int newState)
    {
        playerId = player;
        state = newState;
    }

    void free()
    {
        state = FREE;
        // A seat's generation is never 0, so a handle of all zeros is never valid.
        generation = Math.max(1, generation + 1);
        playerId = 0;
        lastSequence = 0;
        isKicked = false;
        hasLostEvent = false;
        hasLostState = false;
    }

    void goAway()
    {
        state = AWAY;
        hasLostEvent = false;
        hasLostState = false;
    }

    void kick()
    {
        isKicked = true;
    }

    /** Whether the logic kicked the player since the last call. */
    boolean takeKicked()
    {
        final boolean wasKicked = isKicked;
        isKicked = false;
        return wasKicked;
    }

    void loseEvent()
    {
        hasLostEvent = true;
    }

    /** Whether an event to the seat was lost since the last call. */
    boolean takeLostEvent()
    {
        final boolean wasLost = hasLostEvent;
        hasLostEvent = false;
        return wasLost;
    }

    void loseState()
    {
        hasLostState = true;
    }

    /** Whether a state to the seat was lost since the last call. */
    boolean takeLostState()
    {
        final boolean wasLost = hasLostState;
        hasLostState = false;
        return wasLost;
    }

    int timerNode()
    {
        return timerNode;
    }

    void timerNode(final int node)
    {
        timerNode = node;
    }

    // The seats of a link are a list through the seats.

    int link()
    {
        return link;
    }

    SeatState nextOnLink()
    {
        return nextOnLink;
    }

    void linkBefore(final int newLink, final SeatState head)
    {
        link = newLink;
        previousOnLink = null;
        nextOnLink = head;
        if (null != head)
        {
            head.previousOnLink = this;
        }
    }

    /** Leave the link's list, and return the list's new head if this seat was the head. */
    SeatState unlink(final SeatState head)
    {
        final SeatState next = nextOnLink;
        if (null != previousOnLink)
        {
            previousOnLink.nextOnLink = next;
        }
        if (null != next)
        {
            next.previousOnLink = previousOnLink;
        }
        nextOnLink = null;
        previousOnLink = null;
        link = NO_LINK;
        return head == this ? next : head;
    }

    void write(final StateWriter writer, final TimerWheel wheel, final boolean isSnapshot)
    {
        writer.putInt(generation);
        writer.putInt(state);
        if (FREE != state)
        {
            writer.putLong(playerId);
            writer.putInt(link);
            writer.putLong(lastSequence);
            writer.putBoolean(hasLostState);
            NodeState.write(writer, wheel, timerNode, isSnapshot);
        }
    }

    void read(final StateReader reader, final NodeState.Restorer nodes)
    {
        generation = reader.getInt();
        state = reader.getInt();
        if (FREE != state)
        {
            playerId = reader.getLong();
            link = reader.getInt();
            lastSequence = reader.getLong();
            hasLostState = reader.getBoolean();
            nodes.read(reader, TimerIds.ofSeat(index));
        }
    }

    @Override
    public String toString()
    {
        return "seat " + index + "/" + generation + " of player " + playerId;
    }
}
