package io.escapement.engine.internal.loop;

import io.escapement.engine.internal.durable.LogSnapshots;
import io.escapement.rooms.host.HostImage;
import io.escapement.rooms.host.RoomHost;
import java.util.concurrent.TimeUnit;
import org.agrona.ErrorHandler;

/**
 * Decides when a durable loop takes a snapshot, and takes it a part in each duty cycle. In the loop's thread.
 *
 * <p>One is due when the turns behind the last one would take the replay budget to run again, or after an interval. The
 * loop measures its turns by itself: with their output, which a replay does not send, so the estimate is high. A
 * recovery measures the real replay.
 */
final class LoopSnapshots
{
    /** Bytes of rooms that are copied in one duty cycle, about 0.1 ms. */
    static final int STEP_BYTES = 64 * 1_024;
    /** Rooms to write before the first snapshot: its code is compiled by then, so no turn is longer than later ones. */
    static final int REHEARSED_ROOMS = 4_000;
    /** Rooms that are rehearsed in one duty cycle; the first take 40 us each. */
    static final int REHEARSED_A_STEP = 4;
    /** A host with fewer rooms needs no rehearsal. */
    static final int REHEARSAL_MIN_ROOMS = 32;
    /** A full disk does not have space again soon, and an image costs the loop time. */
    static final long RETRY_NS = TimeUnit.SECONDS.toNanos(10);

    private final LogSnapshots log;
    private final long replayBudgetNs;
    private final long intervalNs;
    private final LoopCounters counters;
    private final ErrorHandler errorHandler;
    private HostImage image;
    /** Time to run the turns behind the newest snapshot again. */
    private long replayNs;
    /** The part of it behind the position of the snapshot that is taken. */
    private long replayBehindImageNs;
    private long completed;
    private long failed;
    private int rehearsalsLeft = REHEARSED_ROOMS;
    private boolean isRehearsing;
    /** Not before: after a failure. */
    private long notBeforeNs;
    /** At the latest, if there are turns. */
    private long dueNs;

    /**
     * Take snapshots.
     *
     * @param log            that they belong to.
     * @param replayBudgetNs longest time to run the turns behind a snapshot.
     * @param intervalNs     longest time between two.
     * @param counters       of the loop.
     * @param errorHandler   for rooms that cannot be written.
     */
    LoopSnapshots(
        final LogSnapshots log,
        final long replayBudgetNs,
        final long intervalNs,
        final LoopCounters counters,
        final ErrorHandler errorHandler)
    {
        this.log = log;
        this.replayBudgetNs = replayBudgetNs;
        this.intervalNs = intervalNs;
        this.counters = counters;
        this.errorHandler = errorHandler;
    }

    /**
     * The loop begins to lead. If the recovery took more than half of the budget, a snapshot is due, since a process
     * that fails repeatedly would recover longer each time.
     *
     * @param nowNs      engine time.
     * @param recoveryNs time that the turns of the log took to run.
     */
    void begin(final long nowNs, final long recoveryNs)
    {
        replayNs = recoveryNs;
        notBeforeNs = nowNs;
        dueNs = recoveryNs > replayBudgetNs / 2 ? nowNs : nowNs + intervalNs;
        counters.replay(replayNs);
    }

    /** Turns have run. */
    void onTurns(final long workNs)
    {
        // A clock that stands still must not make turns free.
        replayNs += Math.max(1, workNs);
        replayBehindImageNs += Math.max(1, workNs);
        counters.replay(replayNs);
    }

    /** Whether a snapshot is not complete, so the loop must not park. */
    boolean isFilling()
    {
        return null != image || isRehearsing;
    }

    /**
     * One step, between turns, when everything that was passed on by the log has run.
     *
     * @return the work done.
     */
    int step(final RoomHost host, final long nowNs)
    {
        takeResults(nowNs);
        if (null == image)
        {
            final boolean isDue = 0 != replayNs && nowNs - notBeforeNs >= 0 &&
                (replayNs >= replayBudgetNs || nowNs - dueNs >= 0);
            if (!isDue)
            {
                return 0;
            }
            if (rehearse(host))
            {
                return 1;
            }
            image = log.beginSnapshot();
            if (null == image)
            {
                return 0;
            }
            replayBehindImageNs = 0;
            host.beginImage(image);
        }
        host.fillImage(STEP_BYTES);
        if (null != image.failure())
        {
            errorHandler.onError(new IllegalStateException("no snapshot of the loop", image.failure()));
            image = null;
            log.abandonSnapshot();
            onFailure(nowNs);
        }
        else if (image.isComplete())
        {
            image = null;
            log.endSnapshot();
            // Until it is on the disk the turns count on, and no other begins.
            dueNs = nowNs + intervalNs;
        }
        return 1;
    }

    /** Returns whether this cycle's share of the rehearsal was done. */
    private boolean rehearse(final RoomHost host)
    {
        if (rehearsalsLeft > 0 && host.openRooms() >= REHEARSAL_MIN_ROOMS)
        {
            rehearsalsLeft -= Math.max(1, host.rehearseImage(REHEARSED_A_STEP));
            isRehearsing = true;
            return true;
        }
        isRehearsing = false;
        return false;
    }

    private void takeResults(final long nowNs)
    {
        if (completed != log.completedSnapshots())
        {
            completed = log.completedSnapshots();
            replayNs = replayBehindImageNs;
            dueNs = nowNs + intervalNs;
            counters.snapshot();
            counters.replay(replayNs);
        }
        if (failed != log.failedSnapshots())
        {
            failed = log.failedSnapshots();
            onFailure(nowNs);
        }
    }

    private void onFailure(final long nowNs)
    {
        counters.snapshotFailed();
        notBeforeNs = nowNs + RETRY_NS;
        dueNs = notBeforeNs;
    }
}
