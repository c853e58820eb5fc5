package io.escapement.engine;

import org.agrona.concurrent.NanoClock;

/**
 * The clock of a driver that is invoked in a thread of the engine: one read per duty cycle instead of several. A read
 * of the system's clock is a large part of an idle cycle.
 */
final class TurnClock implements NanoClock
{
    private final NanoClock clock;
    private long nowNs;
    private boolean isUpdated;

    TurnClock(final NanoClock clock)
    {
        this.clock = clock;
    }

    /** Read the time. Once at the start of each duty cycle. */
    void update()
    {
        nowNs = clock.nanoTime();
        isUpdated = true;
    }

    /** Return to the system's clock, because closing the driver waits for time to pass without duty cycles. */
    void stop()
    {
        isUpdated = false;
    }

    @Override
    public long nanoTime()
    {
        return isUpdated ? nowNs : clock.nanoTime();
    }
}
