package io.escapement.rooms.internal.loop;

import org.agrona.DirectBuffer;

/** Checks a command of a snapshot: a checksum shows that it is as it was written, not that a host wrote it. */
@FunctionalInterface
interface RestoredCommand
{
    /** Throw an IllegalStateException unless a host can have the command, which begins at 0, in this place. */
    void check(DirectBuffer buffer, int length);
}
