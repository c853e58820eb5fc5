package io.escapement.engine.edge;

import java.util.concurrent.TimeUnit;

/** Lets through a rate on average and a burst at once. */
final class TokenBucket
{
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    private final long nsPerToken;
    private final long burstNs;
    /** When the bucket will be full again, so that one number says how full it is. */
    private long fullNs;

    TokenBucket(final int ratePerSecond, final int burst)
    {
        nsPerToken = Math.max(1, SECOND_NS / ratePerSecond);
        burstNs = burst * nsPerToken;
    }

    boolean tryTake(final int tokens, final long nowNs)
    {
        final long next = Math.max(fullNs, nowNs) + tokens * nsPerToken;
        if (next - nowNs > burstNs)
        {
            return false;
        }
        fullNs = next;
        return true;
    }
}
