package io.escapement.rooms.output;

/** Receives events of a host. A listener cannot affect a room. A replay uses {@link #NONE}. */
public interface HostListener
{
    /** Ignores every event. */
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
     * A refusal: of a command by the host, of a message by the room's logic, or of a request of a room.
     *
     * @param code why.
     */
    default void onRefused(final int code)
    {
    }

    /**
     * A message of a seat was accepted, and its room's logic has run it.
     *
     * @param link       of the message.
     * @param roomId     of the room.
     * @param seatIndex  of the seat.
     * @param generation of the seat.
     * @param sequence   of the message.
     */
    default void onAccepted(
        final int link, final long roomId, final int seatIndex, final int generation, final long sequence)
    {
    }

    /**
     * A room was not opened.
     *
     * @param roomId of the command.
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
     * @param cause    the throwable, or null when a log says that the room failed here.
     */
    default void onRoomFailed(final long roomId, final int typeId, final long callback, final Throwable cause)
    {
    }

    /**
     * A Reload was run or refused.
     *
     * @param roomId      of the room; 0 for the rooms that open from now on.
     * @param typeId      of its type.
     * @param fromVersion of the type.
     * @param toVersion   of the type.
     * @param code        0, or why the room continues with its present version.
     * @param cause       of the refusal. Null if the code is enough.
     */
    default void onReload(
        final long roomId,
        final int typeId,
        final int fromVersion,
        final int toVersion,
        final int code,
        final Throwable cause)
    {
    }

    /**
     * A room's logic threw, and decided to continue.
     *
     * @param roomId   of the room.
     * @param typeId   of its type.
     * @param callback the room's count of callbacks.
     * @param cause    the throwable.
     */
    default void onRoomError(final long roomId, final int typeId, final long callback, final Throwable cause)
    {
    }

    /**
     * A room's logic threw while its state was hashed. The room continues.
     *
     * @param roomId of the room.
     * @param typeId of its type.
     * @param cause  the throwable.
     */
    default void onHashFailed(final long roomId, final int typeId, final Throwable cause)
    {
    }

    /**
     * A room's logic called {@code Room.count}.
     *
     * @param roomId    of the room.
     * @param counterId the application's own number.
     * @param delta     to add.
     */
    default void onCount(final long roomId, final int counterId, final long delta)
    {
    }
}
