package io.escapement.rooms.host;

import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateReader;
import org.agrona.DirectBuffer;

/** A logic that keeps its room and does nothing. Tests override what they need. */
class Quiet implements RoomLogic
{
    Room room;
    /** Runs in the next onSignal. */
    Runnable onSignal;

    @Override
    public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
    {
        room = opened;
    }

    @Override
    public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
    {
    }

    @Override
    public void onSignal(final long from, final DirectBuffer buffer, final int offset, final int length)
    {
        if (null != onSignal)
        {
            onSignal.run();
        }
    }

    @Override
    public void onRestore(final Room restored, final int version, final StateReader reader)
    {
        room = restored;
    }
}
