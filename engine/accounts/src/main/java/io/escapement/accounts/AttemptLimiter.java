package io.escapement.accounts;

import java.security.SecureRandom;
import java.util.Arrays;

/**
 * A token bucket for each of many keys, in a table whose size is set: what an attacker invents cannot make it grow.
 *
 * <p>A key has a few places it may stand in. When all are taken the bucket that is nearest to full gives way, so a key
 * that is being held back is the last to be forgotten. Which places those are depends on a secret number.
 */
final class AttemptLimiter
{
    private static final int WAYS = 8;

    private final long nsPerAttempt;
    private final long burstNs;
    private final long seed;
    private final long[] keys;
    /** When each bucket will be full again, so that one number says how full it is. */
    private final long[] fullNs;

    AttemptLimiter(final int burst, final long nsPerAttempt, final int entries, final SecureRandom random)
    {
        this.nsPerAttempt = nsPerAttempt;
        burstNs = burst * nsPerAttempt;
        seed = random.nextLong();
        final int sets = Math.max(1, entries / WAYS);
        keys = new long[sets * WAYS];
        fullNs = new long[keys.length];
        Arrays.fill(fullNs, Long.MIN_VALUE);
    }

    /** Whether one more attempt is allowed now. Any thread. */
    synchronized boolean tryTake(final String key, final long nowNs)
    {
        final long hash = hash(key);
        final int place = place(hash);
        if (keys[place] != hash)
        {
            keys[place] = hash;
            fullNs[place] = Long.MIN_VALUE;
        }
        final long next = Math.max(fullNs[place], nowNs) + nsPerAttempt;
        if (next - nowNs > burstNs)
        {
            return false;
        }
        fullNs[place] = next;
        return true;
    }

    /** An attempt was a good one and does not count. Any thread. */
    synchronized void giveBack(final String key)
    {
        final long hash = hash(key);
        final int place = place(hash);
        if (keys[place] == hash && Long.MIN_VALUE != fullNs[place])
        {
            fullNs[place] -= nsPerAttempt;
        }
    }

    private int place(final long hash)
    {
        final int first = (int)Long.remainderUnsigned(hash, keys.length / WAYS) * WAYS;
        int fullest = first;
        for (int i = first; i < first + WAYS; i++)
        {
            if (keys[i] == hash)
            {
                return i;
            }
            if (fullNs[i] < fullNs[fullest])
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
