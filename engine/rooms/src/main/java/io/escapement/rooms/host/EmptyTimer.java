package io.escapement.rooms.host;

import io.escapement.rooms.RoomType;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import io.escapement.rooms.internal.timers.TimerWheel;

/** Runs while nobody is in a room whose type or logic limits how long that may be. */
final class EmptyTimer
{
    private final RoomIdentity room;
    private final SeatTable seats;
    private final RoomServices services;
    private long delayNs;
    private int node = EngineTimer.NO_NODE;

    EmptyTimer(final RoomIdentity room, final SeatTable seats, final RoomServices services)
    {
        this.room = room;
        this.seats = seats;
        this.services = services;
        delayNs = room.type().closeWhenEmptyNs();
    }

    /** The logic has set another delay, which begins now if the room is empty; NEVER for none. */
    void delay(final long valueNs)
    {
        cancel();
        delayNs = valueNs;
        update();
    }

    /** The room was opened, or a seat was taken, reserved or freed. */
    void update()
    {
        if (RoomType.NEVER == delayNs || seats.isEmpty() == (EngineTimer.NO_NODE != node))
        {
            return;
        }
        if (seats.isEmpty())
        {
            node = services.wheel.schedule(
                services.time.deadlineIn(delayNs), services.time.nowNs(), room.slot(), EngineTimer.EMPTY.id());
        }
        else
        {
            cancel();
        }
    }

    /** The time is over; whether the room has to close. */
    boolean onDue()
    {
        node = EngineTimer.NO_NODE;
        return RoomType.NEVER != delayNs && seats.isEmpty();
    }

    void cancel()
    {
        if (EngineTimer.NO_NODE != node)
        {
            services.wheel.cancel(node);
            node = EngineTimer.NO_NODE;
        }
    }

    /** Write the delay and the timer: to a snapshot both, to a hash those that the room has. */
    void write(final StateWriter writer, final TimerWheel wheel, final boolean isSnapshot)
    {
        final boolean isOfLogic = delayNs != room.type().closeWhenEmptyNs();
        if (isSnapshot || isOfLogic)
        {
            writer.putLong(delayNs);
        }
        if (isSnapshot || isOfLogic || RoomType.NEVER != delayNs)
        {
            NodeState.write(writer, wheel, node, isSnapshot);
        }
    }

    void read(final StateReader reader, final NodeState.Restorer nodes)
    {
        delayNs = reader.getLong();
        Restored.check(RoomType.NEVER == delayNs || delayNs > 0, "the delay of an empty room");
        nodes.read(reader, EngineTimer.EMPTY.id());
    }

    void restoredNode(final int restored)
    {
        node = restored;
    }
}
