package io.escapement.perf.players;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.concurrent.NanoClock;

/**
 * Tells an invoked driver from the engine in whose thread it runs. The driver's agents read the driver's clock before
 * anything else, and the edge and the idle strategy read the engine's before anything else: what lies between is the
 * driver's. Both clocks show the same time.
 */
final class DriverShare
{
    private final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong othersBytes = new AtomicLong();
    private final AtomicLong ns = new AtomicLong();
    private volatile Thread carrier;
    private boolean isInDriver;
    private boolean wasInDriver;
    private long fromBytes;
    private long toBytes;
    private long fromNs;

    /** From here on the driver's share of this thread is told. */
    void carrier(final Thread thread)
    {
        carrier = thread;
    }

    boolean isCarrier(final Thread thread)
    {
        return carrier == thread;
    }

    NanoClock driverClock()
    {
        return this::driverTime;
    }

    NanoClock engineClock()
    {
        return this::engineTime;
    }

    /** What the driver has allocated, from any thread. */
    long bytes()
    {
        return bytes.get();
    }

    /** What everything else in that thread has allocated, from any thread. */
    long othersBytes()
    {
        return othersBytes.get();
    }

    /** How long the driver has been invoked for, from any thread. */
    long ns()
    {
        return ns.get();
    }

    private long driverTime()
    {
        final long nowNs = System.nanoTime();
        if (carrier == Thread.currentThread() && !isInDriver)
        {
            isInDriver = true;
            fromBytes = threads.getCurrentThreadAllocatedBytes();
            fromNs = nowNs;
            if (wasInDriver)
            {
                othersBytes.lazySet(othersBytes.get() + fromBytes - toBytes);
            }
        }
        return nowNs;
    }

    private long engineTime()
    {
        final long nowNs = System.nanoTime();
        if (carrier == Thread.currentThread() && isInDriver)
        {
            isInDriver = false;
            wasInDriver = true;
            toBytes = threads.getCurrentThreadAllocatedBytes();
            bytes.lazySet(bytes.get() + toBytes - fromBytes);
            ns.lazySet(ns.get() + nowNs - fromNs);
        }
        return nowNs;
    }
}
