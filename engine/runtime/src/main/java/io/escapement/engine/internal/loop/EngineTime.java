package io.escapement.engine.internal.loop;

import org.agrona.concurrent.NanoClock;

/** Time of the engine and of its rooms: nanoseconds since the engine was made. For any thread. */
public final class EngineTime
{
    private final NanoClock clock;
    private final long originNs;

    /**
     * Begin now.
     *
     * @param clock to read.
     */
    public EngineTime(final NanoClock clock)
    {
        this.clock = clock;
        originNs = clock.nanoTime();
    }

    /**
     * The time.
     *
     * @return nanoseconds since the engine was made.
     */
    public long nowNs()
    {
        return clock.nanoTime() - originNs;
    }
}
