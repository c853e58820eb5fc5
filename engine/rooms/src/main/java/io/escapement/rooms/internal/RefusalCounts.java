package io.escapement.rooms.internal;

import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import io.escapement.rooms.output.HostListener;

/** Counts refusals by code. */
final class RefusalCounts
{
    /** The highest code that fits the wire. */
    static final int MAX_CODE = 0xFFFF;

    /** Codes of the engine are counted one by one; those of applications share the last count. */
    private static final int COUNTED_CODES = 128;

    private final HostListener listener;
    private final long[] counts = new long[COUNTED_CODES + 1];

    RefusalCounts(final HostListener listener)
    {
        this.listener = listener;
    }

    /** Count a refusal, and return its code. */
    int counted(final int code)
    {
        counts[Math.min(code, COUNTED_CODES)]++;
        listener.onRefused(code);
        return code;
    }

    long count(final int code)
    {
        return counts[Math.min(code, COUNTED_CODES)];
    }

    void write(final StateWriter writer)
    {
        for (final long count : counts)
        {
            writer.putLong(count);
        }
    }

    void read(final StateReader reader)
    {
        for (int i = 0; i < counts.length; i++)
        {
            counts[i] = reader.getLong();
        }
    }
}
