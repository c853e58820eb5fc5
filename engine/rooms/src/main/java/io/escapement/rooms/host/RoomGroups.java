package io.escapement.rooms.host;

import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import java.util.Arrays;

/** The seat groups that a room's logic has made, by the order of making. A room has {@link #NONE} until the first. */
final class RoomGroups
{
    private static final GroupState[] NO_GROUPS = {};
    static final RoomGroups NONE = new RoomGroups(null, null);

    private final RoomIdentity room;
    private final ThreadGuard guard;
    private GroupState[] groups = NO_GROUPS;
    private int count;

    RoomGroups(final RoomIdentity room, final ThreadGuard guard)
    {
        this.room = room;
        this.guard = guard;
    }

    GroupState add()
    {
        final int limit = room.type().groups();
        if (count == limit)
        {
            throw new IllegalStateException("the type allows " + limit + " groups");
        }
        if (count == groups.length)
        {
            groups = Arrays.copyOf(groups, Math.min(limit, Math.max(1, 2 * count)));
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

    static void read(final StateReader reader, final RoomInstance room)
    {
        final int size = Restored.inRange(reader.getInt(), 0, room.type().groups(), "groups");
        for (int i = 0; i < size; i++)
        {
            room.newGroups().add().read(reader, room.seats);
        }
    }
}
