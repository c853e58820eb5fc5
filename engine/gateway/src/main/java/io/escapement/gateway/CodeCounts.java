package io.escapement.gateway;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;

/** Counts of codes, some of which are the application's. One thread counts, any may read. */
final class CodeCounts
{
    /** Receives each code with its count. */
    @FunctionalInterface
    interface Visitor
    {
        void accept(int code, long count);
    }

    /** Number of codes with separate counts. Further codes count as 0. */
    static final int LIMIT = 64;

    private final AtomicIntegerArray codes = new AtomicIntegerArray(LIMIT + 1);
    private final AtomicLongArray counts = new AtomicLongArray(LIMIT + 1);
    private volatile int size;

    void increment(final int code)
    {
        final int known = size;
        int i = 0;
        while (i < known && codes.getPlain(i) != code)
        {
            i++;
        }
        if (i == known && known < LIMIT)
        {
            codes.setPlain(i, code);
            size = known + 1;
        }
        counts.setRelease(i, counts.getPlain(i) + 1);
    }

    void forEach(final Visitor visitor)
    {
        for (int i = size - 1; i >= 0; i--)
        {
            visitor.accept(codes.getPlain(i), counts.getAcquire(i));
        }
        if (0 != counts.getAcquire(LIMIT))
        {
            visitor.accept(0, counts.getAcquire(LIMIT));
        }
    }
}
