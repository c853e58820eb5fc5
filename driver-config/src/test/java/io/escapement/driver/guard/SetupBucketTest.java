package io.escapement.driver.guard;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import static org.junit.jupiter.api.Assertions.assertEquals;

@Timeout(30)
class SetupBucketTest
{
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    // The clock overflows during the test.
    private static final long START_NS = Long.MAX_VALUE - 3 * SECOND_NS;

    private final SetupBucket bucket = new SetupBucket(10, 5, START_NS);

    @Test
    void shouldAllowABurstAndThenTheRate()
    {
        assertEquals(5, take(START_NS, 100));
        assertEquals(0, take(START_NS + SECOND_NS / 10 - 1, 100));
        assertEquals(1, take(START_NS + SECOND_NS / 10, 100));
        assertEquals(2, take(START_NS + 3 * SECOND_NS / 10, 100));
        int taken = 0;
        for (int i = 1; i <= 250; i++)
        {
            // Calls rarely coincide with the end of an interval, whose fraction must be kept.
            taken += take(START_NS + 3 * SECOND_NS / 10 + i * SECOND_NS / 25, 100);
        }
        assertEquals(100, taken, "in 10 s at 10 a second");
    }

    @Test
    void shouldAccumulateAtMostABurst()
    {
        assertEquals(5, take(START_NS, 100));
        assertEquals(5, take(START_NS + 100 * SECOND_NS, 100));
        assertEquals(0, take(START_NS + 100 * SECOND_NS, 100));
    }

    private int take(final long nowNs, final int count)
    {
        int taken = 0;
        for (int i = 0; i < count; i++)
        {
            taken += bucket.tryTake(nowNs) ? 1 : 0;
        }
        return taken;
    }
}
