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

    private long hash = MULTIPLIER;

    @Override
    public void putLong(final long value)
    {
        final long mixed = (hash ^ value) * MULTIPLIER;
        hash = mixed ^ (mixed >>> 29);
    }

    @Override
    public void putBytes(final DirectBuffer buffer, final int offset, final int length)
    {
        putLong(length);
        final int end = offset + length;
        int i = offset;
        for (; i <= end - Long.BYTES; i += Long.BYTES)
        {
            putLong(buffer.getLong(i, ByteOrder.LITTLE_ENDIAN));
        }

        long rest = 0;
        for (int shift = 0; i < end; i++, shift += Byte.SIZE)
        {
            rest |= (buffer.getByte(i) & 0xFFL) << shift;
        }
        putLong(rest);
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
}
