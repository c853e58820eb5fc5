package io.escapement.perf.rooms;

import io.netty.util.HashedWheelTimer;
import io.netty.util.Timeout;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Timers with a thread, in real time. The thread's processor time is part of the cost of an operation. Outstanding
 * timers are due long after the run; those that fire are set separately.
 */
abstract class WorkerTimers extends TimersUnderTest
{
    private static final long FAR_NS = TimeUnit.HOURS.toNanos(1);
    private static final long LEAD_NS = TimeUnit.MILLISECONDS.toNanos(50);
    /** More than it takes to set a timer. */
    private static final long SET_NS = 1_000;
    /** Mean distance of two deadlines. */
    private static final long WINDOW_NS = 1_000;
    private static final long LEAST_WINDOW_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long BEFORE_NS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final int LEAST = 1_000;
    private static final long PAUSE_NS = 50_000;
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(10);

    private final Object[] timers = new Object[delays.length];
    private final AtomicInteger workerFired = new AtomicInteger();
    // Single writer: the worker.
    private final Runnable task = () -> workerFired.lazySet(workerFired.get() + 1);
    private volatile Thread worker;

    WorkerTimers(final int count)
    {
        super(count);
    }

    abstract Object schedule(Runnable job, long delayNs);

    abstract boolean cancel(Object timer);

    /** The thread that runs the timers. */
    final Thread worker(final Runnable loop)
    {
        worker = new Thread(loop, "timers-worker");
        worker.setDaemon(true);
        return worker;
    }

    @Override
    final void set(final int timer)
    {
        timers[timer] = schedule(task, FAR_NS + delays[timer]);
    }

    @Override
    final boolean cancel(final int timer)
    {
        return cancel(timers[timer]);
    }

    @Override
    final void poll(final long timeNs)
    {
        throw new UnsupportedOperationException("these timers run in real time");
    }

    @Override
    final long workerNs()
    {
        return threads.getThreadCpuTime(worker.getId());
    }

    @Override
    final long bytes()
    {
        return super.bytes() + threads.getThreadAllocatedBytes(worker.getId());
    }

    /**
     * Set all timers in random order of their deadlines, within a window so short that the worker hardly sleeps, and
     * measure the worker while they fire.
     */
    @Override
    final void fire(final TimersBenchmark.Cost cost, final long limitNs)
    {
        final int count = delays.length;
        final int least = Math.min(count, LEAST);
        final long dueNs = System.nanoTime() + LEAD_NS + count * SET_NS;
        final long windowNs = Math.max(LEAST_WINDOW_NS, count * WINDOW_NS);
        for (final long delayNs : delays)
        {
            schedule(task, dueNs + (long)((double)delayNs / SPREAD_NS * windowNs) - System.nanoTime());
        }
        settle();
        await(() -> System.nanoTime() > dueNs - BEFORE_NS, PATIENCE_NS);
        final int firedBefore = workerFired.get();
        final long workerBefore = workerNs();
        final long bytesBefore = bytes();
        await(() -> workerFired.get() == count, Math.max(limitNs, LEAST_WINDOW_NS));
        // A slow worker is sampled. If it has not started in time, it has lost its timers.
        await(() -> workerFired.get() >= least, PATIENCE_NS);
        cost.operations = workerFired.get() - firedBefore;
        cost.ns = workerNs() - workerBefore;
        cost.bytes = bytes() - bytesBefore;
        checkLost(least - workerFired.get());
    }

    private static void await(final BooleanSupplier condition, final long patienceNs)
    {
        final long startNs = System.nanoTime();
        while (!condition.getAsBoolean() && System.nanoTime() - startNs < patienceNs)
        {
            LockSupport.parkNanos(PAUSE_NS);
        }
    }

    /** Netty's wheel. Its worker completes a set or a cancellation at the next tick. */
    static final class Netty extends WorkerTimers
    {
        private final HashedWheelTimer wheel =
            new HashedWheelTimer(this::worker, 1, TimeUnit.MILLISECONDS, SPOKES, false);

        Netty(final int count)
        {
            super(count);
            wheel.start();
        }

        @Override
        Object schedule(final Runnable job, final long delayNs)
        {
            return wheel.newTimeout((timeout) -> job.run(), delayNs, TimeUnit.NANOSECONDS);
        }

        @Override
        boolean cancel(final Object timeout)
        {
            return ((Timeout)timeout).cancel();
        }

        /** The worker processes in order: when the last timer has fired, all before it are in the wheel. */
        @Override
        void settle()
        {
            final AtomicBoolean hasFired = new AtomicBoolean();
            schedule(() -> hasFired.set(true), 0);
            await(hasFired::get, PATIENCE_NS);
        }

        @Override
        void close()
        {
            wheel.stop();
        }
    }

    /** The JDK's executor with one thread, which removes cancelled tasks. */
    static final class Jdk extends WorkerTimers
    {
        private final ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, this::worker);

        Jdk(final int count)
        {
            super(count);
            executor.setRemoveOnCancelPolicy(true);
            executor.prestartAllCoreThreads();
        }

        @Override
        Object schedule(final Runnable job, final long delayNs)
        {
            return executor.schedule(job, delayNs, TimeUnit.NANOSECONDS);
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
}
