package io.escapement.gateway;

import io.escapement.ratelimit.TokenBuckets;

/**
 * Token buckets by key in a set-associative table of fixed size, so that strangers with many addresses neither make it
 * grow nor fill it. If all ways of a set are taken, the fullest bucket is evicted: a key that is being limited goes
 * last. The keys are hashes with a secret, so nobody chooses the set of a key. Not thread safe.
 */
final class RateTable
{
    private static final int WAYS = 8;

    private final long[] keys;
    private final TokenBuckets buckets;

    /**
     * A table.
     *
     * @param buckets of all entries.
     * @param entries a multiple of eight.
     */
    RateTable(final TokenBuckets buckets, final int entries)
    {
        this.buckets = buckets;
        keys = new long[entries];
    }

    /** Take a token; false if the bucket is empty. */
    boolean tryTake(final long key, final long nowNs)
    {
        final int slot = slot(key);
        if (keys[slot] != key)
        {
            keys[slot] = key;
            buckets.refill(slot);
        }
        return buckets.tryTake(slot, nowNs);
    }

    /** Return the token that was taken last. */
    void giveBack(final long key)
    {
        buckets.giveBack(slot(key));
    }

    private int slot(final long key)
    {
        final int first = (int)Long.remainderUnsigned(key, keys.length / WAYS) * WAYS;
        int fullest = first;
        for (int i = first; i < first + WAYS; i++)
        {
            if (keys[i] == key)
            {
                return i;
            }
            if (buckets.isFuller(i, fullest))
            {
                fullest = i;
            }
        }
        return fullest;
    }
}
