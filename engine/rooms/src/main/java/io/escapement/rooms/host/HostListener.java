package io.escapement.rooms.host;

/**
 * Watches a host without being part of it: nothing a listener does can reach a room. A replay uses {@link #NONE}.
 */
public interface HostListener
{
    /** Hears nothing. */
    HostListener NONE = new HostListener()
    {
    };

    /**
     * A phase group ran its frames and its output was flushed.
     *
     * @param rateHz     of the group.
     * @param phase      of the group.
     * @param deadlineNs the latest deadline that was due.
     * @param frames     how many room-frames ran.
     * @param missed     how many room-frames never ran.
     */
    default void onFrames(final int rateHz, final int phase, final long deadlineNs, final int frames, final int missed)
    {
    }

    /**
     * Something was refused: a command by the host, a message by the room's logic, or what a room itself asked for.
     *
     * @param code why.
     */
    default void onRefused(final int code)
    {
    }

    /**
     * A room was not opened.
     *
     * @param roomId that it would have had.
     * @param code   why.
     */
    default void onOpenRefused(final long roomId, final int code)
    {
    }

    /**
     * A room's logic threw, and the room is closed.
     *
     * @param roomId   of the room.
     * @param typeId   of its type.
     * @param callback the room's count of callbacks.
     * @param cause    what it threw, or null when a log said that it failed here.
     */
    default void onRoomFailed(final long roomId, final int typeId, final long callback, final Throwable cause)
    {
    }

    /**
     * A room's logic counts something.
     *
     * @param roomId    of the room.
     * @param counterId the application's own number.
     * @param delta     to add.
     */
    default void onCount(final long roomId, final int counterId, final long delta)
    {
    }
}
