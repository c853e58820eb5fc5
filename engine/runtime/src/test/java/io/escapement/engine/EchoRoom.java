package io.escapement.engine;

import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import org.agrona.DirectBuffer;

/** Sends every message back to the seat that it came from. */
final class EchoRoom implements RoomLogic
{
    private Room room;

    static RoomType type()
    {
        return RoomType.of(1, "echo", 1, EchoRoom::new).seats(64);
    }

    @Override
    public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
    {
        room = opened;
    }

    @Override
    public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
    {
        room.sendEvent(from, buffer, offset, length);
    }
}
