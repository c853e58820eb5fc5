package io.escapement.rooms.host;

import io.escapement.rooms.RoomLogic;
import java.util.Arrays;
import java.util.Comparator;

/**
 * The rooms that have their frames at the same deadlines: one rate, one phase. They run in the order in which they
 * opened. A room that leaves is replaced by null, and no other is moved, because it may leave while the group runs. The
 * places of rooms that left are used again when there is no other.
 *
 * <p>A room is in step if it ran the last frame and its next frame is due with the group's. Most rooms are, most of the
 * time, and their frame numbers all grow by 1 in a run. The group keeps the data of their next frames in arrays and
 * calls their logic from here. Then a frame touches no other object of the room: with 1,000 rooms and more the cost of
 * a frame is its cache misses.
 */
final class PhaseGroup
{
    private static final Comparator<RoomInstance> BY_ORDER_OF_OPENING =
        (a, b) -> Long.compare(a.identity.ordinal(), b.identity.ordinal());

    /** Rooms that are prefetched together while the group runs, to overlap their cache misses. */
    private static final int PREFETCH = 16;
    /** Rooms that one call prefetches before the group's deadline. More would delay a command. */
    private static final int WARM_UP = 64;
    private static final int INITIAL_LENGTH = 8;

    final int rateHz;
    final int phase;
    final FrameGrid grid;
    private final CachePrefetcher prefetcher;
    private final RoomServices services;
    private RoomInstance[] rooms = new RoomInstance[INITIAL_LENGTH];
    /** The logics of the rooms in step, null for all others. */
    private RoomLogic[] logics = new RoomLogic[INITIAL_LENGTH];
    private RoomIdentity[] identities = new RoomIdentity[INITIAL_LENGTH];
    /** Number of a room's frame minus that of the group's. */
    private long[] offsets = new long[INITIAL_LENGTH];
    /**
     * Rooms that sent a message in their last frame. Then the next frame is likely to send, and to need the rest of the
     * room.
     */
    private boolean[] senders = new boolean[INITIAL_LENGTH];
    private int size;
    private int count;
    private boolean isSorted = true;
    private long deadlineNs = Long.MAX_VALUE;
    private long lastN = -1;
    private long lastDeadlineNs;
    private boolean isQueued;
    private boolean isRunning;
    /** Index of the room that runs. The rooms after it have not run their frame. */
    private int cursor;
    /** Rooms that were prefetched for the next run. */
    private int warmed;
    private int ran;
    private long missed;

    PhaseGroup(final int rateHz, final int phase, final int phases, final RoomServices services)
    {
        this.services = services;
        prefetcher = services.host.prefetcher;
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

    void add(final RoomInstance room)
    {
        if (size == rooms.length)
        {
            makeSpace();
        }
        if (size > 0 && rooms[size - 1].identity.ordinal() > room.identity.ordinal())
        {
            isSorted = false;
        }
        room.groupPosition(size);
        rooms[size++] = room;
        count++;
    }

    /** Places, with or without a room. */
    int places()
    {
        return size;
    }

    /** The room at a place, or null. */
    RoomInstance room(final int position)
    {
        return rooms[position];
    }

    /** The logic of a room in step, or null. */
    RoomLogic logicInStep(final int position)
    {
        return logics[position];
    }

    /** Whether the last frame of a room sent something. */
    boolean isSender(final int position)
    {
        return senders[position];
    }

    void sender(final int position, final boolean value)
    {
        senders[position] = value;
    }

    /** The room at a place has run the last frame: run its next ones from here. */
    void enterStep(final int position, final RoomIdentity identity, final RoomLogic logic, final long frame)
    {
        logics[position] = logic;
        identities[position] = identity;
        offsets[position] = frame - lastN;
    }

    /** Number of the group's frame that a room in step ran last. */
    long lastN(final int position)
    {
        return isRunning && position > cursor ? lastN - 1 : lastN;
    }

    void leaveStep(final int position)
    {
        logics[position] = null;
        identities[position] = null;
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
        final long n = grid.lastAt(nowNs);
        if (n != lastN + 1)
        {
            leaveStep();
        }
        final long deadlineNs = grid.deadlineNs(n);
        final long elapsedNs = deadlineNs - lastDeadlineNs;
        lastN = n;
        lastDeadlineNs = deadlineNs;
        isRunning = true;
        for (int from = 0, end = size; from < end; from += PREFETCH)
        {
            final int to = Math.min(end, from + PREFETCH);
            prefetcher.prefetch(this, from, to);
            run(from, to, elapsedNs);
        }
        isRunning = false;
        warmed = 0;
        next(n + 1);
    }

    private void run(final int from, final int to, final long elapsedNs)
    {
        for (int i = from; i < to; i++)
        {
            cursor = i;
            final RoomLogic logic = logics[i];
            final RoomInstance room = rooms[i];
            if (null != logic)
            {
                ran++;
                final boolean hasSent = call(room, identities[i], logic, lastN + offsets[i], elapsedNs);
                if (hasSent != senders[i])
                {
                    senders[i] = hasSent;
                }
            }
            else if (null != room)
            {
                room.runFrames(this, lastN, lastDeadlineNs);
            }
        }
    }

    /** Call a frame of a room in step. Returns whether it sent something. */
    private boolean call(
        final RoomInstance room,
        final RoomIdentity identity,
        final RoomLogic logic,
        final long frame,
        final long elapsedNs)
    {
        final DirtyRooms dirtyRooms = services.dirtyRooms;
        final int dirty = dirtyRooms.size();
        services.host.touch();
        services.guard.enter(identity);
        try
        {
            logic.onFrame(frame, elapsedNs);
            services.exitCallback();
        }
        catch (final Throwable t)
        {
            room.invoker.onThrown(t, null);
        }
        if (services.isUnsettled())
        {
            room.settle();
        }
        return dirty != dirtyRooms.size();
    }

    private void leaveStep()
    {
        for (int i = 0; i < size; i++)
        {
            if (null != logics[i])
            {
                rooms[i].leaveStep();
            }
        }
    }

    /** Prefetch the frames of a few more rooms for the next run. */
    void warmCaches()
    {
        final int from = Math.min(warmed, size);
        warmed = Math.min(size, from + WARM_UP);
        prefetcher.prefetch(this, from, warmed);
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
            leaveStep();
            Arrays.sort(rooms, 0, size, BY_ORDER_OF_OPENING);
            isSorted = true;
            renumber();
        }
    }

    /** Use the places of rooms that left. Otherwise a group without a due frame would grow with every room. */
    private void makeSpace()
    {
        if (count <= size / 2 && !isRunning)
        {
            compact();
        }
        else
        {
            rooms = Arrays.copyOf(rooms, size * 2);
            logics = Arrays.copyOf(logics, size * 2);
            identities = Arrays.copyOf(identities, size * 2);
            offsets = Arrays.copyOf(offsets, size * 2);
            senders = Arrays.copyOf(senders, size * 2);
        }
    }

    private void compact()
    {
        int kept = 0;
        for (int i = 0; i < size; i++)
        {
            final RoomInstance room = rooms[i];
            if (null != room)
            {
                rooms[kept] = room;
                logics[kept] = logics[i];
                identities[kept] = identities[i];
                offsets[kept] = offsets[i];
                senders[kept++] = senders[i];
            }
        }
        Arrays.fill(rooms, kept, size, null);
        Arrays.fill(logics, kept, size, null);
        Arrays.fill(identities, kept, size, null);
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
