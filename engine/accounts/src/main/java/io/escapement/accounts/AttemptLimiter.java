package io.escapement.accounts;

import io.escapement.ratelimit.KeyedBuckets;
import io.escapement.ratelimit.TokenBuckets;
import java.security.SecureRandom;

/** Attempts of names and addresses, in a table of fixed size that invented names do not fill. Thread safe. */
final class AttemptLimiter
{
    private final SeededHash hash;
    private final KeyedBuckets buckets;

    AttemptLimiter(final int burst, final long nsPerAttempt, final int entries, final SecureRandom random)
    {
        hash = new SeededHash(random);
        buckets = new KeyedBuckets(entries, (count) -> TokenBuckets.ofInterval(count, nsPerAttempt, burst));
    }

    /** Take a token. Returns false if the bucket is empty. */
    synchronized boolean tryAcquire(final String key, final long nowNs)
    {
        return buckets.tryTake(hash.of(key), nowNs);
    }

    /** Return the token of a successful attempt. */
    synchronized void refund(final String key)
    {
        buckets.giveBack(hash.of(key));
    }
}
