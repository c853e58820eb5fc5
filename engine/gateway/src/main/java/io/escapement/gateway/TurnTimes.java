package io.escapement.gateway;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;

/** How long the turns of a worker took. Its thread records, any may read. */
final class TurnTimes
{
    /** The first bucket holds times up to 1.024 us. Each later bucket doubles that bound, up to 8.6 s in the last. */
    static final int BUCKETS = 24;

    private static final int FIRST_BITS = 10;
    private static final int SUM = BUCKETS + 1;
    private static final int BUSY = BUCKETS + 2;

    /** Buckets, longer ones, their sum, and the time of all turns that did something. */
    private final AtomicLongArray values = new AtomicLongArray(BUCKETS + 3);

    /** Upper end of a bucket in nanoseconds. */
    static long endNs(final int bucket)
    {
        return 1L << FIRST_BITS + bucket;
    }

    /** A turn did something for this long. */
    void onBusy(final long ns)
    {
        add(BUSY, ns);
    }

    /** A turn took this long from the poll of its trunk to the end of its flushes. */
    void onFlush(final long ns)
    {
        final long above = Math.max(0, ns - 1) >>> FIRST_BITS;
        add(Math.min(BUCKETS, Long.SIZE - Long.numberOfLeadingZeros(above)), 1);
        add(SUM, ns);
    }

    private void add(final int index, final long amount)
    {
        values.setRelease(index, values.getPlain(index) + amount);
    }

    /** Turns of a bucket. The index after the last bucket holds the longer turns. */
    long count(final int bucket)
    {
        return values.getAcquire(bucket);
    }

    double sumSeconds()
    {
        return seconds(values.getAcquire(SUM));
    }

    double busySeconds()
    {
        return seconds(values.getAcquire(BUSY));
    }

    static double seconds(final long ns)
    {
        return ns / (double)TimeUnit.SECONDS.toNanos(1);
    }
}
