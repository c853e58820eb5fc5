package io.escapement.cluster;

import io.aeron.Publication;
import io.aeron.cluster.client.AeronCluster;
import io.aeron.exceptions.AeronException;
import io.escapement.engine.spi.ReplicatedLog;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;

/**
 * The way of one loop's turns to the log: a session of this node with its own consensus module, over shared memory, in
 * each term in which the node leads.
 *
 * <p>If the session is lost after a proposal, it is not replaced. It is unknown which turns under way are in the log,
 * and no node runs a turn after a missing turn. Either the term is over, and the log then reports that, or this node
 * leaves.
 */
final class LogProposer implements ReplicatedLog.Proposer
{
    private static final long POLL_NS = TimeUnit.MILLISECONDS.toNanos(5);

    private final Supplier<AeronCluster.Context> sessions;
    private final int egressStreamId;
    private final int maxLength;
    private final long sessionTimeoutNs;
    private final long keepAliveNs;
    private AeronCluster.AsyncConnect connecting;
    private AeronCluster session;
    private boolean isOpen;
    private boolean hasProposed;
    private boolean isLost;
    private long nowNs;
    private long polledNs;
    private long sentNs;
    private long lostNs;

    LogProposer(
        final Supplier<AeronCluster.Context> sessions,
        final int egressStreamId,
        final int maxLength,
        final long sessionTimeoutNs)
    {
        this.sessions = sessions;
        this.egressStreamId = egressStreamId;
        this.maxLength = maxLength;
        this.sessionTimeoutNs = sessionTimeoutNs;
        keepAliveNs = sessionTimeoutNs / 8;
    }

    @Override
    public int maxLength()
    {
        return maxLength;
    }

    @Override
    public long commitTimeoutNs()
    {
        return 2 * sessionTimeoutNs;
    }

    @Override
    public void open()
    {
        isOpen = true;
        hasProposed = false;
        isLost = false;
    }

    @Override
    public void close()
    {
        isOpen = false;
        disconnect();
    }

    @Override
    public int work(final long cycleNs)
    {
        nowNs = cycleNs;
        if (!isOpen)
        {
            return 0;
        }
        if (null == session)
        {
            return isLost ? awaitTheEndOfTheTerm() : connect();
        }
        if (nowNs - polledNs < POLL_NS)
        {
            return 0;
        }
        polledNs = nowNs;
        try
        {
            final int work = session.pollEgress();
            if (!session.isClosed() && nowNs - sentNs > keepAliveNs && session.sendKeepAlive())
            {
                sentNs = nowNs;
            }
            if (session.isClosed())
            {
                lose();
            }
            return work;
        }
        catch (final AeronException ex)
        {
            lose();
            return 1;
        }
    }

    @Override
    public long propose(final DirectBuffer buffer, final int offset, final int length)
    {
        if (null == session)
        {
            return ReplicatedLog.BACK_PRESSURED;
        }
        final long position = session.ingressPublication().isConnected() ?
            session.offer(buffer, offset, length) : Publication.NOT_CONNECTED;
        if (position > 0)
        {
            hasProposed = true;
            sentNs = nowNs;
            return position;
        }
        if (Publication.ADMIN_ACTION != position && Publication.BACK_PRESSURED != position)
        {
            lose();
        }
        return ReplicatedLog.BACK_PRESSURED;
    }

    private int connect()
    {
        try
        {
            if (null == connecting)
            {
                connecting = AeronCluster.asyncConnect(sessions.get()
                    .egressStreamId(egressStreamId)
                    .messageTimeoutNs(sessionTimeoutNs)
                    .egressListener((sessionId, timestamp, buffer, offset, length, header) -> { }));
            }
            session = connecting.poll();
        }
        catch (final AeronException ex)
        {
            // Not the leader yet, or not any more.
            CloseHelper.quietClose(connecting);
            connecting = null;
            return 0;
        }
        if (null == session)
        {
            return 0;
        }
        connecting = null;
        sentNs = nowNs;
        return 1;
    }

    private void lose()
    {
        disconnect();
        isLost = hasProposed;
        lostNs = nowNs;
    }

    private int awaitTheEndOfTheTerm()
    {
        if (nowNs - lostNs > sessionTimeoutNs)
        {
            throw new IllegalStateException("the loop lost its way to the log, with turns that may be in it or not; " +
                "was the loop silent for cluster.sessionTimeoutNs, " + sessionTimeoutNs + "?");
        }
        return 0;
    }

    private void disconnect()
    {
        CloseHelper.quietCloseAll(connecting, session);
        connecting = null;
        session = null;
    }
}
