package io.escapement.perf;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** A process that is made to stand still for a while. */
public final class Stopped
{
    private Stopped()
    {
    }

    /**
     * Wait, stop the process, wait, and let it go on.
     *
     * @param pid      of the process.
     * @param beforeMs how long it goes first.
     * @param stopMs   how long it is to stand still.
     * @return how long it did, in milliseconds.
     */
    public static long forAWhile(final long pid, final long beforeMs, final long stopMs)
    {
        park(beforeMs);
        final long startNs = System.nanoTime();
        signal("-STOP", pid);
        park(stopMs);
        signal("-CONT", pid);
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);
    }

    private static void signal(final String name, final long pid)
    {
        try
        {
            final Process kill = new ProcessBuilder("kill", name, Long.toString(pid)).inheritIO().start();
            assertEquals(0, kill.waitFor(), "kill " + name);
        }
        catch (final IOException | InterruptedException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    private static void park(final long ms)
    {
        final long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ms);
        while (System.nanoTime() < endNs)
        {
            LockSupport.parkNanos(endNs - System.nanoTime());
        }
    }
}
