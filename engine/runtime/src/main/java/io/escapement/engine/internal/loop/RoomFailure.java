package io.escapement.engine.internal.loop;

/** A room's logic threw an exception. The room is closed; the loop continues. */
public final class RoomFailure extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    RoomFailure(final long roomId, final int typeId, final long callback, final Throwable cause)
    {
        super("room " + roomId + " of type " + typeId + " failed in its callback " + callback, cause);
    }
}
