package io.escapement.rooms.host;

import java.util.PriorityQueue;

/**
 * Which rooms have frames when. A rate's rooms are spread over a few phase groups by their ids, so that they do not
 * all fall due at once and a room's deadlines depend on nothing but its own id and rate.
 */
final class Frames
{
    static final int MAX_RATE_HZ = 1_000;

    private final int phases;
    private final CachePrefetcher ahead;
    private final PhaseGroup[][] groupsByRate = new PhaseGroup[MAX_RATE_HZ + 1][];
    private final PriorityQueue<PhaseGroup> queue = new PriorityQueue<>(64, Frames::compare);

    Frames(final int phases, final CachePrefetcher ahead)
    {
        this.phases = phases;
        this.ahead = ahead;
    }

    PhaseGroup enter(final RoomFrames room, final int rateHz, final long nowNs)
    {
        if (null == groupsByRate[rateHz])
        {
            groupsByRate[rateHz] = new PhaseGroup[phases];
        }
        final int phase = (int)Long.remainderUnsigned(room.roomId(), phases);
        PhaseGroup group = groupsByRate[rateHz][phase];
        if (null == group)
        {
            group = new PhaseGroup(rateHz, phase, phases, ahead);
            groupsByRate[rateHz][phase] = group;
        }

        group.add(room);
        if (!group.isQueued)
        {
            group.next(group.grid.lastAt(nowNs) + 1);
            group.isQueued = true;
            queue.add(group);
        }
        return group;
    }

    long nextDeadlineNs()
    {
        // A group that every room has left is dropped when its time comes, or here.
        while (!queue.isEmpty() && queue.peek().isEmpty())
        {
            queue.poll().isQueued = false;
        }
        return queue.isEmpty() ? Long.MAX_VALUE : queue.peek().deadlineNs;
    }

    /**
     * Run the group whose deadline comes first, if it is due.
     *
     * @return the group, or null when none is due.
     */
    PhaseGroup runNext(final long nowNs)
    {
        if (nextDeadlineNs() > nowNs)
        {
            return null;
        }

        final PhaseGroup group = queue.poll();
        // It counts as queued while it runs: rooms that enter meanwhile must not queue it twice.
        group.run(nowNs);
        queue.add(group);
        return group;
    }

    void lookAhead(final long untilNs)
    {
        if (nextDeadlineNs() <= untilNs && !queue.isEmpty())
        {
            queue.peek().lookAhead();
        }
    }

    private static int compare(final PhaseGroup a, final PhaseGroup b)
    {
        if (a.deadlineNs != b.deadlineNs)
        {
            return Long.compare(a.deadlineNs, b.deadlineNs);
        }
        return a.rateHz != b.rateHz ? Integer.compare(a.rateHz, b.rateHz) : Integer.compare(a.phase, b.phase);
    }
}
