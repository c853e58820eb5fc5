package io.escapement.engine.internal.durable;

import io.escapement.rooms.host.HostImage;

/**
 * Takes the snapshots of a loop's host to the disk, at positions of its log. All methods belong to the loop's thread.
 * Another thread writes the file.
 */
public interface LogSnapshots
{
    /**
     * Begin a snapshot of the state after all messages that the log has passed on, outside of a handler. More messages
     * may be passed on while it is filled.
     *
     * @return the image to fill, or null while an earlier image is being written.
     */
    HostImage beginSnapshot();

    /** Hand over the started image, complete. */
    void endSnapshot();

    /** Discard the started image, because it failed. */
    void abandonSnapshot();

    /** Number of snapshots that are on the disk since the start. */
    long completedSnapshots();

    /** Number of snapshots that could not be written. They were reported by the thread that writes. */
    long failedSnapshots();
}
