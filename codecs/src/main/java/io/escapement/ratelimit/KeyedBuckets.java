package io.escapement.ratelimit;

/**
 * Token buckets by key in a set-associative table of fixed size, so strangers with many addresses or invented names
 * neither make it grow nor fill it. If all ways of a set are taken, the fullest bucket is evicted, so a key that is
 * being limited is evicted last. Keys must be hashes with a secret, so that nobody chooses the set of a key. Not
 * thread-safe.
 */
public final class KeyedBuckets
{
    private static final int WAYS = 8;

    private final long[] keys;
    private final TokenBuckets buckets;

    /**
     * A table in which every bucket is full.
     *
     * @param buckets of all entries.
     * @param entries number of buckets, a multiple of eight.
     */
    public KeyedBuckets(final TokenBuckets buckets, final int entries)
    {
        if (entries < WAYS || 0 != entries % WAYS)
        {
            throw new IllegalArgumentException("entries must be a multiple of " + WAYS + ": " + entries);
        }
        this.buckets = buckets;
        keys = new long[entries];
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
