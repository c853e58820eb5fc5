package io.escapement.rooms.internal;

import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import io.escapement.rooms.internal.timers.TimerWheel;
import java.util.Arrays;
import java.util.BitSet;
import org.agrona.collections.Long2LongHashMap;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The seats of a room: the seat of each player, the free seats (oldest first), and the links that the room sends to. A
 * link is in the list while at least one present seat uses it.
 */
final class SeatTable
{
    private static final int NONE = -1;

    private final RoomIdentity room;
    private final SeatState[] seats;
    private final SeatMarks marks;
    private final Long2LongHashMap indexByPlayerMap;
    private final int[] freeQueue;
    /** The data of each seat, in one array; empty without any. */
    private final UnsafeBuffer[] data;
    private final int dataLength;
    private int freeHead;
    private int freeCount;
    private int taken;
    private int[] links = new int[4];
    private int[] presentByLink = new int[4];
    private int linkCount;

    SeatTable(final RoomIdentity room, final int limit, final LinkTable linkTable)
    {
        this.room = room;
        seats = new SeatState[limit];
        marks = new SeatMarks(limit);
        freeQueue = new int[limit];
        for (int i = 0; i < limit; i++)
        {
            seats[i] = new SeatState(room, i, 1, linkTable, marks);
            freeQueue[i] = i;
        }
        freeCount = limit;
        dataLength = room.type().seatData();
        data = dataOf(0 == dataLength ? 0 : limit, dataLength);
        // With twice the seats at this load factor the map never grows, so joining never allocates for it.
        indexByPlayerMap = new Long2LongHashMap(Math.max(8, limit * 2), 0.6f, NONE);
    }

    private static UnsafeBuffer[] dataOf(final int count, final int length)
    {
        final UnsafeBuffer[] buffers = new UnsafeBuffer[count];
        final byte[] bytes = new byte[count * length];
        for (int i = 0; i < count; i++)
        {
            buffers[i] = new UnsafeBuffer(bytes, i * length, length);
        }
        return buffers;
    }

    int limit()
    {
        return seats.length;
    }

    /** The data of a seat, or null if seats of the room have none. */
    UnsafeBuffer data(final int index)
    {
        return 0 == dataLength ? null : data[index];
    }

    /** A copy of the data of all seats; null if they have none. */
    UnsafeBuffer copyData()
    {
        if (0 == dataLength)
        {
            return null;
        }
        final UnsafeBuffer copy = new UnsafeBuffer(new byte[data.length * dataLength]);
        for (int i = 0; i < data.length; i++)
        {
            copy.putBytes(i * dataLength, data[i], 0, dataLength);
        }
        return copy;
    }

    /** Put a copy back. */
    void restoreData(final UnsafeBuffer copy)
    {
        for (int i = 0; i < data.length; i++)
        {
            data[i].putBytes(0, copy, i * dataLength, dataLength);
        }
    }

    /** Whether no seat has a player, or is kept for one. */
    boolean isEmpty()
    {
        return indexByPlayerMap.isEmpty();
    }

    /** A seat of this room with a player, who may be leaving. */
    SeatState own(final SeatState seat)
    {
        if (room != seat.room())
        {
            throw new IllegalArgumentException(seat + " belongs to another room");
        }
        if (seat.isFree())
        {
            throw new IllegalArgumentException("the player has left: " + seat);
        }
        if (seat.isReserved())
        {
            throw new IllegalArgumentException("the player has not joined yet: " + seat);
        }
        return seat;
    }

    SeatMarks marks()
    {
        return marks;
    }

    int freeCount()
    {
        return freeCount;
    }

    /** Seats with a player, present or away. */
    int taken()
    {
        return taken;
    }

    /** Seats that nobody can take: taken, reserved, about to be freed, or used up. */
    int occupied()
    {
        return seats.length - freeCount;
    }

    int reserved()
    {
        return marks.count(SeatMarks.RESERVED);
    }

    SeatState at(final int index)
    {
        return index >= 0 && index < seats.length ? seats[index] : null;
    }

    SeatState ofPlayer(final long playerId)
    {
        final long index = indexByPlayerMap.get(playerId);
        return NONE == index ? null : seats[(int)index];
    }

    SeatState take(final long playerId, final int state)
    {
        final int index = freeQueue[freeHead];
        freeHead = freeHead + 1 == freeQueue.length ? 0 : freeHead + 1;
        freeCount--;
        final SeatState seat = seats[index];
        seat.reserveFor(playerId, state);
        indexByPlayerMap.put(playerId, index);
        return seat;
    }

    void seated()
    {
        taken++;
    }

    /** A player began to leave. */
    void left()
    {
        taken--;
    }

    void free(final SeatState seat)
    {
        indexByPlayerMap.remove(seat.playerId());
        seat.free();
        if (0 != dataLength)
        {
            data[seat.index()].setMemory(0, dataLength, (byte)0);
        }
        final SeatState next = seat.successor();
        seats[seat.index()] = next;
        if (next.isUsedUp())
        {
            return;
        }

        final int tail = freeHead + freeCount;
        freeQueue[tail >= freeQueue.length ? tail - freeQueue.length : tail] = seat.index();
        freeCount++;
    }

    int linkCount()
    {
        return linkCount;
    }

    int linkAt(final int position)
    {
        return links[position];
    }

    void addPresent(final int link)
    {
        int i = 0;
        while (i < linkCount && links[i] < link)
        {
            i++;
        }
        if (i < linkCount && links[i] == link)
        {
            presentByLink[i]++;
            return;
        }

        if (linkCount == links.length)
        {
            links = Arrays.copyOf(links, linkCount * 2);
            presentByLink = Arrays.copyOf(presentByLink, linkCount * 2);
        }
        System.arraycopy(links, i, links, i + 1, linkCount - i);
        System.arraycopy(presentByLink, i, presentByLink, i + 1, linkCount - i);
        links[i] = link;
        presentByLink[i] = 1;
        linkCount++;
    }

    void removePresent(final int link)
    {
        int i = 0;
        while (links[i] != link)
        {
            i++;
        }
        if (--presentByLink[i] == 0)
        {
            linkCount--;
            System.arraycopy(links, i + 1, links, i, linkCount - i);
            System.arraycopy(presentByLink, i + 1, presentByLink, i, linkCount - i);
        }
    }

    void write(final StateWriter writer, final TimerWheel wheel, final boolean isSnapshot)
    {
        for (final SeatState seat : seats)
        {
            seat.write(writer, wheel, isSnapshot);
        }
        if (isSnapshot)
        {
            writer.putInt(dataLength);
        }
        for (int i = 0; i < data.length; i++)
        {
            if (!seats[i].isFree())
            {
                writer.putBytes(data[i], 0, dataLength);
            }
        }
        writer.putInt(freeCount);
        for (int i = 0; i < freeCount; i++)
        {
            writer.putInt(freeQueue[(freeHead + i) % freeQueue.length]);
        }
    }

    void read(final StateReader reader, final NodeState.Restorer nodes)
    {
        taken = 0;
        int usedUp = 0;
        for (final SeatState seat : seats)
        {
            seat.read(reader, nodes);
            if (!seat.isFree())
            {
                Restored.check(
                    NONE == indexByPlayerMap.put(seat.playerId(), seat.index()), seat + " has another seat too");
                taken += seat.isTaken() ? 1 : 0;
                if (seat.isPresent())
                {
                    addPresent(seat.link());
                }
            }
            usedUp += seat.isUsedUp() ? 1 : 0;
        }
        readData(reader);
        freeHead = 0;
        freeCount = limit() - indexByPlayerMap.size() - usedUp;
        Restored.inRange(reader.getInt(), freeCount, freeCount, "free seats");
        final BitSet listed = new BitSet();
        for (int i = 0; i < freeCount; i++)
        {
            final int index = Restored.inRange(reader.getInt(), 0, limit() - 1, "a free seat");
            Restored.check(seats[index].isFree() && !seats[index].isUsedUp() && !listed.get(index),
                "seat " + index + " in the list of free seats");
            listed.set(index);
            freeQueue[i] = index;
        }
    }

    private void readData(final StateReader reader)
    {
        Restored.inRange(reader.getInt(), dataLength, dataLength, "bytes of data of a seat");
        for (int i = 0; i < data.length; i++)
        {
            if (!seats[i].isFree())
            {
                Restored.inRange(reader.getBytes(data[i], 0), dataLength, dataLength, "the data of a seat");
            }
        }
    }
}
