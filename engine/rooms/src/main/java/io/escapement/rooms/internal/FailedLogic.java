package io.escapement.rooms.internal;

import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import org.agrona.DirectBuffer;

/** Replaces a logic whose supplier failed. Its room fails like any other whose onOpen throws. */
final class FailedLogic implements RoomLogic
{
    private final RuntimeException cause;

    private FailedLogic(final RoomType type, final Throwable cause)
    {
        this.cause = new IllegalStateException("no logic could be made for " + type, cause);
    }

    static RoomLogic make(final RoomType type)
    {
        try
        {
            final RoomLogic logic = type.newLogic();
            return null == logic ? new FailedLogic(type, new NullPointerException("the supplier gave null")) : logic;
        }
        catch (final RuntimeException | LinkageError | AssertionError thrown)
        {
            return new FailedLogic(type, thrown);
        }
    }

    @Override
    public void onOpen(final Room room, final DirectBuffer args, final int offset, final int length)
    {
        throw cause;
    }

    @Override
    public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
    {
        throw cause;
    }
}
