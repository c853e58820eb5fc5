package io.escapement.rooms;

/**
 * A room's random stream: SplitMix64. Its whole state is one long, and is part of a snapshot. The seed is in the
 * command that opens the room. Do not use it for secrets.
 */
public final class RoomRandom
{
    private static final long GAMMA = 0x9E3779B97F4A7C15L;

    private long state;

    /**
     * Start a stream.
     *
     * @param seed of the stream.
     */
    public RoomRandom(final long seed)
    {
        state = seed;
    }

    /** The next 64 bits. */
    public long nextLong()
    {
        state += GAMMA;
        long z = state;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    /**
     * A number below a bound. When the bound is not a power of two, the bias of a number is less than 1 :
     * 4,000,000,000.
     *
     * @param bound above 0.
     * @return 0 up to the bound, exclusive.
     */
    public int nextInt(final int bound)
    {
        if (bound <= 0)
        {
            throw new IllegalArgumentException("bound must be above 0: " + bound);
        }

        return (int)(((nextLong() >>> 32) * bound) >>> 32);
    }

    /**
     * A number of a range, with the bias of {@link #nextInt(int)}.
     *
     * @param origin least number.
     * @param bound  above the origin.
     * @return origin up to the bound, exclusive.
     */
    public int nextInt(final int origin, final int bound)
    {
        final long range = (long)bound - origin;
        if (range <= 0)
        {
            throw new IllegalArgumentException("bound must be above " + origin + ": " + bound);
        }

        return (int)(origin + (((nextLong() >>> 32) * range) >>> 32));
    }

    /**
     * Bring the first values of an array into a random order.
     *
     * @param values to shuffle.
     * @param length number of them.
     */
    public void shuffle(final int[] values, final int length)
    {
        for (int i = length; i > 1; i--)
        {
            final int other = nextInt(i);
            final int value = values[i - 1];
            values[i - 1] = values[other];
            values[other] = value;
        }
    }

    /**
     * Bring the elements of an array into a random order.
     *
     * @param elements to shuffle.
     */
    public void shuffle(final Object[] elements)
    {
        for (int i = elements.length; i > 1; i--)
        {
            final int other = nextInt(i);
            final Object element = elements[i - 1];
            elements[i - 1] = elements[other];
            elements[other] = element;
        }
    }

    /**
     * Start another stream from a number of this one, for a part of the room that must not change the numbers of the
     * others. Its {@link #state()} belongs into the snapshot of the room.
     */
    public RoomRandom fork()
    {
        return new RoomRandom(nextLong());
    }

    /** A number from 0 up to 1, exclusive. */
    public double nextDouble()
    {
        return (nextLong() >>> 11) * 0x1.0p-53;
    }

    /** The state of the stream, for a snapshot. */
    public long state()
    {
        return state;
    }

    /**
     * Continue from a state.
     *
     * @param value of {@link #state()}.
     */
    public void state(final long value)
    {
        state = value;
    }
}
