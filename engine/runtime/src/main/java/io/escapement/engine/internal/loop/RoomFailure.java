package io.escapement.engine.internal.loop;

/** A room's logic threw an exception. The loop continues. */
public final class RoomFailure extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    private final long roomId;
    private final int typeId;
    private final boolean isClosed;

    RoomFailure(final long roomId, final int typeId, final long callback, final boolean isClosed, final Throwable cause)
    {
        super("room " + roomId + " of type " + typeId + " failed in its callback " + callback, cause);
        this.roomId = roomId;
        this.typeId = typeId;
        this.isClosed = isClosed;
    }

    /** Id of the room. */
    public long roomId()
    {
        return roomId;
    }

    /** Id of its type. */
    public int typeId()
    {
        return typeId;
    }

    /** Whether the room is closed. Otherwise its logic decided to continue. */
    public boolean isClosed()
    {
        return isClosed;
    }
}
