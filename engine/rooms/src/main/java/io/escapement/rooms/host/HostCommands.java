package io.escapement.rooms.host;

import io.escapement.codecs.room.OpenRoomDecoder;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.rooms.RoomType;
import org.agrona.DirectBuffer;
import org.agrona.collections.Long2LongHashMap;

/** The commands that concern the host or many of its rooms. Each returns 0, or the code of its refusal. */
final class HostCommands
{
    private static final int NONE = 0;

    private final RoomHost host;
    private final RoomServices services;
    private final RoomTable rooms;
    private final LinkTable links;
    private final Long2LongHashMap failAtByRoomMap = new Long2LongHashMap(NONE);

    HostCommands(final RoomHost host)
    {
        this.host = host;
        services = host.services;
        rooms = host.rooms;
        links = services.links;
    }

    void endTurn()
    {
        failAtByRoomMap.clear();
    }

    void openRoom(
        final RoomType type,
        final long roomId,
        final OpenRoomDecoder command,
        final RoomLimits limits,
        final DirectBuffer args,
        final int offset,
        final int length)
    {
        final long seed = command.seed();
        final long openerRoomId = command.openerRoomId();
        final long correlationId = command.correlationId();
        final RoomInstance room = host.newRoom(type, roomId, rooms.nextOrdinal(), limits);
        room.random.state(seed);
        room.origin(openerRoomId, correlationId);
        services.loop.roomOpened(openerRoomId, correlationId, roomId);
        room.failAt(failAtByRoomMap.get(roomId));
        room.open(openerRoomId, args, offset, length);
    }

    /** Whether a FailedAt of the turn names the callback. */
    boolean isGiven(final long roomId, final long callback)
    {
        return callback == failAtByRoomMap.get(roomId);
    }

    void failAt(final long roomId, final long callback)
    {
        // Kept either way, because the room may be opened later in this turn.
        failAtByRoomMap.put(roomId, callback);
        final RoomInstance room = rooms.byId(roomId);
        if (null != room)
        {
            room.failAt(callback);
        }
    }

    /** A new incarnation starts: no link of the last incarnation is up, and requests without an answer are resent. */
    int hostResumed(final int incarnation, final int memberId, final long epochMs)
    {
        if (memberId < 0 || incarnation <= 0)
        {
            return RefusalCode.BAD_VALUE.value();
        }
        if (incarnation <= services.incarnation.number())
        {
            return RefusalCode.OLD_SEQUENCE.value();
        }

        services.incarnation.begin(incarnation, memberId, epochMs);
        // The stop that a Drain announced is over.
        services.draining(false);
        for (int link = 0; links.isInRange(link); link++)
        {
            if (links.isUp(link))
            {
                linkDown(link);
            }
        }
        services.loop.sendAgain();
        return NONE;
    }

    int linkUp(final int link, final long trunkId)
    {
        if (!links.isInRange(link))
        {
            return RefusalCode.BAD_VALUE.value();
        }
        if (links.isUp(link))
        {
            return RefusalCode.LINK_IN_USE.value();
        }

        links.forgetSeats(link);
        links.up(link, trunkId);
        return NONE;
    }

    int linkDown(final int link)
    {
        if (!links.isUp(link))
        {
            return RefusalCode.UNKNOWN_LINK.value();
        }

        links.down(link);
        final int count = links.gather(link);
        for (int i = 0; i < count; i++)
        {
            final SeatState seat = links.gathered(i);
            final RoomInstance room = roomOf(seat);
            if (null != room && (seat.isPresent() || seat.isJoining()) && seat.link() == link)
            {
                room.linkLost(seat);
            }
        }
        links.release(count);
        return NONE;
    }

    int linkResumed(final int link, final int previousLink, final long trunkId)
    {
        if (!links.isInRange(link) || !links.isInRange(previousLink))
        {
            return RefusalCode.BAD_VALUE.value();
        }
        if (links.isUp(link))
        {
            return RefusalCode.LINK_IN_USE.value();
        }
        if (links.isUp(previousLink) || links.trunkId(previousLink) != trunkId)
        {
            return RefusalCode.UNKNOWN_LINK.value();
        }

        final int count = links.gather(previousLink);
        if (link != previousLink)
        {
            links.forgetSeats(link);
        }
        links.up(link, trunkId);
        for (int i = 0; i < count; i++)
        {
            final SeatState seat = links.gathered(i);
            final RoomInstance room = roomOf(seat);
            if (null != room && seat.isAway() && seat.link() == previousLink)
            {
                room.linkResumed(seat, link);
            }
        }
        links.release(count);
        return NONE;
    }

    int linkStateLost(final int link)
    {
        if (!links.isUp(link))
        {
            return RefusalCode.UNKNOWN_LINK.value();
        }

        final int count = links.gather(link);
        for (int i = 0; i < count; i++)
        {
            final SeatState seat = links.gathered(i);
            final RoomInstance room = roomOf(seat);
            if (null != room && seat.isPresent() && seat.link() == link)
            {
                room.stateLost(seat);
            }
        }
        links.release(count);
        return NONE;
    }

    int setRate(final int typeId, final int rateHz)
    {
        if (null == host.type(typeId))
        {
            return RefusalCode.UNKNOWN_ROOM_TYPE.value();
        }
        if (rateHz < 0 || rateHz > Frames.MAX_RATE_HZ)
        {
            return RefusalCode.BAD_VALUE.value();
        }

        services.rateCaps.set(typeId, rateHz);
        for (RoomInstance room = rooms.first(); null != room; room = room.next())
        {
            if (room.type().id() == typeId)
            {
                room.applyRate();
            }
        }
        return NONE;
    }

    int lockType(final int typeId, final int isLocked)
    {
        if (null == host.type(typeId))
        {
            return RefusalCode.UNKNOWN_ROOM_TYPE.value();
        }
        if (isLocked > 1)
        {
            return RefusalCode.BAD_VALUE.value();
        }

        services.typeLocks.set(typeId, 1 == isLocked);
        return NONE;
    }

    int drain(final long deadlineNs)
    {
        services.draining(true);
        RoomInstance room = rooms.first();
        while (null != room)
        {
            // The room may close, and leave the list. No other room can.
            final RoomInstance next = room.next();
            room.drain(deadlineNs);
            room = next;
        }
        return NONE;
    }

    /** The open room of a seat. Null if the room closed, for example because of an earlier seat of the same command. */
    private RoomInstance roomOf(final SeatState seat)
    {
        final RoomInstance room = rooms.bySlot(seat.room().slot());
        return null != room && room.identity == seat.room() ? room : null;
    }
}
