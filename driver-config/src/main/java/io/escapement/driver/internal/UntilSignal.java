package io.escapement.driver.internal;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.ShutdownSignalBarrier;

/**
 * Runs a program until a signal, and then exits the process with its status. If a signal kills a JVM, it has the
 * signal's status, unless it is halted while the barrier is open.
 */
public final class UntilSignal
{
    private final CountDownLatch end = new CountDownLatch(1);
    private volatile boolean isFaulty;

    /**
     * A program.
     *
     * @param <E> that it may throw.
     */
    @FunctionalInterface
    public interface Program<E extends Exception>
    {
        /**
         * Start, {@link UntilSignal#await()}, and stop.
         *
         * @param until the end.
         * @return status of the process.
         */
        int run(UntilSignal until) throws E;
    }

    /**
     * Run a program.
     *
     * @param program to run.
     * @return only by its exception. After a signal the caller must halt the JVM, with the status of a failure.
     */
    public static <E extends Exception> int run(final Program<E> program) throws E
    {
        final UntilSignal until = new UntilSignal();
        final ShutdownSignalBarrier barrier = new ShutdownSignalBarrier(until::end);
        try
        {
            final int status = program.run(until);
            Runtime.getRuntime().halt(status);
            return status;
        }
        finally
        {
            if (!until.isOver())
            {
                barrier.close();
            }
        }
    }

    /** Wait for a signal, {@link #end()} or {@link #fault()}. Returns whether the program is to stop in order. */
    public boolean await()
    {
        await(Long.MAX_VALUE);
        return !isFaulty;
    }

    /**
     * Wait as {@link #await()} does, for a time. An interrupt also asks for the end.
     *
     * @param ms to wait at most.
     * @return whether the end has been requested.
     */
    public boolean await(final long ms)
    {
        try
        {
            return end.await(ms, TimeUnit.MILLISECONDS);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            end();
            return true;
        }
    }

    /** Have the program stop in order. */
    public void end()
    {
        end.countDown();
    }

    /** A thread has exited, leaving no order to stop in. */
    public void fault()
    {
        isFaulty = true;
        end();
    }

    /** Whether the program stops. */
    public boolean isOver()
    {
        return 0 == end.getCount();
    }
}
