package io.escapement.rooms.host;

import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;

/** The seat groups that a room's logic has made, by the order of making. */
final class RoomGroups
{
    private final RoomIdentity room;
    private final ThreadGuard guard;
    private final GroupState[] groups;
    private int count;

    RoomGroups(final RoomIdentity room, final ThreadGuard guard)
    {
        this.room = room;
        this.guard = guard;
        groups = new GroupState[room.type().groups()];
    }

    GroupState add()
    {
        if (count == groups.length)
        {
            throw new IllegalStateException("the type allows " + groups.length + " groups");
        }
        groups[count] = new GroupState(room, guard, room.limits().allSeats());
        return groups[count++];
    }

    GroupState at(final int index)
    {
        if (index < 0 || index >= count)
        {
            throw new IllegalArgumentException("the room has " + count + " groups, not one of index " + index);
        }
        return groups[index];
    }

    void removeSeat(final int seatIndex)
    {
        for (int i = 0; i < count; i++)
        {
            groups[i].drop(seatIndex);
        }
    }

    void write(final StateWriter writer)
    {
        writer.putInt(count);
        for (int i = 0; i < count; i++)
        {
            groups[i].write(writer);
        }
    }

    void read(final StateReader reader, final SeatTable seats)
    {
        final int size = Restored.inRange(reader.getInt(), 0, groups.length, "groups");
        for (int i = 0; i < size; i++)
        {
            add().read(reader, seats);
        }
    }
}
