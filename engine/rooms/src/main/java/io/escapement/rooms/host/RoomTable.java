package io.escapement.rooms.host;

import org.agrona.collections.Long2ObjectHashMap;

/**
 * The open rooms: by id, by slot (the small number of a room in the wheel), and in the order in which they opened.
 * Rooms reserve their limits here when they open. Later they do not depend on another room.
 */
final class RoomTable
{
    private final Long2ObjectHashMap<RoomInstance> roomByIdMap = new Long2ObjectHashMap<>();
    private final RoomInstance[] roomBySlot;
    private final int[] freeSlots;
    private final int seatLimit;
    private final int timerLimit;
    private int freeCount;
    private int seatsReserved;
    private int timersReserved;
    private long lastOrdinal;
    /** The room that was looked up last. */
    private RoomInstance found;
    private RoomInstance first;
    private RoomInstance last;

    RoomTable(final int roomLimit, final int seatLimit, final int timerLimit)
    {
        this.seatLimit = seatLimit;
        this.timerLimit = timerLimit;
        roomBySlot = new RoomInstance[roomLimit];
        freeSlots = new int[roomLimit];
        freeCount = roomLimit;
        for (int i = 0; i < roomLimit; i++)
        {
            freeSlots[i] = roomLimit - 1 - i;
        }
    }

    int size()
    {
        return roomBySlot.length - freeCount;
    }

    RoomInstance byId(final long roomId)
    {
        // Messages of one trunk for the same room follow each other.
        if (null == found || found.roomId() != roomId)
        {
            found = roomByIdMap.get(roomId);
        }
        return found;
    }

    RoomInstance bySlot(final int slot)
    {
        return roomBySlot[slot];
    }

    /** Number of slots, with or without a room. */
    int slots()
    {
        return roomBySlot.length;
    }

    RoomInstance first()
    {
        return first;
    }

    boolean fits(final RoomLimits limits)
    {
        return freeCount > 0 &&
            limits.allSeats() <= seatLimit - seatsReserved &&
            limits.timers() <= timerLimit - timersReserved;
    }

    int takeSlot(final RoomLimits limits)
    {
        seatsReserved += limits.allSeats();
        timersReserved += limits.timers();
        return freeSlots[--freeCount];
    }

    long nextOrdinal()
    {
        return ++lastOrdinal;
    }

    long lastOrdinal()
    {
        return lastOrdinal;
    }

    void lastOrdinal(final long value)
    {
        lastOrdinal = value;
    }

    void add(final RoomInstance room)
    {
        roomByIdMap.put(room.roomId(), room);
        roomBySlot[room.slot()] = room;
        room.appendTo(last);
        if (null == last)
        {
            first = room;
        }
        last = room;
    }

    void remove(final RoomIdentity identity)
    {
        final RoomInstance room = roomByIdMap.remove(identity.roomId());
        found = null;
        roomBySlot[identity.slot()] = null;
        freeSlots[freeCount++] = identity.slot();
        seatsReserved -= identity.limits().allSeats();
        timersReserved -= identity.limits().timers();
        if (first == room)
        {
            first = room.next();
        }
        if (last == room)
        {
            last = room.previous();
        }
        room.unlink();
    }
}
