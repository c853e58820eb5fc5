package io.escapement.accounts;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import static org.junit.jupiter.api.Assertions.fail;

/** What several tests need. */
final class Tests
{
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(20);

    private Tests()
    {
    }

    static boolean isFull()
    {
        return "full".equals(System.getProperty("escapement.tests"));
    }

    static void await(final BooleanSupplier condition, final String what)
    {
        final long startNs = System.nanoTime();
        while (!condition.getAsBoolean())
        {
            LockSupport.parkNanos(100_000);
            if (System.nanoTime() - startNs > PATIENCE_NS)
            {
                fail("waited in vain for " + what);
            }
        }
    }
}
