package io.escapement.engine.internal.loop;

import io.escapement.engine.internal.durable.LogSnapshots;
import io.escapement.rooms.host.HostImage;
import io.escapement.rooms.host.RoomHost;
import org.agrona.ErrorHandler;

/**
 * Takes the snapshots of a loop with a journal that are due, a part in each duty cycle. In the loop's thread.
 *
 * <pre>
 *   loop      beginImage     the host's own state is copied, at the position of the last turn
 *             fillImage      a part of the rooms in each duty cycle, and a room before its command, timer or frame
 *   journal   HostImage      written to a file, forced, read back, compared, renamed; old files are deleted
 * </pre>
 *
 * <p>The image is equal to a snapshot that stops the loop at that turn. The journal's thread does one part between two
 * syncs, because turns wait for syncs at SYNCED. A failed snapshot is reported and counted.
 */
final class LoopSnapshots implements Snapshots
{
    /** Bytes of rooms that are copied in one duty cycle, about 0.1 ms. */
    static final int STEP_BYTES = 64 * 1_024;
    /**
     * Rooms to write before the first snapshot: its code is compiled by then, and no turn is longer than later turns.
     */
    static final int REHEARSED_ROOMS = 4_000;
    /** Rooms that are rehearsed in one duty cycle. The first take 40 us each. */
    static final int REHEARSED_A_STEP = 4;
    /** A host with fewer rooms needs no rehearsal. */
    static final int REHEARSAL_MIN_ROOMS = 32;

    private final LogSnapshots log;
    private final SnapshotsDue due;
    private final LoopCounters counters;
    private final ErrorHandler errorHandler;
    private final SnapshotTaken event;
    private HostImage image;
    /** The part of the replay time for turns after the position of the snapshot under way. */
    private long replayBehindImageNs;
    private long completed;
    private long failed;
    private int rehearsalsLeft = REHEARSED_ROOMS;
    private boolean isRehearsing;

    LoopSnapshots(
        final int loop,
        final LogSnapshots log,
        final long replayBudgetNs,
        final long intervalNs,
        final LoopCounters counters,
        final ErrorHandler errorHandler)
    {
        this.log = log;
        due = new SnapshotsDue(replayBudgetNs, intervalNs);
        this.counters = counters;
        this.errorHandler = errorHandler;
        event = new SnapshotTaken(loop);
    }

    @Override
    public void begin(final long nowNs, final long recoveryNs)
    {
        due.begin(nowNs, recoveryNs);
        counters.replay(due.replayNs());
    }

    @Override
    public void onTurns(final long workNs)
    {
        due.onTurns(workNs);
        replayBehindImageNs += Math.max(1, workNs);
        counters.replay(due.replayNs());
    }

    @Override
    public boolean isWaiting(final long nowNs)
    {
        return null != image || isRehearsing;
    }

    @Override
    public int step(final RoomHost host, final long nowNs)
    {
        takeResults(nowNs);
        if (null == image)
        {
            if (!due.isDue(nowNs))
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
            event.onBegin(host.openRooms());
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
            due.postpone(nowNs);
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
            due.onSnapshot(nowNs, replayBehindImageNs);
            event.onEnd(true);
            counters.snapshot();
            counters.replay(due.replayNs());
        }
        if (failed != log.failedSnapshots())
        {
            failed = log.failedSnapshots();
            onFailure(nowNs);
        }
    }

    private void onFailure(final long nowNs)
    {
        event.onEnd(false);
        counters.snapshotFailed();
        due.retry(nowNs);
    }
}
