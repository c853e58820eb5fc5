package io.escapement.engine.internal.queue;

import org.agrona.concurrent.NanoClock;

/** Engine time, which is also the time of its rooms: nanoseconds since the engine was made. For any thread. */
public final class EngineClock
{
    private final NanoClock clock;
    private final long originNs;

    /**
     * Start at 0.
     *
     * @param clock that is read.
     */
    public EngineClock(final NanoClock clock)
    {
        this.clock = clock;
        originNs = clock.nanoTime();
    }

    /** The time since the engine was made. */
    public long nowNs()
    {
        return clock.nanoTime() - originNs;
    }
}
