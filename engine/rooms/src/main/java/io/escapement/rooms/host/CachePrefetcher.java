package io.escapement.rooms.host;

import io.escapement.rooms.RoomLogic;

/**
 * Loads the objects that the next rooms' callbacks will touch into the cache. A callback follows a chain of objects,
 * and with many rooms each of them is a cache miss. Here up to {@link #LIMIT} rooms follow the chain together, one link
 * of it at a time, so that their misses overlap. The sums only keep the compiler from eliminating the reads.
 *
 * <p>Changes no state. {@code MessageBenchmark} of the module perf measures its gain for messages.
 */
final class CachePrefetcher
{
    /** A room's chain is about 15 cache lines. The chains of 32 rooms still fit the L1 cache. */
    static final int LIMIT = 32;

    private static final int NO_SEAT = -1;

    private final RoomInstance[] rooms = new RoomInstance[LIMIT];
    private final int[] seatIndexes = new int[LIMIT];
    private int count;
    private long sink;

    /** Add a room that will be called. If there are {@link #LIMIT} already, they are prefetched first. */
    void add(final RoomInstance room, final int seatIndex)
    {
        if (LIMIT == count)
        {
            prefetch();
        }
        rooms[count] = room;
        seatIndexes[count++] = seatIndex;
    }

    /** Prefetch the rooms that were added, and forget them. */
    void prefetch()
    {
        long sum = 0;
        for (int i = 0; i < count; i++)
        {
            sum += readLines(rooms[i]);
        }
        for (int i = 0; i < count; i++)
        {
            sum += readParts(rooms[i]);
        }
        for (int i = 0; i < count; i++)
        {
            sum += readSeat(rooms[i], seatIndexes[i]);
            // The room must not be kept reachable after it has closed.
            rooms[i] = null;
        }
        count = 0;
        sink = sum;
    }

    /** Prefetch the first objects that the frames of a group's rooms use. */
    void prefetch(final PhaseGroup group, final int from, final int to)
    {
        long sum = 0;
        for (int i = from; i < to; i++)
        {
            final RoomLogic logic = group.logicInStep(i);
            if (null != logic)
            {
                sum += readClass(logic);
            }
            else if (null != group.room(i))
            {
                sum += group.room(i).frame() + readLogic(group.room(i).invoker);
            }
            if (group.isSender(i) && null != group.room(i))
            {
                add(group.room(i), NO_SEAT);
            }
        }
        sink = sum;
        prefetch();
    }

    /** Reads a field of each cache line of the room. */
    private static long readLines(final RoomInstance room)
    {
        return room.roomId() + (room.needsSettling() ? 1 : 0) + (null == room.invoker ? 1 : 0) +
            (null == room.next() ? 1 : 0);
    }

    private static long readParts(final RoomInstance room)
    {
        return readLogic(room.invoker) + (room.output.isDirty() ? 1 : 0) + room.output.length() +
            (room.view.hasGroupClaim() ? 1 : 0) + room.seats.limit();
    }

    private static long readLogic(final LogicInvoker invoker)
    {
        return invoker.count() + readClass(invoker.logic());
    }

    /** Reads the class of the logic, without a call to it. */
    private static long readClass(final RoomLogic logic)
    {
        return logic instanceof FailedLogic ? 1 : 0;
    }

    private static long readSeat(final RoomInstance room, final int seatIndex)
    {
        final SeatState seat = room.seats.at(seatIndex);
        return room.output.nextByte() + (null == seat ? 0 : seat.lastSequence() + seat.index());
    }
}
