package io.escapement.engine.internal.edge;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** A bucket lets through what it has, and never more than its rate. */
@Timeout(60)
class TokenBucketTest
{
    private static final int MS = 1_000_000;

    @Test
    void shouldLetThroughTheFirstOfMoreThanABurst()
    {
        final TokenBucket bucket = new TokenBucket(1_000, 10);
        assertEquals(10, bucket.take(64, 5 * MS));
        assertEquals(0, bucket.take(64, 5 * MS));
        assertEquals(3, bucket.take(64, 8 * MS));
        assertEquals(2, bucket.take(2, 12 * MS));
        assertEquals(2, bucket.take(64, 12 * MS));
        assertEquals(10, bucket.take(64, 100 * MS), "no more than a burst, however long it was");
    }

    @Test
    void shouldKeepToItsRateWhateverIsWanted()
    {
        final long seed = System.nanoTime();
        final Random random = new Random(seed);
        final TokenBucket bucket = new TokenBucket(1_000, 10);
        // The naive twin: whole tokens, one a millisecond.
        long tokens = 10;
        for (long ms = 1; ms < 20_000; ms++)
        {
            tokens = Math.min(10, tokens + 1);
            final int wanted = random.nextInt(4) * random.nextInt(8);
            final int expected = (int)Math.min(wanted, tokens);
            assertEquals(expected, bucket.take(wanted, ms * MS), "seed " + seed + ", ms " + ms);
            tokens -= expected;
        }
    }
}
