package io.escapement.rooms.host;

import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import java.util.Arrays;

/**
 * The links of a host: which are up, for which trunk, and the seats of each. If a link goes down, it keeps its seats
 * for a resume until its number is given to another trunk.
 */
final class LinkTable
{
    private final long[] trunkIds;
    private final boolean[] isUp;
    private final SeatState[] heads;
    private final int[] seatCounts;
    private SeatState[] gathered = new SeatState[64];

    LinkTable(final int limit)
    {
        trunkIds = new long[limit];
        isUp = new boolean[limit];
        heads = new SeatState[limit];
        seatCounts = new int[limit];
    }

    boolean isInRange(final int link)
    {
        return link >= 0 && link < isUp.length;
    }

    boolean isUp(final int link)
    {
        return isInRange(link) && isUp[link];
    }

    long trunkId(final int link)
    {
        return trunkIds[link];
    }

    void up(final int link, final long trunkId)
    {
        isUp[link] = true;
        trunkIds[link] = trunkId;
    }

    void down(final int link)
    {
        isUp[link] = false;
    }

    int countUp()
    {
        int count = 0;
        for (final boolean up : isUp)
        {
            count += up ? 1 : 0;
        }
        return count;
    }

    void add(final SeatState seat, final int link)
    {
        seat.linkBefore(link, heads[link]);
        heads[link] = seat;
        seatCounts[link]++;
    }

    void remove(final SeatState seat)
    {
        final int link = seat.link();
        if (SeatState.NO_LINK != link)
        {
            heads[link] = seat.unlink(heads[link]);
            seatCounts[link]--;
        }
    }

    /** Number of seats that remember the link. */
    int seats(final int link)
    {
        return isInRange(link) ? seatCounts[link] : 0;
    }

    /** Whether seats remember the link. */
    boolean hasSeats(final int link)
    {
        return isInRange(link) && null != heads[link];
    }

    /** Give the number to another trunk: the players of the seats still held for the last trunk must rejoin. */
    void forgetSeats(final int link)
    {
        while (null != heads[link])
        {
            remove(heads[link]);
        }
    }

    /**
     * Collect the seats of a link in the order of rooms, then of seats, for {@link #gathered}. Returns how many. End
     * with {@link #release}.
     */
    int gather(final int link)
    {
        int count = 0;
        for (SeatState seat = heads[link]; null != seat; seat = seat.nextOnLink())
        {
            if (count == gathered.length)
            {
                gathered = Arrays.copyOf(gathered, count * 2);
            }
            gathered[count++] = seat;
        }
        sortGathered(count);
        return count;
    }

    SeatState gathered(final int position)
    {
        return gathered[position];
    }

    /** Drop the collected seats, which would keep closed rooms reachable. */
    void release(final int count)
    {
        Arrays.fill(gathered, 0, count, null);
    }

    /** A heap sort, because the library's sort of objects allocates. */
    private void sortGathered(final int count)
    {
        for (int i = count / 2 - 1; i >= 0; i--)
        {
            sink(i, count);
        }
        for (int end = count - 1; end > 0; end--)
        {
            swap(0, end);
            sink(0, end);
        }
    }

    private void sink(final int from, final int end)
    {
        int parent = from;
        int child = 2 * parent + 1;
        while (child < end)
        {
            if (child + 1 < end && isBefore(gathered[child], gathered[child + 1]))
            {
                child++;
            }
            if (!isBefore(gathered[parent], gathered[child]))
            {
                return;
            }
            swap(parent, child);
            parent = child;
            child = 2 * parent + 1;
        }
    }

    private void swap(final int a, final int b)
    {
        final SeatState seat = gathered[a];
        gathered[a] = gathered[b];
        gathered[b] = seat;
    }

    private static boolean isBefore(final SeatState a, final SeatState b)
    {
        final long roomA = a.room().ordinal();
        final long roomB = b.room().ordinal();
        return roomA < roomB || roomA == roomB && a.index() < b.index();
    }

    void write(final StateWriter writer)
    {
        writer.putInt(isUp.length);
        for (int i = 0; i < isUp.length; i++)
        {
            writer.putLong(trunkIds[i]);
            writer.putBoolean(isUp[i]);
        }
    }

    void read(final StateReader reader)
    {
        final int count = Restored.inRange(reader.getInt(), 0, isUp.length, "links");
        for (int i = 0; i < count; i++)
        {
            trunkIds[i] = reader.getLong();
            isUp[i] = reader.getBoolean();
        }
    }
}
