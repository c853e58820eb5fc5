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
import java.util.function.Predicate;

/**
 * Timers with a thread, in real time. The thread's processor time is part of the cost of an operation. Outstanding
 * timers are due long after the run. Timers that fire are set separately.
 */
final class WorkerTimers extends TimersUnderTest
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
    private Schedule schedule;
    private Predicate<Object> cancel;
    private Runnable close;
    /** Whether the worker does its part of an operation later. */
    private boolean isLazy;
    private volatile Thread worker;

    private interface Schedule
    {
        Object of(Runnable job, long delayNs);
    }

    WorkerTimers(final int count)
    {
        super(count);
    }

    /** The thread that runs the timers. */
    private Thread worker(final Runnable loop)
    {
        worker = new Thread(loop, "timers-worker");
        worker.setDaemon(true);
        return worker;
    }

    @Override
    void set(final int timer)
    {
        timers[timer] = schedule.of(task, FAR_NS + delays[timer]);
    }

    @Override
    boolean cancel(final int timer)
    {
        return cancel.test(timers[timer]);
    }

    @Override
    void poll(final long timeNs)
    {
        throw new UnsupportedOperationException("these timers run in real time");
    }

    /** The worker processes in order: when the last timer has fired, all before it are in its wheel. */
    @Override
    void settle()
    {
        if (isLazy)
        {
            final AtomicBoolean hasFired = new AtomicBoolean();
            schedule.of(() -> hasFired.set(true), 0);
            await(hasFired::get, PATIENCE_NS);
        }
    }

    @Override
    void close()
    {
        close.run();
    }

    @Override
    long workerNs()
    {
        return threads.getThreadCpuTime(worker.getId());
    }

    @Override
    long bytes()
    {
        return super.bytes() + threads.getThreadAllocatedBytes(worker.getId());
    }

    /**
     * Set all timers in random order of their deadlines, within a window so short that the worker hardly sleeps, and
     * measure the worker while they fire.
     */
    @Override
    void fire(final TimersBenchmark.Cost cost, final long limitNs)
    {
        long leadNs = LEAD_NS;
        do
        {
            fire(cost, limitNs, leadNs);
            leadNs *= 4;
        }
        // On a busy host all may have fired before the last was set.
        while (0 == cost.operations && leadNs < PATIENCE_NS);
    }

    private void fire(final TimersBenchmark.Cost cost, final long limitNs, final long leadNs)
    {
        final int count = delays.length;
        final int least = Math.min(count, LEAST);
        final long dueNs = System.nanoTime() + leadNs + count * SET_NS;
        final long windowNs = Math.max(LEAST_WINDOW_NS, count * WINDOW_NS);
        workerFired.set(0);
        for (final long delayNs : delays)
        {
            schedule.of(task, dueNs + (long)((double)delayNs / SPREAD_NS * windowNs) - System.nanoTime());
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
    WorkerTimers netty()
    {
        final HashedWheelTimer wheel =
            new HashedWheelTimer(this::worker, 1, TimeUnit.MILLISECONDS, SPOKES, false);
        schedule = (job, delayNs) -> wheel.newTimeout((timeout) -> job.run(), delayNs, TimeUnit.NANOSECONDS);
        cancel = (timeout) -> ((Timeout)timeout).cancel();
        close = wheel::stop;
        isLazy = true;
        wheel.start();
        return this;
    }

    /** The JDK's executor with one thread, which removes cancelled tasks. */
    WorkerTimers jdk()
    {
        final ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, this::worker);
        executor.setRemoveOnCancelPolicy(true);
        schedule = (job, delayNs) -> executor.schedule(job, delayNs, TimeUnit.NANOSECONDS);
        cancel = (future) -> ((Future<?>)future).cancel(false);
        close = executor::shutdownNow;
        executor.prestartAllCoreThreads();
        return this;
    }
}
