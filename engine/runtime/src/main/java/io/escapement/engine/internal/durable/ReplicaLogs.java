package io.escapement.engine.internal.durable;

import io.escapement.engine.spi.ReplicatedLog;
import io.escapement.rooms.log.HostConfig;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.status.AtomicCounter;

/**
 * The logs of an engine's loops, which several nodes keep. The launching thread makes and closes them. The log's thread
 * calls them as its receiver, and passes received messages to the loops in the order of the log.
 */
public final class ReplicaLogs implements ReplicatedLog.Receiver, AutoCloseable
{
    private static final long PARK_NS = TimeUnit.MICROSECONDS.toNanos(50);

    private final ReplicaLog[] logs;
    private final BiFunction<String, Boolean, AtomicCounter> counters;
    private final ReplicatedLog.Node node;
    private final ReplicaSettings settings;
    private volatile String failedAt;
    private volatile boolean isClosed;

    /**
     * Join the other nodes.
     *
     * @param log      of all nodes.
     * @param wakeups  unpark the loops. Called in any thread.
     * @param counters make a counter of a name, or a gauge.
     */
    public ReplicaLogs(
        final ReplicatedLog log,
        final List<Runnable> wakeups,
        final BiFunction<String, Boolean, AtomicCounter> counters)
    {
        this.counters = counters;
        settings = new ReplicaSettings(wakeups.size());
        logs = wakeups.stream().map(ReplicaLog::new).toArray(ReplicaLog[]::new);
        node = log.join(logs.length, this);
    }

    /** This node. */
    public ReplicatedLog.Node node()
    {
        return node;
    }

    /**
     * The log of a loop. Its messages are passed on once all loops have their logs.
     *
     * @param loop     number of the loop.
     * @param expected settings of its host.
     */
    public ReplicaLog begin(final int loop, final HostConfig expected)
    {
        logs[loop].proposer(node.proposer(loop));
        logs[loop].settings(settings.register(loop, expected, null != node.snapshot(loop)));
        return logs[loop];
    }

    @Override
    public AtomicCounter counter(final String label, final boolean isGauge)
    {
        return counters.apply(label, isGauge);
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

    /** Leave the log. The loops' threads have exited. */
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
