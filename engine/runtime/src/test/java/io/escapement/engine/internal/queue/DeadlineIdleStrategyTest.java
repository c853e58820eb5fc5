package io.escapement.engine.internal.queue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** How long before a deadline a thread spins and no longer parks. The test supplies the clock and the parks. */
class DeadlineIdleStrategyTest
{
    private static final long FAR_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long LEAST_NS = DeadlineIdleStrategy.MIN_SPIN_NS;
    private static final long MOST_NS = DeadlineIdleStrategy.MAX_SPIN_NS;
    private static final long SPARE_NS = DeadlineIdleStrategy.WARM_UP_NS;

    private long nowNs;
    private long deadlineNs;
    private long wakesNs;
    private boolean hasParked;
    private final DeadlineIdleStrategy idle = new DeadlineIdleStrategy(
        new EngineClock(() -> nowNs), () -> deadlineNs, new Wakeup(), this::parkedUntilItWakes, Long.MAX_VALUE);

    @Test
    void shouldParkOnlyFarFromADeadline()
    {
        assertTrue(parks(LEAST_NS + 1));
        assertFalse(parks(LEAST_NS));
    }

    @Test
    void shouldSpinForLongerWhereTheHostIsLate()
    {
        wake(LEAST_NS, 150_000);
        assertFalse(parks(150_000 + SPARE_NS));
        assertTrue(parks(150_000 + SPARE_NS + 1));
    }

    @Test
    void shouldForgetWhatDoesNotHappenAgain()
    {
        wake(LEAST_NS, 150_000);
        for (int i = 0; i < 100; i++)
        {
            wake(LEAST_NS, 0);
        }
        assertTrue(parks(LEAST_NS + 1));
    }

    @Test
    void shouldNotSpinForEverAfterAStandstill()
    {
        wake(LEAST_NS, TimeUnit.SECONDS.toNanos(1));
        assertFalse(parks(MOST_NS));
        assertTrue(parks(MOST_NS + 1));
    }

    @Test
    void shouldLearnNothingFromWriters()
    {
        wake(LEAST_NS, 150_000);
        for (int i = 0; i < 100; i++)
        {
            wake(LEAST_NS, -FAR_NS / 2);
        }
        assertFalse(parks(150_000 + SPARE_NS));
    }

    /** Park far from a deadline, with a spin of this length, and wake this much later than requested. */
    private void wake(final long spinNs, final long lateNs)
    {
        deadlineNs = nowNs + FAR_NS;
        wakesNs = deadlineNs - spinNs + lateNs;
        idle.idle(0);
    }

    private boolean parks(final long leftNs)
    {
        deadlineNs = nowNs + leftNs;
        wakesNs = nowNs;
        hasParked = false;
        idle.idle(0);
        return hasParked;
    }

    /** Called immediately before the park, which its result prevents. */
    private boolean parkedUntilItWakes()
    {
        hasParked = true;
        nowNs = wakesNs;
        return false;
    }
}
