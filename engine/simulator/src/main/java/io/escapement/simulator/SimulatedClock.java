package io.escapement.simulator;

import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.NanoClock;

/** The time of a simulation, and the wall clock of its engine's host, which can be set. */
final class SimulatedClock implements NanoClock
{
    private static final long START_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long EPOCH_MS = 1_700_000_000_000L;
    private static final long NS_A_MS = TimeUnit.MILLISECONDS.toNanos(1);

    private long nowNs = START_NS;
    private long wallOffsetMs;

    @Override
    public long nanoTime()
    {
        return nowNs;
    }

    /** The time without the steps of the wall clock. */
    public long epochMs()
    {
        return EPOCH_MS + nowNs / NS_A_MS;
    }

    /** The wall clock. */
    public long wallMs()
    {
        return epochMs() + wallOffsetMs;
    }

    /**
     * Let time pass.
     *
     * @param ns nanoseconds.
     */
    public void advance(final long ns)
    {
        nowNs += ns;
    }

    /**
     * Set the wall clock.
     *
     * @param ms by which it steps, forward or back.
     */
    public void stepWall(final long ms)
    {
        wallOffsetMs += ms;
    }
}
