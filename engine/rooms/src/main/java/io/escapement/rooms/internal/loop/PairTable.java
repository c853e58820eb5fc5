package io.escapement.rooms.internal.loop;

import org.agrona.BitUtil;

/**
 * Maps pairs of numbers, such as a room and a correlation id of it, to numbers above 0. Open addressing with linear
 * probing: a removal moves later entries up, and gaps do not accumulate.
 */
final class PairTable
{
    /** The value of a pair that is not in the table. */
    static final long NONE = 0;

    private static final int INITIAL_CAPACITY = 64;
    private static final long MIX = 0x9E37_79B9_7F4A_7C15L;

    private long[] firsts = new long[INITIAL_CAPACITY];
    private long[] seconds = new long[INITIAL_CAPACITY];
    private long[] values = new long[INITIAL_CAPACITY];
    private int size;

    int size()
    {
        return size;
    }

    long get(final long first, final long second)
    {
        return values[find(first, second)];
    }

    /** Map a pair to a value above 0, instead of the value that it may have. */
    void put(final long first, final long second, final long value)
    {
        if (size >= values.length / 2)
        {
            grow();
        }
        final int at = find(first, second);
        size += NONE == values[at] ? 1 : 0;
        firsts[at] = first;
        seconds[at] = second;
        values[at] = value;
    }

    /** Remove a pair. Returns the value that it had. */
    long remove(final long first, final long second)
    {
        int hole = find(first, second);
        final long value = values[hole];
        if (NONE == value)
        {
            return NONE;
        }
        size--;
        final int mask = values.length - 1;
        for (int at = next(hole); NONE != values[at]; at = next(at))
        {
            // An entry may move up unless its home is after the hole.
            final int home = home(firsts[at], seconds[at]);
            if (((at - home) & mask) >= ((at - hole) & mask))
            {
                firsts[hole] = firsts[at];
                seconds[hole] = seconds[at];
                values[hole] = values[at];
                hole = at;
            }
        }
        values[hole] = NONE;
        return value;
    }

    /** The place of a pair, or the free one where it belongs. */
    private int find(final long first, final long second)
    {
        int at = home(first, second);
        while (NONE != values[at] && (firsts[at] != first || seconds[at] != second))
        {
            at = next(at);
        }
        return at;
    }

    private int home(final long first, final long second)
    {
        final long mixed = (first * MIX ^ second) * MIX;
        return (int)(mixed >>> Integer.SIZE) & (values.length - 1);
    }

    private int next(final int at)
    {
        return (at + 1) & (values.length - 1);
    }

    private void grow()
    {
        final long[] oldFirsts = firsts;
        final long[] oldSeconds = seconds;
        final long[] oldValues = values;
        final int capacity = BitUtil.findNextPositivePowerOfTwo(2 * oldValues.length);
        firsts = new long[capacity];
        seconds = new long[capacity];
        values = new long[capacity];
        for (int i = 0; i < oldValues.length; i++)
        {
            if (NONE != oldValues[i])
            {
                final int at = find(oldFirsts[i], oldSeconds[i]);
                firsts[at] = oldFirsts[i];
                seconds[at] = oldSeconds[i];
                values[at] = oldValues[i];
            }
        }
    }
}
