package io.escapement.rooms.host;

import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import java.util.BitSet;

/** The free seats of one kind, the oldest first. */
final class FreeSeats
{
    private final int first;
    private final int[] queue;
    private int head;
    private int count;

    /** All seats of a range are free. */
    FreeSeats(final int first, final int limit)
    {
        this.first = first;
        queue = new int[limit];
        count = limit;
        for (int i = 0; i < limit; i++)
        {
            queue[i] = first + i;
        }
    }

    int count()
    {
        return count;
    }

    /** Seats that are not free. */
    int taken()
    {
        return queue.length - count;
    }

    int take()
    {
        final int index = queue[head];
        head = head + 1 == queue.length ? 0 : head + 1;
        count--;
        return index;
    }

    void add(final int index)
    {
        final int tail = head + count;
        queue[tail >= queue.length ? tail - queue.length : tail] = index;
        count++;
    }

    void write(final StateWriter writer)
    {
        writer.putInt(count);
        for (int i = 0; i < count; i++)
        {
            writer.putInt(queue[(head + i) % queue.length]);
        }
    }

    void read(final StateReader reader, final SeatState[] seats)
    {
        head = 0;
        count = 0;
        for (int i = first; i < first + queue.length; i++)
        {
            count += isFree(seats[i]) ? 1 : 0;
        }
        Restored.inRange(reader.getInt(), count, count, "free seats");
        final BitSet listed = new BitSet();
        for (int i = 0; i < count; i++)
        {
            final int index = Restored.inRange(reader.getInt(), first, first + queue.length - 1, "a free seat");
            Restored.check(
                isFree(seats[index]) && !listed.get(index), "seat " + index + " in the list of free seats");
            listed.set(index);
            queue[i] = index;
        }
    }

    private static boolean isFree(final SeatState seat)
    {
        return seat.isFree() && !seat.isUsedUp();
    }
}
