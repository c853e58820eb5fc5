package io.escapement.rooms.host;

import java.util.Arrays;
import java.util.Comparator;

/**
 * The rooms that have a frame at the same deadlines: one rate, one phase. They run in the order they opened. A room
 * that leaves is struck out, not moved, since it may do so while the group runs.
 */
final class PhaseGroup
{
    private static final Comparator<RoomFrames> BY_ORDER_OF_OPENING =
        (a, b) -> Long.compare(a.ordinal(), b.ordinal());

    /** Rooms whose reads wait together while the group runs. */
    private static final int LOOK_AHEAD = 16;
    /** Rooms that are looked at before the group's time; more would keep a command waiting. */
    private static final int LOOK_AHEAD_EARLY = 256;

    final int rateHz;
    final int phase;
    final FrameGrid grid;
    private final CachePrefetcher ahead;
    private RoomFrames[] rooms = new RoomFrames[8];
    private int size;
    private int count;
    private boolean isSorted = true;
    long deadlineNs = Long.MAX_VALUE;
    long lastDeadlineNs;
    boolean isQueued;
    int ran;
    int missed;
    /** Kept so that the reads are not left out as useless. */
    private long lookedAhead;

    PhaseGroup(final int rateHz, final int phase, final int phases, final CachePrefetcher ahead)
    {
        this.ahead = ahead;
        this.rateHz = rateHz;
        this.phase = phase;
        grid = new FrameGrid(rateHz, phase, phases);
    }

    boolean isEmpty()
    {
        return 0 == count;
    }

    void add(final RoomFrames room)
    {
        if (size == rooms.length)
        {
            rooms = Arrays.copyOf(rooms, size * 2);
        }
        if (size > 0 && (null == rooms[size - 1] || rooms[size - 1].ordinal() > room.ordinal()))
        {
            isSorted = false;
        }
        room.groupPosition(size);
        rooms[size++] = room;
        count++;
    }

    void remove(final int position)
    {
        rooms[position] = null;
        count--;
    }

    /** Run the frames that are due. */
    void run(final long nowNs)
    {
        tidy();
        ran = 0;
        missed = 0;
        final long lastN = grid.lastAt(nowNs);
        lastDeadlineNs = grid.deadlineNs(lastN);
        final RoomFrames[] running = rooms;
        for (int from = 0, end = size; from < end; from += LOOK_AHEAD)
        {
            final int to = Math.min(end, from + LOOK_AHEAD);
            lookAhead(running, from, to);
            for (int i = from; i < to; i++)
            {
                final RoomFrames room = running[i];
                if (null != room)
                {
                    room.run(this, lastN, lastDeadlineNs);
                }
            }
        }
        next(lastN + 1);
    }

    /** Have in the cache what the first rooms' frames begin with. */
    void lookAhead()
    {
        lookAhead(rooms, 0, Math.min(size, LOOK_AHEAD_EARLY));
    }

    void next(final long n)
    {
        deadlineNs = grid.deadlineNs(n);
    }

    /**
     * Each frame begins with a chain of reads, and would wait for every one of them if they came from memory. Those of
     * several rooms, read here, wait together.
     */
    private void lookAhead(final RoomFrames[] running, final int from, final int to)
    {
        long sum = 0;
        for (int i = from; i < to; i++)
        {
            final RoomFrames room = running[i];
            if (null != room)
            {
                sum += room.lookAhead();
            }
        }
        lookedAhead = sum;
        ahead.run();
    }

    private void tidy()
    {
        if (count != size)
        {
            int kept = 0;
            for (int i = 0; i < size; i++)
            {
                final RoomFrames room = rooms[i];
                if (null != room)
                {
                    rooms[kept++] = room;
                }
            }
            Arrays.fill(rooms, kept, size, null);
            size = kept;
        }
        else if (isSorted)
        {
            return;
        }

        if (!isSorted)
        {
            Arrays.sort(rooms, 0, size, BY_ORDER_OF_OPENING);
            isSorted = true;
        }
        for (int i = 0; i < size; i++)
        {
            rooms[i].groupPosition(i);
        }
    }
}
