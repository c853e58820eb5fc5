package io.escapement.engine.internal.durable;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SleepingIdleStrategy;

/**
 * Writes and syncs the journals of all loops, in a thread that may block in the file system. The loops do not wake it,
 * since that would cost each turn microseconds; it polls.
 */
public final class JournalAgent implements Agent
{
    /** A turn that waits for a sync waits for this too. */
    private static final long AWAITED_PARK_NS = TimeUnit.MICROSECONDS.toNanos(50);
    /** A thread that wakes more often takes the loops' core away from them, and writes the same bytes in more calls. */
    private static final long PARK_NS = TimeUnit.MILLISECONDS.toNanos(1);

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

    /** How its thread idles. */
    public IdleStrategy idleStrategy()
    {
        return new SleepingIdleStrategy(isAwaited ? AWAITED_PARK_NS : PARK_NS);
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
        int written = 0;
        int work = 0;
        for (final JournalWriter writer : writers)
        {
            written += isWriter ? writer.write() : 0;
            work += writer.sync(nowNs);
        }
        for (final SnapshotStore store : snapshots)
        {
            work += store.doWork();
        }
        final boolean isIdle = 0 == written + work;
        for (final JournalWriter writer : writers)
        {
            work += writer.prepare(nowNs, isIdle);
        }
        // If nobody waits for the bytes, the next pass may come after a park, and write all that has gathered.
        return isAwaited ? written + work : work;
    }
}
