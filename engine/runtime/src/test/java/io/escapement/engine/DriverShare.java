package io.escapement.engine;

import com.sun.management.ThreadMXBean;
import io.escapement.testsupport.RealTime;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.concurrent.NanoClock;

/**
 * Separates the allocations of an invoked driver from those of the engine in the same thread. The driver's agents first
 * read the driver's clock, and the edge first reads the engine's: allocations from the former read to the latter are
 * the driver's.
 */
@RealTime("the time of threads")
final class DriverShare
{
    private final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
    private final AtomicLong driverBytes = new AtomicLong();
    private final AtomicLong engineBytes = new AtomicLong();
    private final AtomicLong driverReadings = new AtomicLong();
    private volatile Thread carrier;
    private boolean isInDriver;
    private boolean wasInDriver;
    private long sinceBytes;

    /** Start to count, in the thread that invokes the driver. */
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

    /** Bytes that the driver has allocated since the start. */
    long driverBytes()
    {
        return driverBytes.get();
    }

    /** How often the driver has read its clock since the start: each of its three agents does in each duty cycle. */
    long driverReadings()
    {
        return driverReadings.get();
    }

    /** Bytes that the rest of that thread has allocated since the start. */
    long engineBytes()
    {
        return engineBytes.get();
    }

    private long driverTime()
    {
        if (carrier != Thread.currentThread())
        {
            return System.nanoTime();
        }
        driverReadings.lazySet(driverReadings.get() + 1);
        if (!isInDriver)
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
