package io.escapement.cluster;

import org.agrona.concurrent.Agent;

/**
 * Begins the snapshots that the loops of a node ask for, announces versions of room types, and sets the counters.
 */
final class NodeKeeper implements Agent
{
    private final ClusterNode node;
    private final ClusterMetrics metrics;
    private final VersionAnnouncer versions;
    private volatile boolean isSnapshotRequested;

    NodeKeeper(final ClusterNode node, final ClusterMetrics metrics, final VersionAnnouncer versions)
    {
        this.node = node;
        this.metrics = metrics;
        this.versions = versions;
    }

    /** Any thread. */
    void requestSnapshot()
    {
        isSnapshotRequested = true;
    }

    @Override
    public int doWork()
    {
        final long nowNs = System.nanoTime();
        int work = metrics.update(nowNs) + versions.update(nowNs);
        if (isSnapshotRequested)
        {
            isSnapshotRequested = false;
            // A request that finds the node not leading is not kept for the time when it does.
            node.snapshot();
            work++;
        }
        return work;
    }

    @Override
    public void onClose()
    {
        metrics.close();
        versions.close();
    }

    @Override
    public String roleName()
    {
        return "escapement-cluster-keeper";
    }
}
