package io.escapement.cluster;

import org.agrona.concurrent.Agent;

/**
 * Does for a node what may wait for the archive, and so belongs in no thread of the engine or of Aeron: begins the
 * snapshots that loops ask for, and deletes behind each snapshot what no start needs any more.
 */
final class NodeKeeper implements Agent
{
    private final ClusterNode node;
    private volatile boolean isSnapshotRequested;
    private long snapshots;

    NodeKeeper(final ClusterNode node)
    {
        this.node = node;
    }

    /** Any thread. */
    void requestSnapshot()
    {
        isSnapshotRequested = true;
    }

    @Override
    public int doWork()
    {
        int work = 0;
        if (isSnapshotRequested)
        {
            isSnapshotRequested = false;
            // A request that finds the node not leading is not kept for the time when it does.
            node.snapshot();
            work++;
        }
        final long taken = node.snapshots();
        if (taken != snapshots)
        {
            // Also when the purge fails: the next one deletes more.
            snapshots = taken;
            node.purge();
            work++;
        }
        return work;
    }

    @Override
    public String roleName()
    {
        return "escapement-cluster-keeper";
    }
}
