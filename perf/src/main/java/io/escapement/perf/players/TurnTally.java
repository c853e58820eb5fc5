package io.escapement.perf.players;

import java.util.concurrent.atomic.AtomicLong;

/**
 * What the turns of a loop held, told by its rooms in the loop's thread. For turns in which frames were found to be
 * missed it keeps what the turn before had held, since that is what kept the loop from them.
 */
final class TurnTally
{
    /** The first of a run say what there is to say. */
    static final int KEPT = 32;
    /** Of a turn in which frames were missed: when, as of {@link System#nanoTime()}. */
    static final int AT_NS = 0;
    /** How many room-frames were missed. */
    static final int MISSED = 1;
    /** From the beginning of the turn before to that of this one. */
    static final int GAP_NS = 2;
    /** Of that, how long the driver was invoked for. */
    static final int DRIVER_NS = 3;
    /** Moves that the turn before held. */
    static final int MOVES = 4;
    /** Room-frames that the turn before held. */
    static final int FRAMES = 5;

    static final int FIELDS = 6;

    private final DriverShare driver;
    private final AtomicLong states = new AtomicLong();
    private final AtomicLong turns = new AtomicLong();
    private final long[] kept = new long[KEPT * FIELDS];
    private long turnNs = -1;
    private long turnDriverNs;
    private long gapNs;
    private long gapDriverNs;
    private long moves;
    private long frames;
    private long movesBefore;
    private long framesBefore;
    private long missedTurnNs = -1;

    TurnTally(final DriverShare driver)
    {
        this.driver = driver;
    }

    void move(final long nowNs)
    {
        turn(nowNs);
        moves++;
    }

    void frame(final long nowNs, final long missed, final boolean isCounted)
    {
        turn(nowNs);
        frames++;
        if (0 != missed && isCounted)
        {
            missed(missed);
        }
    }

    /** States that count, once for each player that they are for. */
    void states(final int players)
    {
        states.lazySet(states.get() + players);
    }

    long states()
    {
        return states.get();
    }

    /** Turns in which frames were found to be missed, more than are kept perhaps. */
    long missedTurns()
    {
        return turns.get();
    }

    /** A field of a turn that is kept. */
    long kept(final int turn, final int field)
    {
        return kept[turn * FIELDS + field];
    }

    private void turn(final long nowNs)
    {
        if (nowNs == turnNs)
        {
            return;
        }
        final long driverNs = driver.ns();
        gapNs = turnNs < 0 ? 0 : nowNs - turnNs;
        gapDriverNs = driverNs - turnDriverNs;
        movesBefore = moves;
        framesBefore = frames;
        turnNs = nowNs;
        turnDriverNs = driverNs;
        moves = 0;
        frames = 0;
    }

    private void missed(final long missed)
    {
        final long count = turns.get();
        if (missedTurnNs == turnNs)
        {
            if (count <= KEPT)
            {
                kept[(int)(count - 1) * FIELDS + MISSED] += missed;
            }
            return;
        }
        missedTurnNs = turnNs;
        if (count < KEPT)
        {
            final int at = (int)count * FIELDS;
            kept[at + AT_NS] = System.nanoTime();
            kept[at + MISSED] = missed;
            kept[at + GAP_NS] = gapNs;
            kept[at + DRIVER_NS] = gapDriverNs;
            kept[at + MOVES] = movesBefore;
            kept[at + FRAMES] = framesBefore;
        }
        turns.lazySet(count + 1);
    }
}
