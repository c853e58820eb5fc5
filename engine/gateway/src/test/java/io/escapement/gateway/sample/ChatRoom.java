package io.escapement.gateway.sample;

import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.Seat;
import org.agrona.DirectBuffer;

final class ChatRoom implements RoomLogic
{
    private Room room;

    @Override
    public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
    {
        room = opened;
    }

    @Override
    public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
    {
        room.sendEvent(room.everyoneBut(from), buffer, offset, length);
    }
}
