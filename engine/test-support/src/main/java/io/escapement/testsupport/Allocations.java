package io.escapement.testsupport;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** Measures allocations of the calling thread. */
public final class Allocations
{
    private static final ThreadMXBean THREADS = (ThreadMXBean)ManagementFactory.getThreadMXBean();

    private Allocations()
    {
    }

    /**
     * Run the same work in rounds, and return the bytes that the best round allocated. The JVM charges a thread for
     * loaded classes and deoptimised code, up to a few hundred bytes in some rounds. Code that allocates does so in
     * every round. After a round without allocation, no further round runs.
     *
     * @param rounds at most this many.
     * @param round  must do enough work that a rare allocation takes place in every round.
     * @return the least number of bytes that a round allocated.
     */
    public static long least(final int rounds, final Runnable round)
    {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < rounds && 0 != least; i++)
        {
            final long before = THREADS.getCurrentThreadAllocatedBytes();
            round.run();
            least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
        }
        return least;
    }
}
