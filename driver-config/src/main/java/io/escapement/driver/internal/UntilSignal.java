package io.escapement.driver.internal;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.ShutdownSignalBarrier;

/**
 * Runs an application until a signal, and then exits the process with its status. If a signal kills a JVM, it has the
 * signal's status, unless it is halted while the barrier is open.
 */
public final class UntilSignal
{
    private final CountDownLatch end = new CountDownLatch(1);
    private volatile boolean isFaulty;

    /**
     * An application.
     *
     * @param <E> that it may throw.
     */
    @FunctionalInterface
    public interface Application<E extends Exception>
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
     * Run an application.
     *
     * @param application to run.
     * @return only by its exception. After a signal the caller must halt the JVM, with the status of a failure.
     */
    public static <E extends Exception> int run(final Application<E> application) throws E
    {
        final UntilSignal until = new UntilSignal();
        final ShutdownSignalBarrier barrier = new ShutdownSignalBarrier(until::end);
        try
        {
            final int status = application.run(until);
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

    /** Wait for a signal, {@link #end()} or {@link #fault()}. Returns whether the application is to stop in order. */
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

    /** Have the application stop in order. */
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

    /** Whether the application stops. */
    public boolean isOver()
    {
        return 0 == end.getCount();
    }
}
