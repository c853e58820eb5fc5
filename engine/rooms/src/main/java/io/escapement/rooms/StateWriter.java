package io.escapement.rooms;

import org.agrona.DirectBuffer;

/** Takes the state of a room, value by value. A {@link StateReader} returns the values in the same order. */
public interface StateWriter
{
    /**
     * Write a long.
     *
     * @param value to write.
     */
    void putLong(long value);

    /**
     * Write an int.
     *
     * @param value to write.
     */
    default void putInt(final int value)
    {
        putLong(value);
    }

    /**
     * Write a boolean.
     *
     * @param value to write.
     */
    default void putBoolean(final boolean value)
    {
        putLong(value ? 1 : 0);
    }

    /**
     * Write a double. Every NaN is written as the same value, because the bits of NaN depend on the machine.
     *
     * @param value to write.
     */
    default void putDouble(final double value)
    {
        putLong(Double.doubleToLongBits(value));
    }

    /**
     * Write bytes, preceded by their length. {@link StateReader#getBytes(org.agrona.MutableDirectBuffer, int, int)}
     * takes the same arguments.
     *
     * @param buffer with the bytes.
     * @param offset of the bytes.
     * @param length in bytes.
     */
    void putBytes(DirectBuffer buffer, int offset, int length);
}
