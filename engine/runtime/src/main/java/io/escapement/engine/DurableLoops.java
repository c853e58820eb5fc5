package io.escapement.engine;

import io.escapement.engine.internal.durable.EachLoop;
import io.escapement.engine.internal.durable.Journal;
import io.escapement.engine.internal.durable.JournalAgent;
import io.escapement.engine.internal.durable.JournalLog;
import io.escapement.engine.internal.durable.RecoveredLoop;
import io.escapement.engine.internal.loop.CommittedTurns;
import io.escapement.engine.internal.loop.LoopAgent;
import io.escapement.engine.internal.loop.LoopContext;
import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.host.RoomHost;
import io.escapement.rooms.log.HostConfig;
import io.escapement.rooms.loop.LoopLimits;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.agrona.CloseHelper;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.NanoClock;

/**
 * The journal of an engine and the loops on it, from recovery to the beginning of the next incarnation. All methods
 * belong to the launching thread; loops and the journal's agent get their threads afterwards.
 */
final class DurableLoops implements AutoCloseable
{
    private static final System.Logger LOGGER = System.getLogger("io.escapement.engine");
    /** A disk that does not sync the first turn in this time does not sync any. */
    private static final long LEAD_NS = TimeUnit.SECONDS.toNanos(30);
    private static final long LEAD_PARK_NS = TimeUnit.MICROSECONDS.toNanos(100);

    private final Journal journal;
    private final LoopAgent[] agents;
    private final RecoveredLoop[] recoveredLoops;
    private final HostConfig[] headers;
    private final JournalLog[] logs;
    private final int[] incarnations;
    private final Durability durability;

    /** Take the directory of the journal, and read and verify the journals of all loops. */
    DurableLoops(final EngineContext context, final NanoClock clock, final ErrorHandler errorHandler)
    {
        journal = Journal.open(context.durability().journalOptions(), clock, errorHandler);
        final String warning = journal.warning();
        if (null != warning && !context.durability().isRecording())
        {
            LOGGER.log(System.Logger.Level.WARNING, warning);
        }
        agents = new LoopAgent[context.loops()];
        recoveredLoops = new RecoveredLoop[agents.length];
        headers = new HostConfig[agents.length];
        logs = new JournalLog[agents.length];
        incarnations = new int[agents.length];
        durability = context.durability();
        try
        {
            EachLoop.run(agents.length, (loop) -> recoveredLoops[loop] = journal.recover(
                loop, context.newHostContext().loopState(LoopLimits.of(loop, agents.length)).header()));
        }
        catch (final RuntimeException ex)
        {
            close();
            throw ex;
        }
    }

    /** Make a loop from its journal's snapshot, before {@link #begin()}. The turns of its journal have yet to run. */
    LoopAgent newLoop(final int loop, final LoopContext options, final HostContext host)
    {
        final RecoveredLoop recovered = recoveredLoops[loop];
        if (null != recovered.config())
        {
            // Host time goes on, so its origin is that of the first incarnation; HostResumed moves the wall clock.
            host.epochMs(recovered.config().epochMs());
        }
        headers[loop] = host.header();
        host.acceptOtherSettings(durability.isOtherAccepted());
        agents[loop] = LoopAgent.logged(options, recovered.snapshot(), null);
        return agents[loop];
    }

    /** Run all turns of the journals, then begin the next incarnation of every one. Returns their writer. */
    JournalAgent begin()
    {
        recover();
        for (int i = 0; i < logs.length; i++)
        {
            logs[i] = journal.start(i, recoveredLoops[i], headers[i]);
            if (!durability.isRecording())
            {
                agents[i].committed().snapshots(
                    logs[i], durability.replayBudgetNs(), durability.snapshotIntervalNs());
            }
        }
        closeRecovered();
        return journal.agent();
    }

    private void recover()
    {
        EachLoop.run(agents.length, (loop) -> agents[loop].committed().recover(recoveredLoops[loop]));
        for (int loop = 0; loop < agents.length; loop++)
        {
            final RecoveredLoop recovered = recoveredLoops[loop];
            final RoomHost host = agents[loop].host();
            if (0 != recovered.incarnation())
            {
                LOGGER.log(System.Logger.Level.INFO, recovered.report() + "; " + host.openRooms() + " rooms");
            }
            incarnations[loop] = Math.max(host.incarnation(), recovered.incarnation()) + 1;
        }
    }

    /**
     * Begin the incarnation of every loop. The journal's agent runs already.
     *
     * @param isRunning whether the journal's thread still runs.
     */
    void lead(final BooleanSupplier isRunning)
    {
        final long startNs = System.nanoTime();
        for (int i = 0; i < agents.length; i++)
        {
            final CommittedTurns turns = agents[i].committed();
            turns.lead(logs[i], incarnations[i], System.currentTimeMillis());
            while (!turns.pollLead())
            {
                if (!isRunning.getAsBoolean() || System.nanoTime() - startNs > LEAD_NS)
                {
                    throw new EngineException("durability: the first turn of loop " + i + " is not on the disk after " +
                        TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNs) + " s");
                }
                LockSupport.parkNanos(LEAD_PARK_NS);
            }
        }
    }

    /** Wall-clock time at which the journal began, which no other journal of these rooms shares. */
    long epochMs()
    {
        return headers[0].epochMs();
    }

    /** Close the journal in order, once no thread uses it. */
    @Override
    public void close()
    {
        closeRecovered();
        for (final LoopAgent agent : agents)
        {
            if (null != agent && null == agent.fault())
            {
                agent.committed().appendHashes();
            }
        }
        journal.close();
    }

    private void closeRecovered()
    {
        for (int i = 0; i < recoveredLoops.length; i++)
        {
            CloseHelper.close(recoveredLoops[i]);
            recoveredLoops[i] = null;
        }
    }
}
