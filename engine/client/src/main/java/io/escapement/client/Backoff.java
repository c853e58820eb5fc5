package io.escapement.client;

import java.util.random.RandomGenerator;

/** Delays between attempts to connect: doubled by each failure, and random, so that clients do not return at once. */
final class Backoff
{
    private final long minNs;
    private final long maxNs;
    private final RandomGenerator random;
    private long ceilingNs;
    private long dueNs;

    Backoff(final long minNs, final long maxNs, final RandomGenerator random)
    {
        this.minNs = minNs;
        this.maxNs = maxNs;
        this.random = random;
        ceilingNs = minNs;
    }

    /** An attempt failed: the next is due after at least the shortest delay and at most the current ceiling. */
    void onFailure(final long nowNs)
    {
        dueNs = nowNs + minNs + random.nextLong(ceilingNs - minNs + 1);
        ceilingNs = ceilingNs > maxNs / 2 ? maxNs : 2 * ceilingNs;
    }

    void onSuccess()
    {
        ceilingNs = minNs;
    }

    boolean isDue(final long nowNs)
    {
        return nowNs - dueNs >= 0;
    }
}
