package io.escapement.engine.internal.edge;

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

    /** What there is of what is wanted: of a frame with more entries than a burst, the first are let through. */
    int take(final int wanted, final long nowNs)
    {
        final long since = Math.max(fullNs, nowNs);
        final long after = since + wanted * nsPerToken;
        if (after - nowNs <= burstNs)
        {
            // The usual case, without a division.
            fullNs = after;
            return wanted;
        }
        final int taken = (int)Math.min(wanted, (burstNs - (since - nowNs)) / nsPerToken);
        fullNs = since + taken * nsPerToken;
        return taken;
    }
}
