package io.escapement.rooms.host;

import io.escapement.rooms.output.Outputs;

/**
 * Sets of a room's seats, one bit per seat. A message to all seats that had no space marks them by words, and later
 * steps visit only the marked seats. A walk over all seats for each message or kick would take minutes in a large room.
 * After the sets, the same array has the ids of the players if the room has few seats.
 */
class SeatMarks
{
    static final int PRESENT = 0;
    /** The logic kicked the player. */
    static final int KICKED = 1;
    /** An event to the seat had no space. */
    static final int LOST_EVENT = 2;
    /** A state to the seat had no space. */
    static final int LOST_STATE = 3;

    /** The seat is kept for a player who has not joined yet. */
    static final int RESERVED = 4;
    /** The seat has a spectator who is present. Only states go to it. */
    static final int WATCHING = 5;
    /** Up to as many seats, a walk over the ids of players is faster than a map, and has two cache lines. */
    static final int WALKED = 32;

    private static final int SETS = 6;
    private static final int NONE = -1;

    /** Of each set. */
    private final int words;
    private final long[] bits;

    SeatMarks(final int seatLimit)
    {
        words = (seatLimit + Long.SIZE - 1) / Long.SIZE;
        bits = new long[words * SETS + (seatLimit <= WALKED ? seatLimit : 0)];
    }

    /** The last player of a seat, in a room of few seats. */
    long playerId(final int index)
    {
        return bits[SETS + index];
    }

    void playerId(final int index, final long playerId)
    {
        bits[SETS + index] = playerId;
    }

    boolean isMarked(final int set, final int index)
    {
        return 0 != (bits[set * words + (index >>> 6)] & (1L << index));
    }

    void mark(final int set, final int index, final boolean isMember)
    {
        final int word = set * words + (index >>> 6);
        bits[word] = isMember ? bits[word] | 1L << index : bits[word] & ~(1L << index);
    }

    int countMarked(final int set)
    {
        int count = 0;
        for (int word = 0; word < words; word++)
        {
            count += Long.bitCount(bits[set * words + word]);
        }
        return count;
    }

    /** Remove a seat from a set. Whether it was in it. */
    boolean takeMark(final int set, final int index)
    {
        final boolean wasMember = isMarked(set, index);
        mark(set, index, false);
        return wasMember;
    }

    /** Add the present seats of an audience that miss a message to a set. Returns whether there is any. */
    boolean markPresent(final int set, final int audience, final long selector)
    {
        final boolean isAny = markPresent(PRESENT, set, audience, selector);
        return LOST_STATE == set ? markPresent(WATCHING, set, audience, selector) | isAny : isAny;
    }

    private boolean markPresent(final int from, final int set, final int audience, final long selector)
    {
        switch (audience)
        {
            case Outputs.ALL:
                return markAll(from, set);
            case Outputs.ALL_EXCEPT:
                return markAllBut(from, set, (int)selector);
            case Outputs.MASK:
                return markOf(from, 0, selector, set);
            case Outputs.ONE:
                return markOf(from, (int)selector >>> 6, 1L << selector, set);
            default:
                throw new IllegalStateException("no such audience: " + audience);
        }
    }

    private boolean markOf(final int from, final int word, final long mask, final int set)
    {
        final long present = bits[from * words + word] & mask;
        bits[set * words + word] |= present;
        return 0 != present;
    }

    private boolean markAll(final int from, final int set)
    {
        boolean isAny = false;
        for (int word = 0; word < words; word++)
        {
            isAny |= markOf(from, word, -1L, set);
        }
        return isAny;
    }

    private boolean markAllBut(final int from, final int set, final int index)
    {
        final boolean wasIn = takeMark(from, index);
        final boolean isAny = markAll(from, set);
        mark(from, index, wasIn);
        return isAny;
    }

    /** The first seat of two sets from an index on, or -1. */
    int nextMarked(final int setA, final int setB, final int from)
    {
        int word = from >>> 6;
        if (word >= words)
        {
            return NONE;
        }

        long rest = (bits[setA * words + word] | bits[setB * words + word]) & (-1L << from);
        while (0 == rest)
        {
            if (++word == words)
            {
                return NONE;
            }
            rest = bits[setA * words + word] | bits[setB * words + word];
        }
        return (word << 6) + Long.numberOfTrailingZeros(rest);
    }
}
