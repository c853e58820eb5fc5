package io.escapement.accounts;

import io.escapement.ratelimit.FairQueue;
import java.util.function.Consumer;

/**
 * A fair queue per network, between the edge's thread and workers. The edge's thread never waits. Workers wait for
 * log-ins.
 */
final class LogInQueue<T>
{
    private final FairQueue<T> queue;
    private boolean isClosed;

    LogInQueue(final int limit)
    {
        queue = new FairQueue<>(limit);
    }

    /** Add a log-in. Returns the log-in without a place, or null. A closed queue has no places. */
    synchronized T offer(final String prefix, final T logIn)
    {
        if (isClosed)
        {
            return logIn;
        }
        notify();
        return queue.offer(prefix, logIn);
    }

    /** Wait for the next log-in. Returns null when the queue is closed. */
    synchronized T take() throws InterruptedException
    {
        while (queue.isEmpty() && !isClosed)
        {
            wait();
        }
        return queue.poll();
    }

    /** Stop the workers, and pass on the log-ins that wait. */
    synchronized void close(final Consumer<T> waiting)
    {
        isClosed = true;
        for (T logIn = queue.poll(); null != logIn; logIn = queue.poll())
        {
            waiting.accept(logIn);
        }
        notifyAll();
    }
}
