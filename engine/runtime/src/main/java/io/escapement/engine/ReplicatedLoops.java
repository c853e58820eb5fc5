package io.escapement.engine;

import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.SchemaRules;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.room.ProposalDecoder;
import io.escapement.engine.internal.durable.ReplicaLog;
import io.escapement.engine.internal.edge.Leadership;
import io.escapement.engine.internal.loop.LoopAgent;
import io.escapement.engine.internal.loop.LoopContext;
import io.escapement.engine.internal.loop.ReplicaLoopAgent;
import io.escapement.engine.internal.loop.SnapshotRequests;
import io.escapement.engine.internal.loop.Wakeup;
import io.escapement.engine.internal.monitor.EngineCounters;
import io.escapement.engine.monitor.CounterTypes;
import io.escapement.engine.spi.ReplicatedLog;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.output.RecordSink;
import io.escapement.rooms.proposal.ProposalReader;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.status.AtomicCounter;

/**
 * The loops of an engine whose log several nodes keep. The launching thread makes and closes it; the log's thread calls
 * it as its receiver, and hands what it receives to the loops in the order of the log.
 */
final class ReplicatedLoops implements ReplicatedLog.Receiver, AutoCloseable
{
    /** Of host time 0, before the first HostResumed: the same on all nodes. */
    private static final long NO_EPOCH_MS = 0;

    private final ReplicaLog[] logs;
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final ProposalDecoder proposal = new ProposalDecoder();
    private final Durability durability;
    private final EngineCounters counters;
    private final Amendments amendments;
    private final ReplicatedLog.Node node;
    private final Leadership leadership;
    private int counterTypeId = CounterTypes.LOG;

    /**
     * Join the log.
     *
     * @param durability with the log.
     * @param wakeups    of the loops.
     * @param counters   of the engine, which are not shown yet.
     */
    ReplicatedLoops(final Durability durability, final Wakeup[] wakeups, final EngineCounters counters)
    {
        this.durability = durability;
        this.counters = counters;
        amendments = durability.readAmendments(wakeups.length);
        logs = new ReplicaLog[wakeups.length];
        for (int i = 0; i < logs.length; i++)
        {
            logs[i] = new ReplicaLog(wakeups[i]::signalAllWhenBlocking);
        }
        node = durability.replicatedLog().join(logs.length, this);
        leadership = new Leadership(node.memberId());
    }

    /**
     * Make a loop that follows.
     *
     * @param loop    its number.
     * @param options of the loop; the host's are not concluded.
     * @param host    options of the host, which are part of the loop's.
     * @param logger  of the rooms.
     */
    LoopAgent newLoop(
        final int loop, final LoopContext options, final HostContext host, final System.Logger logger)
    {
        host.epochMs(NO_EPOCH_MS);
        logs[loop].proposer(node.proposer(loop));
        final ReplicaLoopAgent agent = new ReplicaLoopAgent(
            options, node.snapshot(loop), logger, logs[loop], node.memberId(),
            new SnapshotRequests(node::requestSnapshot, durability.replayBudgetNs(), durability.snapshotIntervalNs()));
        amendments.apply(loop, agent::failAt);
        host.registered().forEach((type) -> node.announce(type.typeId(), type.version()));
        return agent;
    }

    /** Let the other nodes know a version that this one has. Any thread. */
    void announce(final RoomType type)
    {
        node.announce(type.id(), type.version());
    }

    /** The other nodes that are not known to have a version. Any thread. */
    List<Integer> membersWithout(final int typeId, final int version)
    {
        return node.membersWithout(typeId, version);
    }

    /** Of the tokens of this log's trunks. */
    long realm()
    {
        return node.realm();
    }

    Leadership leadership()
    {
        return leadership;
    }

    @Override
    public AtomicCounter counter(final String label, final boolean isGauge)
    {
        final String name = "escapement log: " + label;
        return isGauge ? counters.gauge(counterTypeId++, name) : counters.counter(counterTypeId++, name);
    }

    @Override
    public void onCommitted(final DirectBuffer buffer, final int offset, final int length)
    {
        if (!ProposalReader.isProposal(buffer, offset, length) ||
            0 != RoomCommands.validateLogRecord(buffer, offset, Math.min(length, ProposalReader.HEADER_LENGTH)))
        {
            onFailed(new IllegalStateException("the log has a message of " + length + " bytes, template " +
                SchemaRules.templateId(buffer, offset) + ", that is no proposal of this version"));
            return;
        }
        final int loop = proposal.wrapAndApplyHeader(buffer, offset, header).loop();
        if (loop < 0 || loop >= logs.length)
        {
            onFailed(new IllegalStateException(
                "the log has a proposal of loop " + loop + ", this engine has " + logs.length + " loops"));
            return;
        }
        logs[loop].commit(buffer, offset, length);
    }

    @Override
    public void onLeading(final int incarnation)
    {
        for (final ReplicaLog log : logs)
        {
            log.change(ReplicaLog.Event.LEADING, incarnation);
        }
    }

    @Override
    public void onFollowing(final int leaderMemberId)
    {
        for (final ReplicaLog log : logs)
        {
            log.change(ReplicaLog.Event.FOLLOWING, leaderMemberId);
        }
    }

    @Override
    public void onSnapshot(final int loop, final RecordSink sink)
    {
        logs[loop].awaitSnapshot(sink);
    }

    @Override
    public void onFailed(final Throwable cause)
    {
        for (final ReplicaLog log : logs)
        {
            log.fail(cause);
        }
    }

    @Override
    public Throwable failure()
    {
        for (final ReplicaLog log : logs)
        {
            if (null != log.failure())
            {
                return log.failure();
            }
        }
        return null;
    }

    /** Leave the log. The loops' threads have ended. */
    @Override
    public void close()
    {
        for (final ReplicaLog log : logs)
        {
            log.close();
        }
        node.close();
    }
}
