package io.escapement.rooms.internal;

import io.escapement.codecs.room.RefusalCode;
import io.escapement.rooms.CloseReason;
import io.escapement.rooms.LeaveReason;

/** Ends a room: closes it with callbacks, or without any after its logic threw, and returns what it has of its host. */
final class RoomEnd
{
    private static final int NO_CODE = 0;

    private final RoomInstance room;
    private final RoomServices services;

    RoomEnd(final RoomInstance room, final RoomServices services)
    {
        this.room = room;
        this.services = services;
    }

    void close(final CloseReason reason)
    {
        final int code = room.status().closeCode();
        room.membership().joins().close(NO_CODE == code ? RefusalCode.UNKNOWN_ROOM.value() : code);
        final SeatTable seats = room.seats();
        for (int i = 0; i < seats.limit() && room.isOpen(); i++)
        {
            final SeatState seat = seats.at(i);
            if (seat.isTaken())
            {
                room.membership().leave(seat, LeaveReason.ROOM_CLOSED, room.status().closeCode());
            }
        }
        if (room.isOpen())
        {
            room.invoker().close(reason);
        }
        if (room.isOpen())
        {
            // Nobody is left whom the output of onClose could reach.
            finish(RefusalCode.ROOM_CLOSED);
        }
    }

    /** Close the room without a callback, because its logic threw or the log says that it did. */
    void fail(final long callback, final Throwable cause)
    {
        room.output().flush();
        room.membership().joins().close(RefusalCode.ROOM_FAILED.value());
        final SeatTable seats = room.seats();
        for (int i = 0; i < seats.limit(); i++)
        {
            final SeatState seat = seats.at(i);
            if (!seat.isFree() && !seat.isReserved() && services.links.isUp(seat.link()))
            {
                room.proxy().left(seat.link(), room.roomId(), seat, LeaveReason.ROOM_FAILED, NO_CODE);
            }
        }
        services.listener.onRoomFailed(room.roomId(), room.type().id(), callback, cause);
        finish(RefusalCode.ROOM_FAILED);
    }

    private void finish(final RefusalCode toAskers)
    {
        final RoomStatus status = room.status();
        status.close();
        room.timers().cancelAll();
        final SeatTable seats = room.seats();
        for (int i = 0; i < seats.limit(); i++)
        {
            final SeatState seat = seats.at(i);
            if (!seat.isFree())
            {
                room.membership().cancelTimer(seat);
                services.links.remove(seat);
            }
        }
        room.membership().emptyTimer().cancel();
        room.requests().cancelTimer();
        room.requests().questions().refuseAll(toAskers);
        room.output().cancelTimer();
        room.frames().stop();
        services.logics.remove(room.invoker().logic());
        if (null != services.loop)
        {
            services.loop.roomClosed(status.openerRoomId(), status.correlationId());
        }
        room.proxy().roomClosed(room.roomId());
        services.closedRooms.onClosed(room.identity());
    }
}
