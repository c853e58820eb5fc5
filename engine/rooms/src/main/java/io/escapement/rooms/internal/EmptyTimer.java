package io.escapement.rooms.internal;

import io.escapement.rooms.RoomType;

/** Runs while nobody is in a room whose type limits how long that may be. */
final class EmptyTimer
{
    private final RoomIdentity room;
    private final SeatTable seats;
    private final RoomServices services;
    private final long delayNs;
    private int node = TimerIds.NO_NODE;

    EmptyTimer(final RoomIdentity room, final SeatTable seats, final RoomServices services)
    {
        this.room = room;
        this.seats = seats;
        this.services = services;
        delayNs = room.type().closeWhenEmptyNs();
    }

    /** The room was opened, or a seat was taken, reserved or freed. */
    void update()
    {
        if (RoomType.NEVER == delayNs || seats.isEmpty() == (TimerIds.NO_NODE != node))
        {
            return;
        }
        if (seats.isEmpty())
        {
            node = services.wheel.schedule(
                services.time.deadlineIn(delayNs), services.time.nowNs(), room.slot(), TimerIds.EMPTY);
        }
        else
        {
            cancel();
        }
    }

    /** The time is over; whether the room has to close. */
    boolean onDue()
    {
        node = TimerIds.NO_NODE;
        return RoomType.NEVER != delayNs && seats.isEmpty();
    }

    void cancel()
    {
        if (TimerIds.NO_NODE != node)
        {
            services.wheel.cancel(node);
            node = TimerIds.NO_NODE;
        }
    }

    /** Whether the room's hash covers the timer: not in types without it, whose hashes are older than it. */
    boolean isHashed()
    {
        return RoomType.NEVER != delayNs;
    }

    int node()
    {
        return node;
    }

    void restoredNode(final int restored)
    {
        node = restored;
    }
}
