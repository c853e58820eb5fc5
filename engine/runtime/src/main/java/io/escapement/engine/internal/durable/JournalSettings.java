package io.escapement.engine.internal.durable;

import java.nio.file.Path;

/**
 * The checked options of the journals of an engine.
 *
 * @param directory            of the journals, snapshots and the lock.
 * @param isSynced             whether a message is committed when it is on the disk. Otherwise it is committed when it
 *                             is in the tail.
 * @param segmentLength        of a journal file, in bytes. At least twice the tail's.
 * @param tailLength           in bytes, a power of two.
 * @param tailDirectory        for tails, or null without tails.
 * @param syncIntervalNs       between syncs, where messages are committed without one.
 * @param proposalLimit        most messages under way.
 * @param underWayLength       most bytes of messages under way.
 * @param isOtherHeaderAllowed whether the journal of a host with other limits or types is read.
 * @param keepNs               host time of which the turns stay, at least those after two snapshots.
 */
public record JournalSettings(
    Path directory,
    boolean isSynced,
    int segmentLength,
    int tailLength,
    Path tailDirectory,
    long syncIntervalNs,
    int proposalLimit,
    int underWayLength,
    boolean isOtherHeaderAllowed,
    long keepNs)
{
    /** Maximum share of the tail for the longest message, so that a stalled disk is noticed late. */
    private static final int MESSAGES_A_TAIL = 8;

    /**
     * Memory of the tail of one loop, in bytes.
     *
     * @param tailLength of the tail.
     */
    public static int tailMemoryLength(final int tailLength)
    {
        return Tail.memoryLength(tailLength, tailLength / MESSAGES_A_TAIL);
    }

    /** The longest record in bytes, with its header. */
    int recordLimit()
    {
        return tailLength / MESSAGES_A_TAIL;
    }
}
