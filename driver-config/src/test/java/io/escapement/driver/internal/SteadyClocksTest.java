package io.escapement.driver.internal;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.concurrent.EpochClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The clocks of drivers and their clients, which leave out pauses and steps. */
class SteadyClocksTest
{
    private static final long MS = 1_000_000;

    private final AtomicLong nowNs = new AtomicLong(5);
    private final AtomicLong wallMs = new AtomicLong(1_000_000);

    @Test
    void shouldLeaveOutPauses()
    {
        final CappedNanoClock clock = new CappedNanoClock(nowNs::get);
        long expectedNs = clock.nanoTime();
        for (final long stepMs : new long[]{0, 2, 100, 99, 50})
        {
            nowNs.addAndGet(stepMs * MS);
            expectedNs += stepMs * MS;
            assertEquals(expectedNs, clock.nanoTime());
        }
        nowNs.addAndGet(TimeUnit.HOURS.toNanos(1));
        assertEquals(expectedNs + 100 * MS, clock.nanoTime());
        assertEquals(expectedNs + 100 * MS, clock.nanoTime(), "time stands still");
        nowNs.addAndGet(7 * MS);
        assertEquals(expectedNs + 107 * MS, clock.nanoTime());
    }

    @Test
    void shouldCatchUpWithTheWallClockSlowlyAndGoBackAtOnce()
    {
        final SlewedEpochClock clock = new SlewedEpochClock(wallMs::get, nowNs::get);
        pass(500);
        assertEquals(wallMs.get(), clock.time());
        final long beforeMs = clock.time();
        wallMs.addAndGet(60_000);
        assertEquals(beforeMs, clock.time(), "no time passed");
        assertTrue(clock.isBehind());
        pass(500);
        assertEquals(beforeMs + 2_500, clock.time(), "five times the speed");
        for (int i = 0; i < 60; i++)
        {
            pass(500);
            clock.time();
        }
        assertEquals(wallMs.get(), clock.time());
        wallMs.addAndGet(-3_600_000);
        assertEquals(wallMs.get(), clock.time(), "back at once");
    }

    /** A client reads its clock for its heartbeat only, and less often than that on a busy machine. */
    @ParameterizedTest
    @ValueSource(longs = {1, 9, 10, 11, 99, 101, 499, 501, 700, 4_000})
    void shouldNotFallBehindWhenItIsReadRarely(final long intervalMs)
    {
        final EpochClock clock = new SteadyClocks(nowNs::get, wallMs::get).epochClock();
        for (int i = 0; i < 1_000; i++)
        {
            pass(intervalMs);
            assertEquals(wallMs.get(), clock.time());
        }
    }

    @Test
    void shouldNotCatchUpWithAPauseByTheTimeoutOfAClient()
    {
        final EpochClock clock = new SteadyClocks(nowNs::get, wallMs::get).epochClock();
        final long beforeMs = clock.time();
        pass(60_000);
        assertEquals(beforeMs + 5_000, clock.time());
        assertEquals(beforeMs + 5_000, clock.time());
        pass(100);
        assertEquals(beforeMs + 5_500, clock.time());
    }

    private void pass(final long ms)
    {
        nowNs.addAndGet(ms * MS);
        wallMs.addAndGet(ms);
    }
}
