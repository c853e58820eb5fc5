package io.escapement.driver.guard;

import java.util.concurrent.TimeUnit;

/** A token bucket that limits the rate of new sessions. It starts full. Confined to one thread. */
final class SetupBucket
{
    private final long intervalNs;
    private final int burst;
    private int tokens;
    private long filledNs;

    SetupBucket(final int ratePerSecond, final int burst, final long nowNs)
    {
        this.intervalNs = Math.max(1, TimeUnit.SECONDS.toNanos(1) / ratePerSecond);
        this.burst = burst;
        tokens = burst;
        filledNs = nowNs;
    }

    boolean tryTake(final long nowNs)
    {
        final long earned = (nowNs - filledNs) / intervalNs;
        if (earned > 0)
        {
            tokens = (int)Math.min(burst, tokens + earned);
            // Keep the fraction of an interval, unless the bucket is full.
            filledNs = burst == tokens ? nowNs : filledNs + earned * intervalNs;
        }
        if (0 == tokens)
        {
            return false;
        }
        tokens--;
        return true;
    }
}
