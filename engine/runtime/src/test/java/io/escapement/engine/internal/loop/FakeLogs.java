package io.escapement.engine.internal.loop;

import io.escapement.engine.internal.durable.CommitLog;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.agrona.DirectBuffer;

/**
 * Logs that commit late, as those of several nodes do. Proposals that are not committed when their incarnation ends
 * are lost, or come late, behind those of the next one.
 */
final class FakeLogs implements LedgerLogs
{
    private final SplittableRandom random;
    private final boolean isSynced;
    private final FakeLog[] logs = new FakeLog[LedgerRig.LOOPS];
    /** Proposals that the last kill has lost. */
    private final List<List<byte[]>> lost = List.of(new ArrayList<>(), new ArrayList<>());

    FakeLogs(final SplittableRandom random, final boolean isSynced)
    {
        this.random = random;
        this.isSynced = isSynced;
        for (int i = 0; i < logs.length; i++)
        {
            logs[i] = FakeLog.recorded();
        }
    }

    @Override
    public CommitLog log(final int loop)
    {
        return logs[loop];
    }

    @Override
    public void step(final int loop)
    {
        if (isSynced && 0 == random.nextInt(3))
        {
            logs[loop].commit(1 + random.nextInt(3));
        }
    }

    @Override
    public void kill()
    {
        for (int loop = 0; loop < logs.length; loop++)
        {
            final FakeLog log = logs[loop];
            final int survivors = log.committed() + random.nextInt(log.messages.size() - log.committed() + 1);
            final List<byte[]> stale = new ArrayList<>(lost.get(loop));
            lost.get(loop).clear();
            lost.get(loop).addAll(log.messages.subList(survivors, log.messages.size()));
            logs[loop] = FakeLog.after(log, survivors);
            if (0 == random.nextInt(2))
            {
                for (final byte[] message : stale)
                {
                    logs[loop].messages.add(message);
                    logs[loop].commit(1);
                }
                logs[loop].skipPolled();
            }
        }
    }

    @Override
    public boolean isWhole(final int loop)
    {
        return 0 == logs[loop].underWay();
    }

    @Override
    public LoopAgent begin(final int loop, final Function<DirectBuffer, LoopAgent> maker)
    {
        final LoopAgent agent = maker.apply(null);
        agent.committed().recover(logs[loop].source());
        return agent;
    }

    @Override
    public long restored()
    {
        return 0;
    }

    @Override
    public void lead(final int loop, final LoopAgent agent)
    {
        logs[loop].isCommitting = true;
        agent.committed().lead(logs[loop], agent.host().incarnation() + 1, 1_000);
        while (!agent.committed().pollLead())
        {
            logs[loop].commit(1);
        }
        logs[loop].isCommitting = !isSynced;
    }
}
