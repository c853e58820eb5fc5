package io.escapement.perf.echo;

import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import org.agrona.DirectBuffer;

/** Sends every message back to the seat that it came from, in the turn that it came in. */
final class EchoRoom implements RoomLogic
{
    static final int TYPE_ID = 1;
    private static final int SEATS = 1_024;

    private Room room;

    static RoomType type()
    {
        return RoomType.of(TYPE_ID, "echo", 1, EchoRoom::new).seats(SEATS).outputLimit(1024 * 1024);
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
