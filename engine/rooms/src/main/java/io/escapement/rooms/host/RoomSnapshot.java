package io.escapement.rooms.host;

import io.escapement.rooms.StateHash;
import io.escapement.rooms.StateWriter;

/** The engine's part of a room's state, in the one order in which it is written, read and hashed. */
final class RoomSnapshot
{
    private RoomSnapshot()
    {
    }

    /** Everything that the room's future depends on, and nothing of its host. */
    static long hash(final RoomInstance room)
    {
        final StateHash hash = new StateHash();
        hash.putLong(room.roomId());
        hash.putInt(room.type.id());
        write(room, hash, false);
        hash.putLong(room.logic.stateHash());
        return hash.value();
    }

    static void write(final RoomInstance room, final StateWriter writer, final boolean isSnapshot)
    {
        writer.putLong(room.random.state());
        writer.putLong(room.calls.count());
        writer.putBoolean(room.isLocked);
        writer.putBoolean(room.hasLostState);
        writer.putBoolean(room.isDirty());
        room.frames.write(writer);
        room.seats.write(writer, room.host.wheel, isSnapshot);
        room.timers.write(writer, isSnapshot);
        room.requests.write(writer);
        room.labels.write(writer);
        room.output.write(writer);
        writer.putInt(room.groupCount);
        for (int i = 0; i < room.groupCount; i++)
        {
            room.groups[i].write(writer);
        }
        NodeState.write(writer, room.host.wheel, room.flushNode, isSnapshot);
        NodeState.write(writer, room.host.wheel, room.refusalsNode, isSnapshot);
    }

    static void read(final RoomInstance room, final BufferStateReader reader, final NodeState.Restorer nodes)
    {
        room.random.state(reader.getLong());
        room.calls.count(reader.getLong());
        room.isLocked = reader.getBoolean();
        room.hasLostState = reader.getBoolean();
        final boolean wasDirty = reader.getBoolean();
        room.frames.read(reader);
        room.seats.read(reader, nodes);
        room.timers.read(reader, nodes);
        room.requests.read(reader);
        room.labels.read(reader);
        room.output.read(reader);
        room.groupCount = reader.getInt();
        for (int i = 0; i < room.groupCount; i++)
        {
            room.groups[i] = new GroupState(room.view, room.seats.limit());
            room.groups[i].read(reader);
        }
        nodes.read(reader, RoomInstance.FLUSH_TIMER_ID);
        nodes.read(reader, RoomInstance.REFUSALS_TIMER_ID);
        for (int i = 0; i < room.seats.limit(); i++)
        {
            final SeatState seat = room.seats.at(i);
            if (SeatState.NO_LINK != seat.link)
            {
                room.host.links.add(seat, seat.link);
            }
        }
        room.restored(wasDirty);
    }
}
