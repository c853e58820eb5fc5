package io.escapement.engine;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.concurrent.NanoClock;

/**
 * Tells what an invoked driver allocates from what the engine does in the same thread. The driver's agents read the
 * driver's clock before anything else, and the edge reads the engine's: what lies between is the driver's.
 */
final class DriverShare
{
    private final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
    private final AtomicLong driverBytes = new AtomicLong();
    private final AtomicLong engineBytes = new AtomicLong();
    private volatile Thread carrier;
    private boolean isInDriver;
    private boolean wasInDriver;
    private long sinceBytes;

    /** Begin to count, in the thread that has the driver in it. */
    void carrier(final Thread thread)
    {
        carrier = thread;
    }

    NanoClock driverClock()
    {
        return this::driverTime;
    }

    NanoClock engineClock()
    {
        return this::engineTime;
    }

    /** What the driver has allocated since the beginning. */
    long driverBytes()
    {
        return driverBytes.get();
    }

    /** What everything else in that thread has allocated since the beginning. */
    long engineBytes()
    {
        return engineBytes.get();
    }

    private long driverTime()
    {
        if (!isInDriver && carrier == Thread.currentThread())
        {
            isInDriver = true;
            final long nowBytes = threads.getCurrentThreadAllocatedBytes();
            if (wasInDriver)
            {
                engineBytes.lazySet(engineBytes.get() + nowBytes - sinceBytes);
            }
            sinceBytes = nowBytes;
        }
        return System.nanoTime();
    }

    private long engineTime()
    {
        if (carrier == Thread.currentThread() && isInDriver)
        {
            isInDriver = false;
            wasInDriver = true;
            final long nowBytes = threads.getCurrentThreadAllocatedBytes();
            driverBytes.lazySet(driverBytes.get() + nowBytes - sinceBytes);
            sinceBytes = nowBytes;
        }
        return System.nanoTime();
    }
}
