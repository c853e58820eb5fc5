package io.escapement.engine.internal.durable;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SleepingIdleStrategy;

/**
 * Writes and syncs the journals of all loops, in a thread that may block in the file system. It polls, because a
 * wake-up by the loops would cost each turn microseconds.
 */
public final class JournalAgent implements Agent
{
    /** A turn that waits for a sync also waits for this. */
    private static final long AWAITED_PARK_NS = TimeUnit.MICROSECONDS.toNanos(50);
    /** Far below the time in which a loop fills its tail. */
    private static final long PARK_NS = TimeUnit.MILLISECONDS.toNanos(2);

    private final JournalWriter[] writers;
    private final SnapshotStore[] snapshots;
    private final NanoClock clock;
    private final boolean isWriter;
    private final boolean isAwaited;

    JournalAgent(
        final List<JournalWriter> writers,
        final List<SnapshotStore> snapshots,
        final NanoClock clock,
        final boolean isWriter,
        final boolean isAwaited)
    {
        this.writers = writers.toArray(new JournalWriter[0]);
        this.snapshots = snapshots.toArray(new SnapshotStore[0]);
        this.clock = clock;
        this.isWriter = isWriter;
        this.isAwaited = isAwaited;
    }

    /** For its thread: short parks if turns wait for it, longer ones otherwise. */
    public IdleStrategy idleStrategy()
    {
        return isAwaited ? new SleepingIdleStrategy(AWAITED_PARK_NS) : new ParkAfterEach();
    }

    @Override
    public String roleName()
    {
        return "escapement-journal";
    }

    @Override
    public int doWork()
    {
        final long nowNs = clock.nanoTime();
        int work = 0;
        for (final JournalWriter writer : writers)
        {
            work += isWriter ? writer.write() : 0;
            work += writer.sync(nowNs);
        }
        for (final SnapshotStore store : snapshots)
        {
            work += store.doWork();
        }
        final boolean isIdle = 0 == work;
        for (final JournalWriter writer : writers)
        {
            work += writer.prepare(nowNs, isIdle);
        }
        return work;
    }

    /**
     * Parks after each step. The next step writes the data that accumulated, and the loops have their core between two
     * steps.
     */
    private static final class ParkAfterEach implements IdleStrategy
    {
        @Override
        public void idle(final int workCount)
        {
            idle();
        }

        @Override
        public void idle()
        {
            LockSupport.parkNanos(PARK_NS);
        }

        @Override
        public void reset()
        {
        }
    }
}
