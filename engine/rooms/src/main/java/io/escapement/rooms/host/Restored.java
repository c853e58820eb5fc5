package io.escapement.rooms.host;

/**
 * Checks of values from a snapshot. Its checksums show only that it is as it was written, even if no host wrote it. An
 * impossible value must neither break a host later nor reach another room.
 */
final class Restored
{
    private Restored()
    {
    }

    static void check(final boolean isPossible, final String what)
    {
        if (!isPossible)
        {
            throw new IllegalStateException(what);
        }
    }

    static int inRange(final int value, final int least, final int most, final String what)
    {
        if (value < least || value > most)
        {
            throw new IllegalStateException(what + " must be " + least + " to " + most + ": " + value);
        }
        return value;
    }
}
