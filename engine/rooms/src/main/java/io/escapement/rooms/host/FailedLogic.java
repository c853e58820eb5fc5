package io.escapement.rooms.host;

import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateReader;
import org.agrona.DirectBuffer;

/** Replaces a logic if its supplier failed. Its room fails like any other room after a throw of onOpen. */
final class FailedLogic implements RoomLogic
{
    private final RuntimeException cause;

    FailedLogic(final RuntimeException cause)
    {
        this.cause = cause;
    }

    private FailedLogic(final RoomType type, final Throwable cause)
    {
        this(new IllegalStateException("no logic could be made for " + type, cause));
    }

    static RoomLogic make(final RoomType type)
    {
        try
        {
            final RoomLogic logic = type.newLogic();
            return null == logic ? new FailedLogic(type, new NullPointerException("the supplier gave null")) : logic;
        }
        catch (final Throwable thrown)
        {
            // The supplier is code of the room: whatever it throws is the room's failure, unless the JVM fails.
            final VirtualMachineError failure = JvmFailures.in(thrown);
            if (JvmFailures.isFatal(failure))
            {
                throw failure;
            }
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

    @Override
    public void onRestore(final Room room, final int version, final StateReader reader)
    {
        throw cause;
    }
}
