package io.escapement.engine;

import io.escapement.engine.internal.durable.ReplicaLog;
import io.escapement.engine.internal.loop.LoopAgent;
import io.escapement.engine.internal.loop.LoopContext;
import io.escapement.engine.internal.loop.LoopGroup;
import io.escapement.engine.internal.loop.SnapshotRequests;
import io.escapement.engine.internal.loop.Wakeup;
import io.escapement.engine.internal.monitor.EngineCounters;
import io.escapement.engine.monitor.CounterTypes;
import io.escapement.engine.spi.ReplicatedLog;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.host.HostContext;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
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
    private static final long PARK_NS = TimeUnit.MICROSECONDS.toNanos(50);

    private final ReplicaLog[] logs;
    private final Durability durability;
    private final EngineCounters counters;
    private final Amendments amendments;
    private final ReplicatedLog.Node node;
    private final ReplicaSettings settings;
    private volatile String failedAt;
    private volatile boolean isClosed;
    private int counterTypeId = CounterTypes.LOG;

    ReplicatedLoops(final Durability durability, final Wakeup[] wakeups, final EngineCounters counters)
    {
        this.durability = durability;
        this.counters = counters;
        amendments = durability.readAmendments(wakeups.length);
        settings = new ReplicaSettings(wakeups.length);
        logs = new ReplicaLog[wakeups.length];
        for (int i = 0; i < logs.length; i++)
        {
            logs[i] = new ReplicaLog(wakeups[i]::signalAllWhenBlocking);
        }
        node = durability.replicatedLog().join(logs.length, this);
    }

    /** Make a loop that follows. */
    LoopAgent newLoop(final int loop, final LoopContext options, final HostContext host)
    {
        host.epochMs(NO_EPOCH_MS);
        logs[loop].proposer(node.proposer(loop));
        logs[loop].settings(settings.register(loop, host.header(), null != node.snapshot(loop)));
        final LoopAgent agent = LoopAgent.logged(options, node.snapshot(loop), new LoopGroup(logs[loop], node.memberId(),
            new SnapshotRequests(node::requestSnapshot, durability.replayBudgetNs(), durability.snapshotIntervalNs())));
        amendments.apply(loop, agent.committed()::failAt);
        host.registered().forEach((type) -> node.announce(type.typeId(), type.version()));
        return agent;
    }

    /** Whether this node takes part in commits. Any thread. */
    boolean isCurrent()
    {
        return node.isCurrent();
    }

    /** Announce to the other nodes a version that this one has. Any thread. */
    void announce(final RoomType type)
    {
        node.announce(type.id(), type.version());
    }

    /** The other nodes that have not announced a version. Any thread. */
    List<Integer> membersWithout(final int typeId, final int version)
    {
        return node.membersWithout(typeId, version);
    }

    /** Of the tokens of this log's trunks. */
    long realm()
    {
        return node.realm();
    }

    int memberId()
    {
        return node.memberId();
    }

    @Override
    public AtomicCounter counter(final String label, final boolean isGauge)
    {
        final String name = "escapement log: " + label;
        return isGauge ? counters.gauge(counterTypeId++, name) : counters.counter(counterTypeId++, name);
    }

    @Override
    public void onCommitted(
        final int incarnation, final DirectBuffer buffer, final int offset, final int length)
    {
        awaitLoops();
        if (null != failedAt || isClosed)
        {
            return;
        }
        try
        {
            if (!settings.onCommitted(buffer, offset, length))
            {
                logs[settings.loop()].commit(incarnation, buffer, offset, length);
            }
        }
        catch (final IllegalStateException ex)
        {
            failedAt = "the settings of the log";
            onFailed(ex);
        }
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
    public void onSnapshot(final ReplicatedLog.SnapshotSink sink)
    {
        for (final ReplicaLog log : logs)
        {
            log.beginSnapshot();
        }
        for (int i = 0; i < logs.length; i++)
        {
            final int loop = i;
            logs[i].awaitSnapshot((buffer, offset, length) -> sink.append(loop, buffer, offset, length));
        }
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

    @Override
    public String failedAt()
    {
        for (int i = 0; i < logs.length && null == failedAt; i++)
        {
            if (ReplicaLog.NOWHERE != logs[i].failedBehind())
            {
                return "loop " + i + ", behind proposal " + logs[i].failedBehind();
            }
        }
        return failedAt;
    }

    /** The log passes on messages as soon as the node has joined, before its loops are made. */
    private void awaitLoops()
    {
        while (!settings.areRegistered() && !isClosed)
        {
            LockSupport.parkNanos(PARK_NS);
        }
    }

    /** Leave the log. The loops' threads have ended. */
    @Override
    public void close()
    {
        isClosed = true;
        for (final ReplicaLog log : logs)
        {
            log.close();
        }
        node.close();
    }
}
