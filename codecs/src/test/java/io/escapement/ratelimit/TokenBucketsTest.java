package io.escapement.ratelimit;

import io.escapement.testsupport.Tests;
import java.util.Random;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class TokenBucketsTest
{
    private static final int MS = 1_000_000;

    @Test
    void shouldGrantTheFirstOfMoreThanABurst()
    {
        final TokenBuckets buckets = TokenBuckets.ofRate(1, 1_000, 10);
        assertEquals(10, buckets.take(0, 64, 5 * MS));
        assertEquals(0, buckets.take(0, 64, 5 * MS));
        assertEquals(3, buckets.take(0, 64, 8 * MS));
        assertEquals(2, buckets.take(0, 2, 12 * MS));
        assertEquals(2, buckets.take(0, 64, 12 * MS));
        assertEquals(10, buckets.take(0, 64, 100 * MS), "never more than a burst");
    }

    @Test
    void shouldGrantWhatANaiveBucketGrants()
    {
        final long seed = Tests.seed();
        final Random random = new Random(seed);
        final TokenBuckets buckets = TokenBuckets.ofRate(2, 1_000, 10);
        // The naive twin: whole tokens, one a millisecond.
        long tokens = 10;
        for (long ms = 1; ms < 20_000; ms++)
        {
            tokens = Math.min(10, tokens + 1);
            final int requested = random.nextInt(4) * random.nextInt(8);
            final int expected = (int)Math.min(requested, tokens);
            if (1 == requested)
            {
                assertEquals(1 == expected, buckets.tryTake(1, ms * MS), "seed " + seed + ", ms " + ms);
            }
            else
            {
                assertEquals(expected, buckets.take(1, requested, ms * MS), "seed " + seed + ", ms " + ms);
            }
            tokens -= expected;
        }
        assertEquals(10, buckets.take(0, 64, MS), "the other bucket is untouched");
    }

    @Test
    void shouldBeFullAtFirstWhateverTheClockReads()
    {
        final TokenBuckets buckets = TokenBuckets.ofInterval(1, MS, 2);
        final long nowNs = -5L * MS;
        assertTrue(buckets.tryTake(0, nowNs));
        assertTrue(buckets.tryTake(0, nowNs));
        assertFalse(buckets.tryTake(0, nowNs));
        assertTrue(buckets.tryTake(0, nowNs + MS));
    }

    @Test
    void shouldGiveBackAndRefill()
    {
        final TokenBuckets buckets = TokenBuckets.ofInterval(2, MS, 2);
        buckets.giveBack(0);
        assertEquals(2, buckets.take(0, 64, MS), "a full bucket holds no more than a burst");
        buckets.giveBack(0);
        assertEquals(1, buckets.take(0, 64, MS));
        assertTrue(buckets.isFuller(1, 0));
        buckets.refill(0);
        assertEquals(2, buckets.take(0, 64, MS));
    }

    @Test
    void shouldSurviveAnOverflowOfTheClock()
    {
        final TokenBuckets buckets = TokenBuckets.ofRate(2, 1_000, 10);
        long nowNs = Long.MAX_VALUE - 3 * MS;
        assertEquals(10, buckets.take(0, 64, nowNs));
        int taken = 0;
        for (int i = 0; i < 250; i++)
        {
            // Calls rarely coincide with the return of a token, whose fraction must be kept.
            nowNs += MS / 25;
            taken += buckets.take(0, 64, nowNs);
        }
        assertEquals(10, taken, "in 10 ms at 1,000 a second");
        assertEquals(1, buckets.take(1, 1, nowNs));
        assertTrue(buckets.isFuller(1, 0));
        assertFalse(buckets.isFuller(0, 1));
    }
}
