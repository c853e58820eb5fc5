package io.escapement.server;

import org.agrona.concurrent.ShutdownSignalBarrier;

/**
 * Runs a program until a signal, and ends the process with its status. A JVM that ends by a signal has the signal's
 * status, unless it is halted while the barrier is open.
 */
final class UntilSignal
{
    private final ShutdownSignalBarrier barrier = new ShutdownSignalBarrier();
    private boolean isOver;
    private volatile boolean isFaulty;

    private UntilSignal()
    {
    }

    /** A program. */
    interface Program
    {
        /**
         * Start, {@link UntilSignal#await()}, and stop.
         *
         * @return status of the process.
         */
        int run(UntilSignal until) throws Exception;
    }

    /** Run a program. Returns only by its exception. */
    static int run(final Program program) throws Exception
    {
        final UntilSignal until = new UntilSignal();
        try
        {
            final int status = program.run(until);
            Runtime.getRuntime().halt(status);
            return status;
        }
        finally
        {
            // After a signal the exception decides the status, and the caller has yet to report it.
            if (!until.isOver)
            {
                until.barrier.close();
            }
        }
    }

    /** Wait for a signal, {@link #end()} or {@link #fault()}. Returns whether the program is to stop in order. */
    boolean await()
    {
        barrier.await();
        isOver = true;
        return !isFaulty;
    }

    void end()
    {
        barrier.signal();
    }

    /** A thread has ended, so that there is no order to stop in. */
    void fault()
    {
        isFaulty = true;
        end();
    }
}
