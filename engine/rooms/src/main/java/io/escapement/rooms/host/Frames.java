package io.escapement.rooms.host;

import java.util.PriorityQueue;

/**
 * The schedule of all rooms' frames. The rooms of a rate are spread over a few phase groups by their ids, to not all
 * fall due at once. A room's deadlines depend only on its own id and rate.
 */
final class Frames
{
    static final int MAX_RATE_HZ = 1_000;

    private final int phases;
    private final RoomServices services;
    private final PhaseGroup[][] groupsByRate = new PhaseGroup[MAX_RATE_HZ + 1][];
    private final PriorityQueue<PhaseGroup> queue = new PriorityQueue<>(64, Frames::compare);

    Frames(final int phases, final RoomServices services)
    {
        this.phases = phases;
        this.services = services;
    }

    PhaseGroup enter(final RoomInstance room, final int rateHz, final long nowNs)
    {
        if (null == groupsByRate[rateHz])
        {
            groupsByRate[rateHz] = new PhaseGroup[phases];
        }
        final int phase = (int)Long.remainderUnsigned(room.roomId(), phases);
        PhaseGroup group = groupsByRate[rateHz][phase];
        if (null == group)
        {
            group = new PhaseGroup(rateHz, phase, phases, services);
            groupsByRate[rateHz][phase] = group;
        }

        group.add(room);
        if (!group.isQueued())
        {
            group.next(group.grid.lastAt(nowNs) + 1);
            group.queued(true);
            queue.add(group);
        }
        return group;
    }

    long nextDeadlineNs()
    {
        // A group that all rooms have left is dropped here, or at its deadline.
        while (!queue.isEmpty() && queue.peek().isEmpty())
        {
            queue.poll().queued(false);
        }
        return queue.isEmpty() ? Long.MAX_VALUE : queue.peek().deadlineNs();
    }

    /** The group that {@link #runNext} would run, or null. */
    PhaseGroup nextDue(final long nowNs)
    {
        final long deadlineNs = nextDeadlineNs();
        return deadlineNs > nowNs || Long.MAX_VALUE == deadlineNs ? null : queue.peek();
    }

    /** Run the group with the earliest deadline, and return it. Null if no group is due. */
    PhaseGroup runNext(final long nowNs)
    {
        final PhaseGroup group = nextDue(nowNs);
        if (null == group)
        {
            return null;
        }

        queue.poll();
        // It counts as queued while it runs. Then rooms that enter during the run do not queue it twice.
        group.run(nowNs);
        queue.add(group);
        return group;
    }

    /** Prefetch a few more rooms of the next group, if its deadline is not later than this. */
    void warmCaches(final long untilNs)
    {
        if (nextDeadlineNs() <= untilNs && !queue.isEmpty())
        {
            queue.peek().warmCaches();
        }
    }

    private static int compare(final PhaseGroup a, final PhaseGroup b)
    {
        if (a.deadlineNs() != b.deadlineNs())
        {
            return Long.compare(a.deadlineNs(), b.deadlineNs());
        }
        return a.rateHz != b.rateHz ? Integer.compare(a.rateHz, b.rateHz) : Integer.compare(a.phase, b.phase);
    }
}
