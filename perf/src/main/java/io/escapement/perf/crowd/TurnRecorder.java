package io.escapement.perf.crowd;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the moves and frames of a loop's turns, called by rooms in the loop's thread. For a turn that finds missed
 * frames it keeps the figures of the turn before, which delayed them.
 */
final class TurnRecorder
{
    /** Turns kept; more are counted only. */
    static final int LIMIT = 32;

    /** A turn that found missed frames. Allocated up front; published by the count of late turns. */
    static final class LateTurn
    {
        /** Its time of {@link System#nanoTime()}. */
        long atNs;
        /** Room-frames that it found missed. */
        long missed;
        /** From the start of the turn before to the start of this one. */
        long gapNs;
        /** How long the driver was invoked in the gap. */
        long driverNs;
        /** Moves and room-frames of the turn before. */
        long moves;
        long frames;
    }

    private final DriverMeter driver;
    /** Measured states, once per receiving player. */
    final AtomicLong states = new AtomicLong();
    /** Turns that found missed frames, possibly more than {@link #LIMIT}. */
    final AtomicLong lateTurns = new AtomicLong();
    /** The first of them. */
    final LateTurn[] kept = new LateTurn[LIMIT];
    private long turnNs = -1;
    private long turnDriverNs;
    private long gapNs;
    private long gapDriverNs;
    private long moves;
    private long frames;
    private long movesBefore;
    private long framesBefore;
    private long lateTurnNs = -1;

    TurnRecorder(final DriverMeter driver)
    {
        this.driver = driver;
        Arrays.setAll(kept, (i) -> new LateTurn());
    }

    void onMove(final long nowNs)
    {
        advance(nowNs);
        moves++;
    }

    void onFrame(final long nowNs, final long missed, final boolean isMeasuring)
    {
        advance(nowNs);
        frames++;
        if (0 != missed && isMeasuring)
        {
            onMissed(missed);
        }
    }

    void onStates(final int players)
    {
        states.lazySet(states.get() + players);
    }

    private void advance(final long nowNs)
    {
        if (nowNs == turnNs)
        {
            return;
        }
        final long driverNs = driver.ns.get();
        gapNs = turnNs < 0 ? 0 : nowNs - turnNs;
        gapDriverNs = driverNs - turnDriverNs;
        movesBefore = moves;
        framesBefore = frames;
        turnNs = nowNs;
        turnDriverNs = driverNs;
        moves = 0;
        frames = 0;
    }

    private void onMissed(final long missed)
    {
        final boolean isSameTurn = lateTurnNs == turnNs;
        final long count = isSameTurn ? lateTurns.get() - 1 : lateTurns.get();
        lateTurnNs = turnNs;
        if (count < LIMIT)
        {
            final LateTurn turn = kept[(int)count];
            if (!isSameTurn)
            {
                turn.atNs = System.nanoTime();
                turn.gapNs = gapNs;
                turn.driverNs = gapDriverNs;
                turn.moves = movesBefore;
                turn.frames = framesBefore;
            }
            turn.missed += missed;
        }
        lateTurns.lazySet(count + 1);
    }
}
