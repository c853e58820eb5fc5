package io.escapement.engine.sample;

import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.Seat;
import io.escapement.rooms.SeatGroup;
import io.escapement.rooms.StateReader;
import org.agrona.DirectBuffer;

/** A room with two teams, which send to their members only. */
final class TeamRoom implements RoomLogic
{
    private final SeatGroup[] teams = new SeatGroup[2];
    private Room room;

    @Override
    public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
    {
        room = opened;
        teams[0] = room.newGroup();
        teams[1] = room.newGroup();
    }

    @Override
    public void onJoin(final Seat seat)
    {
        teams[seat.index() % 2].add(seat);
    }

    @Override
    public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
    {
        room.sendEvent(teams[from.index() % 2], buffer, offset, length);
    }

    @Override
    public void onRestore(final Room restored, final int version, final StateReader reader)
    {
        room = restored;
        teams[0] = room.group(0);
        teams[1] = room.group(1);
    }
}
