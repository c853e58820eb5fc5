package io.escapement.engine.internal.loop;

/**
 * Decides when the loop of a node that leads asks for a snapshot of all nodes. In the loop's thread. Each node
 * measures, so that one that begins to lead goes on where the last leader was.
 */
public final class SnapshotRequests
{
    private final Runnable request;
    private final SnapshotsDue due;

    /**
     * Decide.
     *
     * @param request        asks for a snapshot.
     * @param replayBudgetNs longest time to run the turns behind a snapshot.
     * @param intervalNs     longest time between two.
     */
    public SnapshotRequests(final Runnable request, final long replayBudgetNs, final long intervalNs)
    {
        this.request = request;
        due = new SnapshotsDue(replayBudgetNs, intervalNs);
    }

    /** The state of the loop is that of a snapshot. */
    void begin(final long nowNs)
    {
        due.begin(nowNs, 0);
    }

    /** Turns have run. */
    void onTurns(final long workNs)
    {
        due.onTurns(workNs);
    }

    /** Time that the turns behind the newest snapshot would take to run again. */
    long replayNs()
    {
        return due.replayNs();
    }

    /** Whether to ask for a snapshot. */
    boolean isDue(final long nowNs)
    {
        return due.isDue(nowNs);
    }

    /** Ask for a snapshot. Only while the loop leads. */
    void request(final long nowNs)
    {
        due.retry(nowNs);
        request.run();
    }
}
