package io.escapement.ratelimit;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * A fixed number of token buckets with one rate and one burst. A bucket is one number, the time at which it will be
 * full again: taking tokens is an addition and a comparison, and an idle bucket needs no refill. All are full at
 * first. The clock may have any origin, and may overflow. Not thread-safe.
 */
public final class TokenBuckets
{
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long FULL = Long.MIN_VALUE;

    private final long[] fullNs;
    private final long nsPerToken;
    private final long burstNs;

    private TokenBuckets(final int buckets, final long nsPerToken, final int burst)
    {
        this.nsPerToken = nsPerToken;
        burstNs = burst * nsPerToken;
        fullNs = new long[buckets];
        Arrays.fill(fullNs, FULL);
    }

    /**
     * Buckets that refill by a number of tokens per second.
     *
     * @param buckets       how many.
     * @param ratePerSecond tokens that each regains per second.
     * @param burst         tokens that a full bucket holds.
     */
    public static TokenBuckets ofRate(final int buckets, final int ratePerSecond, final int burst)
    {
        return new TokenBuckets(buckets, Math.max(1, SECOND_NS / ratePerSecond), burst);
    }

    /**
     * Buckets that refill by one token per interval, for rates below 1 per second.
     *
     * @param buckets    how many.
     * @param intervalNs in which each regains a token.
     * @param burst      tokens that a full bucket holds.
     */
    public static TokenBuckets ofInterval(final int buckets, final long intervalNs, final int burst)
    {
        return new TokenBuckets(buckets, intervalNs, burst);
    }

    /**
     * Take one token.
     *
     * @param bucket from 0.
     * @param nowNs  current time.
     * @return false when the bucket is empty.
     */
    public boolean tryTake(final int bucket, final long nowNs)
    {
        final long missingNs = missingNs(bucket, nowNs) + nsPerToken;
        if (missingNs > burstNs)
        {
            return false;
        }
        fullNs[bucket] = nowNs + missingNs;
        return true;
    }

    /**
     * Take as many tokens as the bucket holds.
     *
     * @param bucket    from 0.
     * @param requested most tokens to take.
     * @param nowNs     current time.
     * @return the number taken.
     */
    public int take(final int bucket, final int requested, final long nowNs)
    {
        final long missingNs = missingNs(bucket, nowNs);
        final long afterNs = missingNs + requested * nsPerToken;
        if (afterNs <= burstNs)
        {
            // The usual case needs no division.
            fullNs[bucket] = nowNs + afterNs;
            return requested;
        }
        final int taken = (int)Math.min(requested, (burstNs - missingNs) / nsPerToken);
        fullNs[bucket] = nowNs + missingNs + taken * nsPerToken;
        return taken;
    }

    /**
     * Take tokens, whether or not the bucket has them. It owes up to a burst.
     *
     * @param bucket from 0.
     * @param tokens to take.
     * @param nowNs  current time.
     * @return false when the bucket did not have them.
     */
    public boolean owe(final int bucket, final int tokens, final long nowNs)
    {
        final long missingNs = missingNs(bucket, nowNs) + tokens * nsPerToken;
        fullNs[bucket] = nowNs + Math.min(missingNs, 2 * burstNs);
        return missingNs <= burstNs;
    }

    /**
     * Whether a bucket has all of its tokens.
     *
     * @param bucket from 0.
     * @param nowNs  current time.
     */
    public boolean isFull(final int bucket, final long nowNs)
    {
        return 0 == missingNs(bucket, nowNs);
    }

    /**
     * Return one token to a bucket that is not full.
     *
     * @param bucket from 0.
     */
    public void giveBack(final int bucket)
    {
        if (FULL != fullNs[bucket])
        {
            fullNs[bucket] -= nsPerToken;
        }
    }

    /**
     * Refill a bucket at once.
     *
     * @param bucket from 0.
     */
    public void refill(final int bucket)
    {
        fullNs[bucket] = FULL;
    }

    /**
     * Compare how full two buckets are.
     *
     * @param bucket from 0.
     * @param other  from 0.
     * @return whether the bucket holds more tokens than the other, or has been full for longer.
     */
    public boolean isFuller(final int bucket, final int other)
    {
        return FULL != fullNs[other] && (FULL == fullNs[bucket] || fullNs[bucket] - fullNs[other] < 0);
    }

    /** The time until the bucket is full. */
    private long missingNs(final int bucket, final long nowNs)
    {
        final long full = fullNs[bucket];
        return FULL == full ? 0 : Math.max(0, full - nowNs);
    }
}
