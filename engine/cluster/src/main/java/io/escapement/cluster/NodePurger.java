package io.escapement.cluster;

import io.aeron.archive.client.AeronArchive;
import org.agrona.concurrent.Agent;

/**
 * After each snapshot of a node, deletes the files that no start needs any more. It waits for the archive and the disk.
 * Therefore it has its own thread, which delays no other part.
 */
final class NodePurger implements Agent
{
    private static final int STREAM_ID = 1_900;

    private final ClusterNode node;
    private long snapshots;

    NodePurger(final ClusterNode node)
    {
        this.node = node;
    }

    @Override
    public int doWork()
    {
        final long taken = node.snapshots();
        if (taken == snapshots)
        {
            return 0;
        }
        // Also when the purge fails: the next purge deletes more.
        snapshots = taken;
        purge();
        return 1;
    }

    /** Delete it now. Any thread. Returns the number of files of the log that are gone. */
    synchronized long purge()
    {
        final AeronArchive.Context client = node.newArchiveClient(STREAM_ID);
        if (null == client)
        {
            return 0;
        }
        try (AeronArchive archive = AeronArchive.connect(client))
        {
            return new ClusterPurge(node.clusterDirectory(), archive).purge();
        }
    }

    @Override
    public String roleName()
    {
        return "escapement-cluster-purger";
    }
}
