package io.escapement.driver.guard;

import java.util.concurrent.TimeUnit;

/**
 * Limits how fast strangers become sessions. Full at first. Of one thread.
 */
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
        final long due = (nowNs - filledNs) / intervalNs;
        if (due > 0)
        {
            tokens = (int)Math.min(burst, tokens + due);
            // The rest of an interval counts on; a full bucket gathers nothing.
            filledNs = burst == tokens ? nowNs : filledNs + due * intervalNs;
        }
        if (0 == tokens)
        {
            return false;
        }
        tokens--;
        return true;
    }
}
