package io.escapement.rooms;

import org.agrona.MutableDirectBuffer;

/** Returns the values that a {@link StateWriter} took. Reading past the end throws, naming the position. */
public interface StateReader
{
    /** Read a long. */
    long getLong();

    /** Read an int. */
    default int getInt()
    {
        return Math.toIntExact(getLong());
    }

    /** Read a boolean. */
    default boolean getBoolean()
    {
        return 0 != getLong();
    }

    /** Read a double. */
    default double getDouble()
    {
        return Double.longBitsToDouble(getLong());
    }

    /**
     * Read bytes.
     *
     * @param destination for the bytes. It must be large enough.
     * @param offset      in the destination.
     * @return the number of bytes.
     */
    int getBytes(MutableDirectBuffer destination, int offset);

    /**
     * Read bytes of a known length, with the arguments of the {@link StateWriter#putBytes} that wrote them. Bytes of
     * another length throw and leave the destination as it is.
     *
     * @param destination for the bytes.
     * @param offset      in the destination.
     * @param length      in bytes, as it was written.
     */
    void getBytes(MutableDirectBuffer destination, int offset, int length);
}
