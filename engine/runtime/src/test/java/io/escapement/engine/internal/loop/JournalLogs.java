package io.escapement.engine.internal.loop;

import io.escapement.engine.internal.durable.CommitLog;
import io.escapement.engine.internal.durable.KillableJournal;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.agrona.DirectBuffer;

/** Real journals on a disk in memory, with snapshots. An end is a kill, or a power loss if turns are synced. */
final class JournalLogs implements LedgerLogs
{
    private static final long SNAPSHOT_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long NEVER_NS = Long.MAX_VALUE / 4;

    private final SplittableRandom random;
    private final boolean isSynced;
    private KillableJournal journal;
    private long restored;

    JournalLogs(final SplittableRandom random, final boolean isSynced)
    {
        this.random = random;
        this.isSynced = isSynced;
        journal = new KillableJournal(isSynced, LedgerRig.LOOPS);
    }

    @Override
    public CommitLog log(final int loop)
    {
        return journal.log(loop);
    }

    @Override
    public void step(final int loop)
    {
        if (0 == random.nextInt(4))
        {
            journal.step(random.nextLong(TimeUnit.MILLISECONDS.toNanos(20)));
        }
    }

    @Override
    public void kill()
    {
        journal = isSynced && 0 != random.nextInt(3) ? journal.afterPowerLoss(random.nextLong()) : journal.afterKill();
    }

    @Override
    public boolean isWhole(final int loop)
    {
        return !isSynced && 0 == log(loop).underWay();
    }

    @Override
    public LoopAgent begin(final int loop, final Function<DirectBuffer, LoopAgent> maker)
    {
        final LoopAgent[] agent = new LoopAgent[1];
        journal.recover(loop, (recovered) ->
        {
            restored += null == recovered.snapshot() ? 0 : 1;
            agent[0] = maker.apply(recovered.snapshot());
            agent[0].committed().recover(recovered);
        });
        return agent[0];
    }

    @Override
    public long restored()
    {
        return restored;
    }

    @Override
    public void lead(final int loop, final LoopAgent agent)
    {
        agent.committed().snapshots(journal.log(loop), NEVER_NS, SNAPSHOT_INTERVAL_NS);
        agent.committed().lead(journal.log(loop), agent.host().incarnation() + 1, 1_000);
        while (!agent.committed().pollLead())
        {
            journal.step(1);
        }
    }
}
