package io.escapement.ratelimit;

import java.util.function.IntFunction;

/**
 * Token buckets by key in a set-associative table of fixed size. Strangers with many addresses or invented names
 * neither make it grow nor fill it. If all ways of a set are taken, the fullest bucket is evicted. Therefore a key that
 * is being limited is evicted last. Keys must be hashes with a secret, so that strangers cannot choose the set of a
 * key. Not thread-safe.
 */
public final class KeyedBuckets
{
    private static final int WAYS = 8;

    private final long[] keys;
    private final TokenBuckets buckets;

    /**
     * A table in which every bucket is full.
     *
     * @param entries buckets, rounded down to a multiple of eight.
     * @param buckets makes that many.
     */
    public KeyedBuckets(final int entries, final IntFunction<TokenBuckets> buckets)
    {
        keys = new long[Math.max(1, entries / WAYS) * WAYS];
        this.buckets = buckets.apply(keys.length);
    }

    /**
     * Take a token.
     *
     * @param key   hash of the name or address.
     * @param nowNs time.
     * @return false if the bucket is empty.
     */
    public boolean tryTake(final long key, final long nowNs)
    {
        final int slot = slot(key);
        if (keys[slot] != key)
        {
            keys[slot] = key;
            buckets.refill(slot);
        }
        return buckets.tryTake(slot, nowNs);
    }

    /**
     * Return a token, unless the bucket was evicted.
     *
     * @param key hash of the name or address.
     */
    public void giveBack(final long key)
    {
        final int slot = slot(key);
        if (keys[slot] == key)
        {
            buckets.giveBack(slot);
        }
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
