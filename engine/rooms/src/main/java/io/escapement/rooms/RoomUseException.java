package io.escapement.rooms;

/** A {@link Room} was used on a thread other than its host's, or outside its callbacks. */
public final class RoomUseException extends IllegalStateException
{
    private static final long serialVersionUID = 1L;

    /**
     * For the host.
     *
     * @param message that names the room and the mistake.
     */
    public RoomUseException(final String message)
    {
        super(message);
    }
}
