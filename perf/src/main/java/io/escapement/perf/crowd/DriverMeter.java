package io.escapement.perf.crowd;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Separates an invoked driver from the engine in the same thread. The driver's agents read the driver's clock first,
 * and the edge and the idle strategy read the engine's clock first. All time between these reads is the driver's. Both
 * clocks show the same time.
 */
final class DriverMeter
{
    private final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
    /** Allocated by the driver. */
    final AtomicLong bytes = new AtomicLong();
    /** Allocated in the driver's thread by everything else. */
    final AtomicLong engineBytes = new AtomicLong();
    /** How long the driver was invoked. */
    final AtomicLong ns = new AtomicLong();
    /** The thread that invokes the driver. */
    volatile Thread carrier;
    private boolean isInDriver;
    private boolean wasInDriver;
    private long fromBytes;
    private long toBytes;
    private long fromNs;

    /** The driver's clock. */
    long driverTime()
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

    /** The engine's clock. */
    long engineTime()
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
