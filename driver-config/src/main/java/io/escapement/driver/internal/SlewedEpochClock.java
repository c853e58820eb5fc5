package io.escapement.driver.internal;

import org.agrona.concurrent.EpochClock;
import org.agrona.concurrent.NanoClock;

/**
 * The wall clock for an embedded driver and its client, which share it. When the wall clock steps forward, by hand or
 * because the process was paused, this clock catches up at five times the speed of time in place of at once: a client's
 * heartbeat is up to half a second old, and would else look older than the client's timeout. Thread-safe.
 */
final class SlewedEpochClock implements EpochClock
{
    private static final long CATCH_UP = 4;
    private static final long BEHIND_MS = 1_000;
    private static final double NS_A_MS = 1e6;

    private final EpochClock wall;
    private final NanoClock time;
    private volatile boolean isBehind;
    private double nowMs;
    private long readNs;

    /**
     * Start at the time of the wall clock.
     *
     * @param wall that is followed.
     * @param time that never steps by much.
     */
    SlewedEpochClock(final EpochClock wall, final NanoClock time)
    {
        this.wall = wall;
        this.time = time;
        nowMs = wall.time();
        readNs = time.nanoTime();
    }

    @Override
    public synchronized long time()
    {
        final long wallMs = wall.time();
        final long timeNs = time.nanoTime();
        final double elapsedMs = Math.max(0, (timeNs - readNs) / NS_A_MS);
        readNs = timeNs;
        // Going back is harmless: heartbeats then lie in the future for a moment.
        nowMs = Math.min(wallMs, nowMs + elapsedMs + CATCH_UP * elapsedMs);
        isBehind = wallMs - nowMs > BEHIND_MS;
        return (long)nowMs;
    }

    /** Whether this clock is catching up. */
    boolean isBehind()
    {
        return isBehind;
    }

    /** The time of the wall clock, for heartbeats that other processes compare with it. */
    long wallMs()
    {
        return wall.time();
    }
}
