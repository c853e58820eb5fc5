package io.escapement.rooms.host;

import io.escapement.rooms.Seat;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import io.escapement.rooms.internal.timers.TimerWheel;

/**
 * A seat as its host keeps it, for one player. Once it is free after a player it stays free, and the table has the
 * {@link #successor} in its place. A Seat that a logic kept cannot reach the next player. The check for a stale seat
 * reads only its state, which is read anyway.
 */
final class SeatState implements Seat
{
    static final byte FREE = 0;
    static final byte RESERVED = 1;
    static final byte PRESENT = 2;
    static final byte AWAY = 3;
    static final byte LEAVING = 4;
    /** Away because its player's own connection was lost: it does not return when its trunk is resumed. */
    static final byte AWAY_ALONE = 5;
    /** Held for the player of a join that waits for the decision of the logic. */
    static final byte JOINING = 6;
    static final int NO_LINK = -1;

    /** No player gets it: a next one would repeat the first, and make handles of old players valid again. */
    private static final int USED_UP = Integer.MAX_VALUE;

    /** All that a seat has of its room. A seat fills one cache line. */
    private final SeatTable table;
    private final int index;
    private final boolean isSpectator;
    private byte state = FREE;
    private int generation;
    private int link = NO_LINK;
    private int timerNode = EngineTimer.NO_NODE;
    private int leaveCode;
    private long playerId;
    private long lastSequence;
    private SeatState nextOnLink;
    private SeatState previousOnLink;

    SeatState(final SeatTable table, final int index, final int generation)
    {
        this.table = table;
        this.index = index;
        this.generation = generation;
        isSpectator = index >= table.room.limits().seats();
    }

    /** The seat of the next player in the same place. */
    SeatState successor()
    {
        return new SeatState(table, index, generation + 1);
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
        return NO_LINK == link ? NO_TRUNK : table.linkTable.trunkId(link);
    }

    @Override
    public boolean isPresent()
    {
        return PRESENT == state;
    }

    @Override
    public boolean isSpectator()
    {
        return isSpectator;
    }

    RoomIdentity room()
    {
        return table.room;
    }

    void state(final byte value)
    {
        state = value;
        table.mark(isSpectator ? SeatMarks.WATCHING : SeatMarks.PRESENT, index, PRESENT == value);
        table.mark(SeatMarks.RESERVED, index, RESERVED == value || JOINING == value);
    }

    /** Taken by a player who joined and is not leaving. */
    boolean isTaken()
    {
        return PRESENT == state || isAway();
    }

    /** Without a player: not taken yet, or its player has left. */
    boolean isFree()
    {
        return FREE == state;
    }

    /** Whether the place has had as many players as there are generations, and gets no other. */
    boolean isUsedUp()
    {
        return USED_UP == generation;
    }

    boolean isReserved()
    {
        return RESERVED == state;
    }

    boolean isJoining()
    {
        return JOINING == state;
    }

    /** Kept for a player who has not joined yet. */
    boolean isKept()
    {
        return RESERVED == state || JOINING == state;
    }

    boolean isAway()
    {
        return AWAY == state || AWAY_ALONE == state;
    }

    /** Away without its trunk, and thus not back with it. */
    boolean isAwayAlone()
    {
        return AWAY_ALONE == state;
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

    void reserveFor(final long player, final byte newState)
    {
        playerId = player;
        state(newState);
    }

    void free()
    {
        state(FREE);
        table.mark(SeatMarks.KICKED, index, false);
        forgetLosses();
    }

    /** Go away because of a lost event. The logic is notified once its callback has returned. */
    void goAwayUnnoticed()
    {
        state(AWAY);
        table.mark(SeatMarks.LOST_STATE, index, false);
    }

    void goAway()
    {
        state(AWAY);
        forgetLosses();
    }

    void goAwayAlone()
    {
        state(AWAY_ALONE);
        forgetLosses();
    }

    private void forgetLosses()
    {
        table.mark(SeatMarks.LOST_EVENT, index, false);
        table.mark(SeatMarks.LOST_STATE, index, false);
    }

    /** Kick the player once the callback has returned, with a code of the application or 0. */
    void kick(final int code)
    {
        leaveCode = code;
        table.mark(SeatMarks.KICKED, index, true);
    }

    /** The code with which the logic kicked the player. */
    int leaveCode()
    {
        return leaveCode;
    }

    boolean isKicked()
    {
        return table.isMarked(SeatMarks.KICKED, index);
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
            writer.putBoolean(table.isMarked(SeatMarks.LOST_STATE, index));
            NodeState.write(writer, wheel, timerNode, isSnapshot);
        }
    }

    void read(final StateReader reader, final NodeState.Restorer nodes)
    {
        generation = Restored.inRange(reader.getInt(), 1, USED_UP, "a generation");
        final byte restored =
            (byte)Restored.inRange(reader.getInt(), FREE, isUsedUp() ? FREE : JOINING, "the state of a seat");
        Restored.check(LEAVING != restored, "the state of a seat");
        state(restored);
        if (FREE != state)
        {
            playerId = reader.getLong();
            link = reader.getInt();
            lastSequence = reader.getLong();
            table.mark(SeatMarks.LOST_STATE, index, reader.getBoolean());
            // A timer ends a reservation, a waiting join and a player's absence.
            Restored.check(nodes.read(reader, EngineTimer.ofSeat(index)) == !isPresent(), "the timer of " + this);
            Restored.check(isReserved() ? NO_LINK == link :
                isPresent() || isJoining() ? table.linkTable.isUp(link) :
                    NO_LINK == link || table.linkTable.isInRange(link),
                "the link of " + this);
        }
    }

    @Override
    public String toString()
    {
        return "seat " + index + "/" + generation + " of player " + playerId;
    }
}
