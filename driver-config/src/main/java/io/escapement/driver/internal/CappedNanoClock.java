package io.escapement.driver.internal;

import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.NanoClock;

/**
 * A clock that steps by at most 100 ms per reading. It leaves out the time in which the process did not run, such as
 * the pause of a virtual machine. Otherwise the timeouts of Aeron would take it for the death of a driver or a client.
 * Thread-safe.
 */
final class CappedNanoClock implements NanoClock
{
    static final long MAX_STEP_NS = TimeUnit.MILLISECONDS.toNanos(100);
    /** Below this the last reading is not updated, so that threads do not contend for its cache line. */
    private static final long GRAIN_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final NanoClock clock;
    private volatile long lastNs;
    private volatile long skippedNs;

    CappedNanoClock(final NanoClock clock)
    {
        this.clock = clock;
        lastNs = clock.nanoTime();
    }

    @Override
    public long nanoTime()
    {
        while (true)
        {
            final long skipped = skippedNs;
            final long nowNs = clock.nanoTime();
            final long stepNs = nowNs - lastNs;
            if (stepNs > MAX_STEP_NS)
            {
                skip(nowNs);
            }
            else if (skipped == skippedNs)
            {
                if (stepNs > GRAIN_NS)
                {
                    lastNs = nowNs;
                }
                return nowNs - skipped;
            }
        }
    }

    private synchronized void skip(final long nowNs)
    {
        final long stepNs = nowNs - lastNs;
        if (stepNs > MAX_STEP_NS)
        {
            // First, because a reader of the new lastNs must also see this.
            skippedNs += stepNs - MAX_STEP_NS;
            lastNs = nowNs;
        }
    }
}
