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

    private final SeededHash hash;
    private final long[] keys;
    private final TokenBuckets buckets;

    AttemptLimiter(final int burst, final long nsPerAttempt, final int entries, final SecureRandom random)
    {
        hash = new SeededHash(random);
        final int sets = Math.max(1, entries / WAYS);
        keys = new long[sets * WAYS];
        buckets = TokenBuckets.ofInterval(keys.length, nsPerAttempt, burst);
    }

    /** Take a token; false if the bucket is empty. */
    synchronized boolean tryAcquire(final String key, final long nowNs)
    {
        final long keyHash = hash.of(key);
        final int slot = slot(keyHash);
        if (keys[slot] != keyHash)
        {
            keys[slot] = keyHash;
            buckets.refill(slot);
        }
        return buckets.tryTake(slot, nowNs);
    }

    /** Return the token of a successful attempt. */
    synchronized void refund(final String key)
    {
        final long keyHash = hash.of(key);
        final int slot = slot(keyHash);
        if (keys[slot] == keyHash)
        {
            buckets.giveBack(slot);
        }
    }

    private int slot(final long keyHash)
    {
        final int first = (int)Long.remainderUnsigned(keyHash, keys.length / WAYS) * WAYS;
        int fullest = first;
        for (int i = first; i < first + WAYS; i++)
        {
            if (keys[i] == keyHash)
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
