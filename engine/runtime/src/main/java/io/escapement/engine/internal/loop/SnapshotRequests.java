package io.escapement.engine.internal.loop;

import io.escapement.rooms.host.RoomHost;
/**
 * Decides when the leader's loop asks for a snapshot of all nodes. In the loop's thread. Because each node measures, a
 * new leader continues where the last leader was.
 */
public final class SnapshotRequests implements Snapshots
{
    private final Runnable request;
    private final LoopCounters counters;
    private final SnapshotsDue due;

    /**
     * Decide.
     *
     * @param request        asks for a snapshot.
     * @param replayBudgetNs longest time to run the turns after a snapshot.
     * @param intervalNs     longest time between two.
     * @param counters       of the loop.
     */
    public SnapshotRequests(
        final Runnable request, final long replayBudgetNs, final long intervalNs, final LoopCounters counters)
    {
        this.request = request;
        this.counters = counters;
        due = new SnapshotsDue(replayBudgetNs, intervalNs);
    }

    @Override
    public void begin(final long nowNs, final long recoveryNs)
    {
        due.begin(nowNs, recoveryNs);
    }

    @Override
    public void onTurns(final long workNs)
    {
        due.onTurns(workNs);
        counters.replay(due.replayNs());
    }

    @Override
    public boolean isWaiting(final long nowNs)
    {
        return due.isDue(nowNs);
    }

    @Override
    public int step(final RoomHost host, final long nowNs)
    {
        if (due.isDue(nowNs))
        {
            due.retry(nowNs);
            request.run();
        }
        return 0;
    }
}
