package io.escapement.engine.internal.loop;

import java.util.concurrent.TimeUnit;

/**
 * When a loop's next snapshot is due: when a replay of the turns after the last snapshot would take the replay budget,
 * or after an interval. In the loop's thread.
 *
 * <p>The loop measures its turns by itself, including their output. The estimate is high, because a replay sends no
 * output. A recovery measures the real replay.
 */
final class SnapshotsDue
{
    /** A full disk does not have space again soon, a request may be lost, and an image costs the loop time. */
    static final long RETRY_NS = TimeUnit.SECONDS.toNanos(10);

    private final long replayBudgetNs;
    private final long intervalNs;
    /** Time to replay the turns after the newest snapshot, or 0 without such turns. */
    private long replayNs;
    /** At the latest, if there are turns. */
    private long dueNs;
    /** Not before: after a failure. */
    private long notBeforeNs;

    SnapshotsDue(final long replayBudgetNs, final long intervalNs)
    {
        this.replayBudgetNs = replayBudgetNs;
        this.intervalNs = intervalNs;
    }

    /**
     * The loop starts. If the recovery took more than half of the budget, a snapshot is due. Otherwise a process that
     * fails repeatedly would recover longer each time.
     *
     * @param nowNs      engine time.
     * @param recoveryNs time that the turns of the log took to run.
     */
    void begin(final long nowNs, final long recoveryNs)
    {
        replayNs = recoveryNs;
        notBeforeNs = nowNs;
        dueNs = recoveryNs > replayBudgetNs / 2 ? nowNs : nowNs + intervalNs;
    }

    /** Turns have run. */
    void onTurns(final long workNs)
    {
        // A paused clock must not make turns free.
        replayNs += Math.max(1, workNs);
    }

    /** A snapshot is on the disk, and the turns after it would take this time. */
    void onSnapshot(final long nowNs, final long replayBehindNs)
    {
        replayNs = replayBehindNs;
        dueNs = nowNs + intervalNs;
    }

    /** A snapshot was asked for, or has failed: not again for a while, and then at once. */
    void retry(final long nowNs)
    {
        notBeforeNs = nowNs + RETRY_NS;
        dueNs = notBeforeNs;
    }

    /** One is being written. Until it is on the disk the turns count on. */
    void postpone(final long nowNs)
    {
        dueNs = nowNs + intervalNs;
    }

    boolean isDue(final long nowNs)
    {
        return 0 != replayNs && nowNs - notBeforeNs >= 0 && (replayNs >= replayBudgetNs || nowNs - dueNs >= 0);
    }

    /** Time to replay the turns after the newest snapshot. */
    long replayNs()
    {
        return replayNs;
    }
}
