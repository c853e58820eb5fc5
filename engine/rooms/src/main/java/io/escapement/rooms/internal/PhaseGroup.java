package io.escapement.rooms.internal;

import java.util.Arrays;
import java.util.Comparator;

/**
 * The rooms that have their frames at the same deadlines: one rate, one phase. They run in the order in which they
 * opened. A room that leaves is replaced by null, and no other is moved, because it may leave while the group runs. The
 * places of rooms that left are used again when there is no other.
 */
final class PhaseGroup
{
    private static final Comparator<FrameTarget> BY_ORDER_OF_OPENING =
        (a, b) -> Long.compare(a.ordinal(), b.ordinal());

    /** Rooms that are prefetched together while the group runs, so that their cache misses overlap. */
    private static final int PREFETCH = 16;
    /** Rooms that are prefetched before the group's deadline; more would delay a command. */
    private static final int WARM_UP = 256;

    final int rateHz;
    final int phase;
    final FrameGrid grid;
    private final FrameTarget.Prefetcher prefetcher;
    private FrameTarget[] rooms = new FrameTarget[8];
    private int size;
    private int count;
    private boolean isSorted = true;
    private long deadlineNs = Long.MAX_VALUE;
    private long lastDeadlineNs;
    private boolean isQueued;
    private boolean isRunning;
    private int ran;
    private long missed;

    PhaseGroup(final int rateHz, final int phase, final int phases, final FrameTarget.Prefetcher prefetcher)
    {
        this.prefetcher = prefetcher;
        this.rateHz = rateHz;
        this.phase = phase;
        grid = new FrameGrid(rateHz, phase, phases);
    }

    /** The next deadline. */
    long deadlineNs()
    {
        return deadlineNs;
    }

    /** The latest deadline of the last run. */
    long lastDeadlineNs()
    {
        return lastDeadlineNs;
    }

    /** Room-frames of the last run. */
    int ran()
    {
        return ran;
    }

    /** Room-frames that the last run skipped, at most {@code Integer.MAX_VALUE}. */
    int missed()
    {
        return (int)Math.min(Integer.MAX_VALUE, missed);
    }

    /** A room of the group runs a frame. */
    void onFrame()
    {
        ran++;
    }

    /** A room of the group skips frames that it is too late for. */
    void onMissed(final long frames)
    {
        missed += frames;
    }

    boolean isQueued()
    {
        return isQueued;
    }

    void queued(final boolean value)
    {
        isQueued = value;
    }

    boolean isEmpty()
    {
        return 0 == count;
    }

    void add(final FrameTarget room)
    {
        if (size == rooms.length)
        {
            makeSpace();
        }
        if (size > 0 && rooms[size - 1].ordinal() > room.ordinal())
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
        // A room that leaves and enters again takes the same place.
        while (size > 0 && null == rooms[size - 1])
        {
            size--;
        }
    }

    /** Run the frames that are due. */
    void run(final long nowNs)
    {
        tidy();
        ran = 0;
        missed = 0;
        final long lastN = grid.lastAt(nowNs);
        lastDeadlineNs = grid.deadlineNs(lastN);
        isRunning = true;
        final FrameTarget[] running = rooms;
        for (int from = 0, end = size; from < end; from += PREFETCH)
        {
            final int to = Math.min(end, from + PREFETCH);
            prefetcher.prefetch(running, from, to);
            for (int i = from; i < to; i++)
            {
                final FrameTarget room = running[i];
                if (null != room)
                {
                    room.run(this, lastN, lastDeadlineNs);
                }
            }
        }
        isRunning = false;
        next(lastN + 1);
    }

    /** Prefetch the frames of the first rooms. */
    void warmCaches()
    {
        prefetcher.prefetch(rooms, 0, Math.min(size, WARM_UP));
    }

    void next(final long n)
    {
        deadlineNs = grid.deadlineNs(n);
    }

    private void tidy()
    {
        if (count != size)
        {
            compact();
        }
        if (!isSorted)
        {
            Arrays.sort(rooms, 0, size, BY_ORDER_OF_OPENING);
            isSorted = true;
            renumber();
        }
    }

    /** Use the places of rooms that left, so that a group that is never due does not grow with every room. */
    private void makeSpace()
    {
        if (count <= size / 2 && !isRunning)
        {
            compact();
        }
        else
        {
            rooms = Arrays.copyOf(rooms, size * 2);
        }
    }

    private void compact()
    {
        int kept = 0;
        for (int i = 0; i < size; i++)
        {
            final FrameTarget room = rooms[i];
            if (null != room)
            {
                rooms[kept++] = room;
            }
        }
        Arrays.fill(rooms, kept, size, null);
        size = kept;
        renumber();
    }

    private void renumber()
    {
        for (int i = 0; i < size; i++)
        {
            rooms[i].groupPosition(i);
        }
    }
}
