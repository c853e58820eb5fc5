package io.escapement.rooms;

import org.agrona.MutableDirectBuffer;

/** Gives back what a {@link StateWriter} took. Reading past the end is an error that names the place. */
public interface StateReader
{
    /**
     * Read a long.
     *
     * @return what was written.
     */
    long getLong();

    /**
     * Read an int.
     *
     * @return what was written.
     */
    default int getInt()
    {
        return Math.toIntExact(getLong());
    }

    /**
     * Read a boolean.
     *
     * @return what was written.
     */
    default boolean getBoolean()
    {
        return 0 != getLong();
    }

    /**
     * Read a double.
     *
     * @return what was written.
     */
    default double getDouble()
    {
        return Double.longBitsToDouble(getLong());
    }

    /**
     * Read bytes.
     *
     * @param destination that takes them; it must be large enough.
     * @param offset      in the destination.
     * @return how many there were.
     */
    int getBytes(MutableDirectBuffer destination, int offset);
}
