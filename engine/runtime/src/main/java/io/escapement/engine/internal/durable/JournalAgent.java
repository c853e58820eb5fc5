package io.escapement.engine.internal.durable;

import java.util.List;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.NanoClock;

/**
 * Writes and syncs the journals of all loops, in a thread that may block in the file system. The loops do not wake it,
 * since that would cost each turn microseconds; it polls, so its idle strategy is a part of what a synced turn waits.
 */
public final class JournalAgent implements Agent
{
    private final JournalWriter[] writers;
    private final SnapshotStore[] snapshots;
    private final NanoClock clock;
    private final boolean isWriter;

    JournalAgent(
        final List<JournalWriter> writers,
        final List<SnapshotStore> snapshots,
        final NanoClock clock,
        final boolean isWriter)
    {
        this.writers = writers.toArray(new JournalWriter[0]);
        this.snapshots = snapshots.toArray(new SnapshotStore[0]);
        this.clock = clock;
        this.isWriter = isWriter;
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
}
