package io.escapement.accounts;

import java.security.SecureRandom;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Token buckets in a bounded table. */
class AttemptLimiterTest
{
    private static final int BURST = 4;
    private static final long NS = 100;

    @Test
    void shouldMatchANaiveUnboundedLimiter()
    {
        final long seed = 11;
        final Random random = new Random(seed);
        final AttemptLimiter limiter = new AttemptLimiter(BURST, NS, 1_024, new SecureRandom());
        // For each key, the tokens used in nanoseconds and the time of that value.
        final Map<String, long[]> spentByKeyMap = new HashMap<>();
        long nowNs = -5_000;
        for (int i = 0; i < 20_000; i++)
        {
            nowNs += random.nextInt(20);
            final String key = "key" + random.nextInt(20);
            final long firstNs = nowNs;
            final long[] spent = spentByKeyMap.computeIfAbsent(key, (ignored) -> new long[]{0, firstNs});
            spent[0] = Math.max(0, spent[0] - (nowNs - spent[1]));
            spent[1] = nowNs;
            final boolean isAllowed = spent[0] + NS <= BURST * NS;
            spent[0] += isAllowed ? NS : 0;
            assertEquals(isAllowed, limiter.tryAcquire(key, nowNs), "seed " + seed + ", step " + i);
            if (isAllowed && random.nextBoolean())
            {
                spent[0] = Math.max(0, spent[0] - NS);
                limiter.refund(key);
            }
        }
    }

    @Test
    void shouldNotEvictALimitedKey()
    {
        final AttemptLimiter limiter = new AttemptLimiter(BURST, NS, 64, new SecureRandom());
        for (int i = 0; i < BURST; i++)
        {
            assertTrue(limiter.tryAcquire("limited", 0));
        }
        for (int i = 0; i < 100_000; i++)
        {
            limiter.tryAcquire("invented" + i, 0);
            assertFalse(limiter.tryAcquire("limited", 0), "after " + i);
        }
    }

    @Test
    void shouldNotRefundUnknownKeys()
    {
        final AttemptLimiter limiter = new AttemptLimiter(1, NS, 8, new SecureRandom());
        limiter.refund("nobody");
        assertTrue(limiter.tryAcquire("nobody", 0));
        assertFalse(limiter.tryAcquire("nobody", 0));
    }
}
