package io.escapement.rooms.host;

/** The logic of a room could not continue from its snapshot, which itself is intact. */
final class RoomRestoreException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    RoomRestoreException(final RoomIdentity room, final String reason, final Throwable cause)
    {
        super("room " + room.roomId() + " of " + room.type() + " cannot be restored: " + reason, cause);
    }
}
