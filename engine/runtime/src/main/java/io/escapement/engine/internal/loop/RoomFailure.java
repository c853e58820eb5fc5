package io.escapement.engine.internal.loop;

/** Tells an error handler that a room's logic threw. The room is closed, the loop goes on. */
public final class RoomFailure extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    RoomFailure(final long roomId, final int typeId, final long callback, final Throwable cause)
    {
        super("room " + roomId + " of type " + typeId + " failed in its callback " + callback, cause);
    }
}
