package io.escapement.testsupport;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Passing time in tests, for classes that are {@link RealTime}. */
@RealTime("time passes")
public final class RealTimes
{
    private static final long PARK_NS = 100_000;

    private RealTimes()
    {
    }

    /**
     * Check for a while that a condition stays true.
     *
     * @param durationNs how long to check.
     * @param condition  that must not become false.
     * @param message    names the condition.
     */
    public static void hold(final long durationNs, final BooleanSupplier condition, final String message)
    {
        final long startNs = System.nanoTime();
        while (System.nanoTime() - startNs < durationNs)
        {
            if (!condition.getAsBoolean())
            {
                throw new AssertionError("did not hold: " + message);
            }
            LockSupport.parkNanos(PARK_NS);
        }
    }
}
