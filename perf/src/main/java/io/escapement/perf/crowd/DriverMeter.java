package io.escapement.perf.crowd;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.concurrent.NanoClock;

/**
 * Separates an invoked driver from the engine whose thread it runs in. The driver's agents read the driver's clock
 * first, and the edge and the idle strategy read the engine's clock first, so everything between is the driver's. Both
 * clocks show the same time.
 */
final class DriverMeter
{
    private final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong engineBytes = new AtomicLong();
    private final AtomicLong ns = new AtomicLong();
    private volatile Thread carrier;
    private boolean isInDriver;
    private boolean wasInDriver;
    private long fromBytes;
    private long toBytes;
    private long fromNs;

    /** Set the thread that invokes the driver. */
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

    /** Allocated by the driver, from any thread. */
    long bytes()
    {
        return bytes.get();
    }

    /** Allocated in the driver's thread by everything else, from any thread. */
    long engineBytes()
    {
        return engineBytes.get();
    }

    /** How long the driver was invoked, from any thread. */
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
                engineBytes.lazySet(engineBytes.get() + fromBytes - toBytes);
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
