package io.escapement.rooms;

import org.agrona.DirectBuffer;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * A running 64-bit hash: the same values in the same order give the same hash on every machine. It is not
 * cryptographic.
 */
public final class StateHash implements StateWriter
{
    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

    private static final int LANES_LENGTH = 4 * Long.BYTES;
    /** Turns of the lanes when they are put together, so that equal values in two lanes do not cancel. */
    private static final int TURN_B = 16;
    private static final int TURN_C = 32;
    private static final int TURN_D = 48;

    private long hash = MULTIPLIER;

    @Override
    public void putLong(final long value)
    {
        hash = mix(hash, value);
    }

    @Override
    public void putBytes(final DirectBuffer buffer, final int offset, final int length)
    {
        // Lanes do not wait for each other's multiplications.
        long a = 1 + (long)length;
        long b = 2;
        long c = 3;
        long d = 4;
        final int end = offset + length;
        int i = offset;
        for (; i <= end - LANES_LENGTH; i += LANES_LENGTH)
        {
            a = mix(a, buffer.getLong(i, LITTLE_ENDIAN));
            b = mix(b, buffer.getLong(i + Long.BYTES, LITTLE_ENDIAN));
            c = mix(c, buffer.getLong(i + 2 * Long.BYTES, LITTLE_ENDIAN));
            d = mix(d, buffer.getLong(i + 3 * Long.BYTES, LITTLE_ENDIAN));
        }
        if (i <= end - 2 * Long.BYTES)
        {
            a = mix(a, buffer.getLong(i, LITTLE_ENDIAN));
            b = mix(b, buffer.getLong(i + Long.BYTES, LITTLE_ENDIAN));
            i += 2 * Long.BYTES;
        }
        if (i <= end - Long.BYTES)
        {
            c = mix(c, buffer.getLong(i, LITTLE_ENDIAN));
            i += Long.BYTES;
        }
        if (i < end)
        {
            long rest = 0;
            for (int shift = 0; i < end; i++, shift += Byte.SIZE)
            {
                rest |= (buffer.getByte(i) & 0xFFL) << shift;
            }
            d = mix(d, rest);
        }
        putLanes(a, b, c, d);
    }

    /**
     * Put four values side by side, in less time than one after the other.
     *
     * @param first  value.
     * @param second value.
     * @param third  value.
     * @param fourth value.
     */
    public void putLongs(final long first, final long second, final long third, final long fourth)
    {
        putLanes(mix(1, first), mix(2, second), mix(3, third), mix(4, fourth));
    }

    private void putLanes(final long a, final long b, final long c, final long d)
    {
        putLong(a ^ Long.rotateLeft(b, TURN_B) ^ Long.rotateLeft(c, TURN_C) ^ Long.rotateLeft(d, TURN_D));
    }

    /** The hash of all values put since the start or the last reset. */
    public long value()
    {
        return hash;
    }

    /**
     * Continue from an earlier hash.
     *
     * @param value the earlier hash.
     */
    public void value(final long value)
    {
        hash = value;
    }

    /** Return to the hash of no values. */
    public void reset()
    {
        hash = MULTIPLIER;
    }

    private static long mix(final long hash, final long value)
    {
        final long mixed = (hash ^ value) * MULTIPLIER;
        return mixed ^ (mixed >>> 29);
    }
}
