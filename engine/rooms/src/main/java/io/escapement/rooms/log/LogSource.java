package io.escapement.rooms.log;

import org.agrona.DirectBuffer;

/** The messages of a log in order: Proposal, Failed and StateHash. One thread. */
public interface LogSource
{
    /** The configuration of the host that wrote the log. */
    HostConfig config();

    /** The snapshot at the start of the log, or null if the log starts with an empty host. */
    DirectBuffer snapshot();

    /** Return to the position before the first message. */
    void rewind();

    /** As {@link #rewind()}, but parts of the log that surely have no Failed record may be left out. */
    void rewindToFailed();

    /**
     * Move to the next message.
     *
     * @return false after the last.
     */
    boolean next();

    /** The buffer with the message, until the next call of {@link #next()}. */
    DirectBuffer buffer();

    /** Offset of the message's header in {@link #buffer()}. */
    int offset();

    /** Length of the message in bytes. */
    int length();

    /** Whether the log was closed in order. Otherwise its process was killed, or is still running. */
    boolean isFinished();

    /** Whether messages are replaced by their hashes, so that the log cannot be run. */
    default boolean isHashed()
    {
        return false;
    }

    /** Whether several nodes keep the log. Turns after a gap in it have not run, and no checksum is verified yet. */
    default boolean isReplicated()
    {
        return false;
    }
}
