package io.escapement.rooms;

/** A {@link Room} was used from a thread other than its host's, or outside one of its own callbacks. */
public final class RoomUseException extends IllegalStateException
{
    private static final long serialVersionUID = 1L;

    /**
     * Say what was wrong.
     *
     * @param message that names the room and the mistake.
     */
    public RoomUseException(final String message)
    {
        super(message);
    }
}
