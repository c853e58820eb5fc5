package io.escapement.engine.internal.monitor;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** A cold loop loads classes in its first turns, for longer than a warm one may run. */
class WatchdogTest
{
    private static final long LIMIT_NS = TimeUnit.MILLISECONDS.toNanos(100);

    @Test
    void shouldGiveTheFirstTurnsASecond()
    {
        final Watchdog watchdog = new Watchdog(null, LIMIT_NS, 1_000, (stall) -> { }, null);
        assertEquals(Watchdog.WARM_UP_LIMIT_NS, watchdog.limitNs(0));
        assertEquals(Watchdog.WARM_UP_LIMIT_NS, watchdog.limitNs(999));
        assertEquals(LIMIT_NS, watchdog.limitNs(1_000));
    }

    @Test
    void shouldNotShortenALongerLimitAndJudgeAtOnceWithoutAWarmUp()
    {
        final long longNs = 2 * Watchdog.WARM_UP_LIMIT_NS;
        assertEquals(longNs, new Watchdog(null, longNs, 1_000, (stall) -> { }, null).limitNs(0));
        assertEquals(LIMIT_NS, new Watchdog(null, LIMIT_NS, 0, (stall) -> { }, null).limitNs(0));
    }
}
