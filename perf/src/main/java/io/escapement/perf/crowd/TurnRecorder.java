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

        private void set(
            final long turnGapNs, final long turnDriverNs, final long movesBefore, final long framesBefore)
        {
            atNs = System.nanoTime();
            missed = 0;
            gapNs = turnGapNs;
            driverNs = turnDriverNs;
            moves = movesBefore;
            frames = framesBefore;
        }

        private void addMissed(final long count)
        {
            missed += count;
        }
    }

    private final DriverMeter driver;
    private final AtomicLong states = new AtomicLong();
    private final AtomicLong lateTurns = new AtomicLong();
    private final LateTurn[] kept = new LateTurn[LIMIT];
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

    /** Measured states, once per receiving player. */
    void onStates(final int players)
    {
        states.lazySet(states.get() + players);
    }

    long states()
    {
        return states.get();
    }

    /** Turns that found missed frames, possibly more than {@link #LIMIT}. */
    long lateTurns()
    {
        return lateTurns.get();
    }

    LateTurn lateTurn(final int index)
    {
        return kept[index];
    }

    private void advance(final long nowNs)
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
                turn.set(gapNs, gapDriverNs, movesBefore, framesBefore);
            }
            turn.addMissed(missed);
        }
        lateTurns.lazySet(count + 1);
    }
}
