package io.escapement.rooms.internal.loop;

import org.agrona.DirectBuffer;

/** Checks a command of a snapshot. Its checksum shows only that it is as it was written, even if no host wrote it. */
@FunctionalInterface
interface RestoredCommand
{
    /** Throw an IllegalStateException unless a host can have the command in this place. The command starts at 0. */
    void check(DirectBuffer buffer, int length);
}
