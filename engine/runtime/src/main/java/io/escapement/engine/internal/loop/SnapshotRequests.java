package io.escapement.engine.internal.loop;

import java.util.concurrent.TimeUnit;

/**
 * Decides when the loop of a node that leads asks for a snapshot of all nodes. In the loop's thread.
 *
 * <p>One is due when the turns behind the last one would take the replay budget to run again, or after an interval.
 * Each node measures, so that one that begins to lead goes on where the last leader was.
 */
public final class SnapshotRequests
{
    /** A request may be lost, as when the leader changes. */
    static final long RETRY_NS = TimeUnit.SECONDS.toNanos(10);

    private final Runnable request;
    private final long replayBudgetNs;
    private final long intervalNs;
    /** Time to run the turns behind the newest snapshot again; 0 if there are none. */
    private long replayNs;
    /** At the latest, if there are turns. */
    private long dueNs;
    private long notBeforeNs;

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
        this.replayBudgetNs = replayBudgetNs;
        this.intervalNs = intervalNs;
    }

    /** The state of the loop is that of a snapshot. */
    void begin(final long nowNs)
    {
        replayNs = 0;
        dueNs = nowNs + intervalNs;
        notBeforeNs = nowNs;
    }

    /** Turns have run. */
    void onTurns(final long workNs)
    {
        // A clock that stands still must not make turns free.
        replayNs += Math.max(1, workNs);
    }

    /** Time that the turns behind the newest snapshot would take to run again. */
    long replayNs()
    {
        return replayNs;
    }

    /** Whether to ask for a snapshot. */
    boolean isDue(final long nowNs)
    {
        return 0 != replayNs && nowNs - notBeforeNs >= 0 && (replayNs >= replayBudgetNs || nowNs - dueNs >= 0);
    }

    /** Ask for a snapshot. Only while the loop leads. */
    void request(final long nowNs)
    {
        notBeforeNs = nowNs + RETRY_NS;
        request.run();
    }
}
