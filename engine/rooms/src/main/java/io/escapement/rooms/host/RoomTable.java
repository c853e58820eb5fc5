package io.escapement.rooms.host;

import org.agrona.collections.Long2ObjectHashMap;

/**
 * The open rooms: by id, by slot (a small number that the wheel knows them by), and in the order they opened. What
 * rooms may use is added up here when they open, so that nothing they do later depends on another room.
 */
final class RoomTable
{
    private final Long2ObjectHashMap<RoomInstance> roomByIdMap = new Long2ObjectHashMap<>();
    private final RoomInstance[] roomBySlot;
    private final RoomLimits[] limitsBySlot;
    private final int[] freeSlots;
    private final int seatLimit;
    private final int timerLimit;
    private int freeCount;
    private int seatsReserved;
    private int timersReserved;
    private long lastOrdinal;
    private RoomInstance first;
    private RoomInstance last;

    RoomTable(final int roomLimit, final int seatLimit, final int timerLimit)
    {
        this.seatLimit = seatLimit;
        this.timerLimit = timerLimit;
        roomBySlot = new RoomInstance[roomLimit];
        limitsBySlot = new RoomLimits[roomLimit];
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
        return roomByIdMap.get(roomId);
    }

    RoomInstance bySlot(final int slot)
    {
        return roomBySlot[slot];
    }

    RoomInstance first()
    {
        return first;
    }

    RoomLimits limits(final int slot)
    {
        return limitsBySlot[slot];
    }

    boolean fits(final RoomLimits limits)
    {
        return freeCount > 0 &&
            limits.seats() <= seatLimit - seatsReserved &&
            limits.timers() <= timerLimit - timersReserved;
    }

    int takeSlot(final RoomLimits limits)
    {
        final int slot = freeSlots[--freeCount];
        limitsBySlot[slot] = limits;
        seatsReserved += limits.seats();
        timersReserved += limits.timers();
        return slot;
    }

    void freeSlot(final int slot)
    {
        seatsReserved -= limitsBySlot[slot].seats();
        timersReserved -= limitsBySlot[slot].timers();
        limitsBySlot[slot] = null;
        roomBySlot[slot] = null;
        freeSlots[freeCount++] = slot;
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
        room.previous = last;
        if (null == last)
        {
            first = room;
        }
        else
        {
            last.next = room;
        }
        last = room;
    }

    /** The room's own link to the next stays, so that whoever walks over the rooms can go on. */
    void remove(final RoomInstance room)
    {
        roomByIdMap.remove(room.roomId());
        freeSlot(room.slot());
        if (null == room.previous)
        {
            first = room.next;
        }
        else
        {
            room.previous.next = room.next;
        }
        if (null == room.next)
        {
            last = room.previous;
        }
        else
        {
            room.next.previous = room.previous;
        }
    }
}
