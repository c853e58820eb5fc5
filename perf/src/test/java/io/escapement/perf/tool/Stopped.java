package io.escapement.perf.tool;

import io.escapement.testsupport.RealTime;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** Stops a process for a while. */
@RealTime("time in which a process is stopped")
final class Stopped
{
    private Stopped()
    {
    }

    /** Wait, stop the process, wait, and continue it. Returns how long it was stopped, in milliseconds. */
    static long pause(final long pid, final long beforeMs, final long stopMs)
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
