package io.escapement.accounts;

import io.escapement.ratelimit.TokenBuckets;
import java.security.SecureRandom;

/**
 * Token buckets per key in a set-associative table of fixed size, so that invented keys cannot grow it.
 *
 * <p>If all ways of a set are taken, the fullest bucket is evicted, so a key that is being limited is evicted last. A
 * secret seed makes the set of a key unpredictable. Thread safe.
 */
final class AttemptLimiter
{
    private static final int WAYS = 8;

    private final long seed;
    private final long[] keys;
    private final TokenBuckets buckets;

    AttemptLimiter(final int burst, final long nsPerAttempt, final int entries, final SecureRandom random)
    {
        seed = random.nextLong();
        final int sets = Math.max(1, entries / WAYS);
        keys = new long[sets * WAYS];
        buckets = TokenBuckets.ofInterval(keys.length, nsPerAttempt, burst);
    }

    /** Take a token; false if the bucket is empty. */
    synchronized boolean tryAcquire(final String key, final long nowNs)
    {
        final long hash = hash(key);
        final int slot = slot(hash);
        if (keys[slot] != hash)
        {
            keys[slot] = hash;
            buckets.refill(slot);
        }
        return buckets.tryTake(slot, nowNs);
    }

    /** Return the token of a successful attempt. */
    synchronized void refund(final String key)
    {
        final long hash = hash(key);
        final int slot = slot(hash);
        if (keys[slot] == hash)
        {
            buckets.giveBack(slot);
        }
    }

    private int slot(final long hash)
    {
        final int first = (int)Long.remainderUnsigned(hash, keys.length / WAYS) * WAYS;
        int fullest = first;
        for (int i = first; i < first + WAYS; i++)
        {
            if (keys[i] == hash)
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

    private long hash(final String key)
    {
        long hash = seed;
        for (int i = 0; i < key.length(); i++)
        {
            hash = (hash ^ key.charAt(i)) * 0x9E37_79B9_7F4A_7C15L;
            hash ^= hash >>> 29;
        }
        hash *= 0xBF58_476D_1CE4_E5B9L;
        return hash ^ hash >>> 32;
    }
}
