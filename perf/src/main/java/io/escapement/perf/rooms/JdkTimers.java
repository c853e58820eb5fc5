package io.escapement.perf.rooms;

import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The JDK's executor with one thread, which removes cancelled tasks. */
final class JdkTimers extends WorkerTimers
{
    private final ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, this::worker);

    JdkTimers(final long[] delays, final int[] cancelOrder)
    {
        super(delays, cancelOrder);
        executor.setRemoveOnCancelPolicy(true);
        executor.prestartAllCoreThreads();
    }

    @Override
    Object set(final Runnable task, final long delayNs)
    {
        return executor.schedule(task, delayNs, TimeUnit.NANOSECONDS);
    }

    @Override
    boolean cancel(final Object future)
    {
        return ((Future<?>)future).cancel(false);
    }

    @Override
    void close()
    {
        executor.shutdownNow();
    }
}
