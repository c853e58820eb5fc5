package io.escapement.rooms;

import java.nio.ByteOrder;
import org.agrona.DirectBuffer;

/**
 * A running 64-bit hash: the same values in the same order give the same hash on every machine. It is not
 * cryptographic.
 */
public final class StateHash implements StateWriter
{
    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

    private static final int LANES_LENGTH = 4 * Long.BYTES;
    /** Four lanes have to be put together again. */
    private static final int MIN_LANES_LENGTH = 2 * LANES_LENGTH;

    private long hash = MULTIPLIER;

    @Override
    public void putLong(final long value)
    {
        hash = mix(hash, value);
    }

    @Override
    public void putBytes(final DirectBuffer buffer, final int offset, final int length)
    {
        putLong(length);
        final int end = offset + length;
        int i = offset;
        if (length >= MIN_LANES_LENGTH)
        {
            // Lanes do not wait for each other's multiplications.
            long a = 1;
            long b = 2;
            long c = 3;
            long d = 4;
            for (; i <= end - LANES_LENGTH; i += LANES_LENGTH)
            {
                a = mix(a, buffer.getLong(i, ByteOrder.LITTLE_ENDIAN));
                b = mix(b, buffer.getLong(i + Long.BYTES, ByteOrder.LITTLE_ENDIAN));
                c = mix(c, buffer.getLong(i + 2 * Long.BYTES, ByteOrder.LITTLE_ENDIAN));
                d = mix(d, buffer.getLong(i + 3 * Long.BYTES, ByteOrder.LITTLE_ENDIAN));
            }
            putLong(a);
            putLong(b);
            putLong(c);
            putLong(d);
        }
        for (; i <= end - Long.BYTES; i += Long.BYTES)
        {
            putLong(buffer.getLong(i, ByteOrder.LITTLE_ENDIAN));
        }
        if (i < end)
        {
            long rest = 0;
            for (int shift = 0; i < end; i++, shift += Byte.SIZE)
            {
                rest |= (buffer.getByte(i) & 0xFFL) << shift;
            }
            putLong(rest);
        }
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
