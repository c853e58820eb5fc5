package io.escapement.driver.internal;

import org.agrona.concurrent.EpochClock;
import org.agrona.concurrent.NanoClock;

/**
 * The wall clock for drivers and their clients. When the wall clock steps forward, by hand or because the process was
 * paused, this clock catches up at five times the speed of time instead of at once. A client's heartbeat is up to half
 * a second old, and would otherwise look older than the client's timeout. Thread-safe.
 */
final class SlewedEpochClock implements EpochClock
{
    private static final long SPEED = 5;
    /**
     * Most of the time between two readings that counts. A client reads its clock every half second or less often, and
     * must not lag. After a pause of the process, a client must not catch up by a timeout at once.
     */
    private static final double MAX_STEP_MS = 1_000;
    private static final long BEHIND_MS = 1_000;
    private static final long GRAIN_MS = 10;
    /** No time of the wall clock is near it. */
    private static final long CATCHING_UP = Long.MIN_VALUE / 2;
    private static final double NS_A_MS = 1e6;

    private final EpochClock wall;
    private final NanoClock time;
    private volatile boolean isBehind;
    /** The last time of the wall clock that this one had reached. */
    private volatile long followedMs;
    private double nowMs;
    private long readNs;

    /**
     * Start at the time of the wall clock.
     *
     * @param wall that is followed.
     * @param time that cannot be set.
     */
    SlewedEpochClock(final EpochClock wall, final NanoClock time)
    {
        this.wall = wall;
        this.time = time;
        followedMs = wall.time();
        nowMs = followedMs;
        readNs = time.nanoTime();
    }

    /** Threads take the lock each 10 ms, and while this clock catches up: parts of a node read it in each cycle. */
    @Override
    public long time()
    {
        final long wallMs = wall.time();
        final long stepMs = wallMs - followedMs;
        return stepMs >= 0 && stepMs < GRAIN_MS ? wallMs : follow(wallMs);
    }

    private synchronized long follow(final long wallMs)
    {
        final long timeNs = time.nanoTime();
        final double elapsedMs = Math.min(MAX_STEP_MS, Math.max(0, (timeNs - readNs) / NS_A_MS));
        readNs = timeNs;
        // Going back is harmless: heartbeats then lie in the future for a moment.
        nowMs = Math.min(wallMs, nowMs + SPEED * elapsedMs);
        isBehind = wallMs - nowMs > BEHIND_MS;
        followedMs = nowMs < wallMs ? CATCHING_UP : wallMs;
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
