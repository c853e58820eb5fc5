package io.escapement.cluster;

import io.aeron.archive.client.AeronArchive;
import io.aeron.cluster.RecordingLog;
import io.aeron.exceptions.AeronException;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.Agent;

/**
 * Keeps the addresses of the members up to date, and has a node leave if it cannot take part in an election. Either its
 * own log is gone, or it was down too long: another node has deleted the rest of its log, and it would ask for that for
 * ever. The next start then fills its directory. No committed turn is lost, because a node deletes only committed
 * turns, and only before a snapshot that it has.
 *
 * <p>It has its own thread, because it waits for archives and names.
 */
final class LogGapWatch implements Agent
{
    /** An election takes less, unless the log is long. */
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(5);
    private static final long RESOLVE_NS = TimeUnit.SECONDS.toNanos(10);
    private static final int STREAM_ID = 1_901;
    private static final long ANSWER_NS = TimeUnit.SECONDS.toNanos(1);

    private final ClusterNode node;
    private final ClusterOptions options;
    private long sinceNs = System.nanoTime();
    private long resolvedNs = sinceNs;

    LogGapWatch(final ClusterNode node, final ClusterOptions options)
    {
        this.node = node;
        this.options = options;
    }

    @Override
    public int doWork()
    {
        final long nowNs = System.nanoTime();
        if (nowNs - resolvedNs > RESOLVE_NS)
        {
            resolvedNs = nowNs;
            node.addresses().resolve();
        }
        if (node.isCurrent())
        {
            sinceNs = nowNs;
        }
        else if (nowNs - sinceNs > PATIENCE_NS)
        {
            sinceNs = nowNs;
            boolean hasGap = false;
            try
            {
                hasGap = hasGap();
            }
            finally
            {
                // A failed look counts as another error.
                if (!hasGap)
                {
                    node.endHopelessElection();
                }
            }
            return 1;
        }
        return 0;
    }

    private boolean hasGap()
    {
        final long endPosition = endPosition();
        for (final String endpoint : options.otherArchiveEndpoints())
        {
            final WrittenLog log = log(endpoint);
            if (null != log && log.startPosition() > endPosition)
            {
                node.leaveBehind("the log of this node ends at " + endPosition + ", that of " + endpoint +
                    " begins at " + log.startPosition() + ": the next start fills it from the node that leads");
                return true;
            }
        }
        return false;
    }

    /** Up to where this node has the log. */
    private long endPosition()
    {
        final AeronArchive.Context client = node.newArchiveClient(STREAM_ID);
        if (null == client)
        {
            return Long.MAX_VALUE;
        }
        try (RecordingLog log = new RecordingLog(node.clusterDirectory(), false);
            AeronArchive archive = AeronArchive.connect(client))
        {
            final RecordingLog.Entry term = log.findLastTerm();
            return null == term ? 0 : archive.getMaxRecordedPosition(term.recordingId);
        }
    }

    /** The log of another node, or null if it does not answer or does not write a log. */
    private WrittenLog log(final String endpoint)
    {
        final AeronArchive.Context client = node.newRemoteArchiveClient(endpoint);
        if (null == client)
        {
            return null;
        }
        try
        {
            return WrittenLog.find(client.messageTimeoutNs(ANSWER_NS));
        }
        catch (final AeronException ex)
        {
            return null;
        }
    }

    @Override
    public String roleName()
    {
        return "escapement-cluster-gap-watch";
    }
}
