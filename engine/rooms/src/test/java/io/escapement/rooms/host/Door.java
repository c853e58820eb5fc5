package io.escapement.rooms.host;

import io.escapement.rooms.JoinRequest;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import org.agrona.DirectBuffer;
import org.agrona.collections.Long2LongHashMap;

/** The example of engine/guide/rooms-together.md: a room that asks a service whether a player may come in. */
final class Door implements RoomLogic
{
    static final int TICKETS = 7;
    static final int NO_TICKET = 1_030;
    static final RoomType TYPE =
        RoomType.of(5, "door", 1, Door::new).seats(8).joinRequests(4).joinTimeoutNs(2_000_000_000);

    private final Long2LongHashMap joinByRequestMap = new Long2LongHashMap(Room.NO_JOIN);
    private Room room;

    @Override
    public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
    {
        room = opened;
    }

    @Override
    public int onJoinRequest(final JoinRequest join, final DirectBuffer args, final int offset, final int length)
    {
        final long requestId = room.async(TICKETS, join.playerId(), args, offset, length);
        joinByRequestMap.put(requestId, join.id());
        return LATER;
    }

    @Override
    public void onReply(
        final long requestId, final int status, final DirectBuffer answer, final int offset, final int length)
    {
        final long joinId = joinByRequestMap.remove(requestId);
        if (0 == status)
        {
            room.admit(joinId, answer, offset, length);
        }
        else
        {
            room.refuse(joinId, NO_TICKET);
        }
    }

    @Override
    public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
    {
        room.sendEvent(room.everyone(), buffer, offset, length);
    }

    @Override
    public void onSnapshot(final StateWriter writer)
    {
        writer.putInt(joinByRequestMap.size());
        joinByRequestMap.keySet().stream().sorted().forEach((requestId) ->
        {
            writer.putLong(requestId);
            writer.putLong(joinByRequestMap.get(requestId.longValue()));
        });
    }

    @Override
    public void onRestore(final Room restored, final int version, final StateReader reader)
    {
        room = restored;
        for (int i = reader.getInt(); i > 0; i--)
        {
            joinByRequestMap.put(reader.getLong(), reader.getLong());
        }
    }
}
