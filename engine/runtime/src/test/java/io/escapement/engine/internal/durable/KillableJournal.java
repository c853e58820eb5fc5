package io.escapement.engine.internal.durable;

import io.escapement.rooms.log.HostConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.agrona.concurrent.CachedNanoClock;

/** The journals of several loops on a {@link MemoryDisk}, with the journal's thread stepped by hand. */
public final class KillableJournal
{
    private static final int TAIL_LENGTH = 128 * 1_024;
    private static final int SECTOR_LENGTH = 512;
    private static final long BOOT = 77;

    private final boolean isSynced;
    private final MemoryDisk disk;
    private final MemoryTails tails;
    private final CachedNanoClock clock = new CachedNanoClock();
    private final List<Throwable> errors = new ArrayList<>();
    private final Journal journal;
    private final JournalLog[] logs;
    private JournalAgent agent;

    /** Journals on an empty disk. */
    public KillableJournal(final boolean isSynced, final int loops)
    {
        this(isSynced, loops, new MemoryDisk(SECTOR_LENGTH), new MemoryTails());
    }

    private KillableJournal(final boolean isSynced, final int loops, final MemoryDisk disk, final MemoryTails tails)
    {
        this.isSynced = isSynced;
        this.disk = disk;
        this.tails = tails;
        logs = new JournalLog[loops];
        final JournalSettings options = new JournalSettings(Path.of("unused"), isSynced, 2 * TAIL_LENGTH, TAIL_LENGTH,
            Path.of("/memory"), TimeUnit.MILLISECONDS.toNanos(50), 64, TAIL_LENGTH / 2, false, 0);
        journal = Journal.open(options, JournalStorage.inMemory(disk, tails, BOOT), clock, errors::add);
    }

    /** Recover the journal of a loop, have it run, and begin the next incarnation. */
    public void recover(final int loop, final Consumer<RecoveredLoop> reader)
    {
        final HostConfig header = SteppedJournal.header(loop);
        try (RecoveredLoop recovered = journal.recover(loop, header))
        {
            reader.accept(recovered);
            logs[loop] = journal.start(loop, recovered, header);
        }
    }

    /** The log of a loop that was recovered. */
    public JournalLog log(final int loop)
    {
        return logs[loop];
    }

    /** A duty cycle of the journal's thread, after a while. All loops were recovered. */
    public void step(final long ns)
    {
        if (null == agent)
        {
            agent = journal.agent();
        }
        clock.advance(ns);
        agent.doWork();
        if (!errors.isEmpty())
        {
            throw new IllegalStateException("the journal's thread failed", errors.get(0));
        }
    }

    /** The journal of the next process on this machine. */
    public KillableJournal afterKill()
    {
        return new KillableJournal(isSynced, logs.length, disk, tails);
    }

    /** The journal of the next process on the machine after a power loss, between a write and its sync. */
    public KillableJournal afterPowerLoss(final long seed)
    {
        disk.failAfter(MemoryDisk.Operation.FORCE, 0, new IOException("the power is gone"));
        agent.doWork();
        return new KillableJournal(isSynced, logs.length, disk.afterPowerLoss(new Random(seed)), new MemoryTails());
    }
}
