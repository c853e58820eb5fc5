package io.escapement.gateway;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** Buckets of powers of two, each with its upper end. */
class TurnTimesTest
{
    @Test
    void shouldCountATimeInTheBucketThatEndsAtItOrAbove()
    {
        for (int bucket = 0; bucket < TurnTimes.BUCKETS; bucket++)
        {
            final TurnTimes times = new TurnTimes();
            times.onFlush(TurnTimes.endNs(bucket));
            assertEquals(1, times.count(bucket), "its end");
            times.onFlush(TurnTimes.endNs(bucket) + 1);
            assertEquals(1, times.count(bucket), "one more");
            assertEquals(1, times.count(bucket + 1));
        }
        final TurnTimes times = new TurnTimes();
        times.onFlush(0);
        times.onFlush(1);
        assertEquals(2, times.count(0));
        times.onFlush(Long.MAX_VALUE / 2);
        assertEquals(1, times.count(TurnTimes.BUCKETS));
        times.onBusy(TimeUnit.SECONDS.toNanos(3));
        assertEquals(3, times.busySeconds());
    }
}
