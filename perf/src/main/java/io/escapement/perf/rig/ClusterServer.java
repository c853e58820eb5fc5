package io.escapement.perf.rig;

import io.aeron.ExclusivePublication;
import io.aeron.Image;
import io.aeron.archive.Archive;
import io.aeron.archive.ArchiveThreadingMode;
import io.aeron.archive.checksum.Checksum;
import io.aeron.archive.checksum.Checksums;
import io.aeron.cluster.ClusteredMediaDriver;
import io.aeron.cluster.ConsensusModule;
import io.aeron.cluster.codecs.CloseReason;
import io.aeron.cluster.service.ClientSession;
import io.aeron.cluster.service.Cluster;
import io.aeron.cluster.service.ClusteredService;
import io.aeron.cluster.service.ClusteredServiceContainer;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.logbuffer.Header;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.IoUtil;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;

/**
 * A bare Aeron Cluster with a service that sends every message back, the peer of an engine of several nodes: three
 * nodes in this process, with the timeouts, terms, threads and checksums of the engine's.
 */
public final class ClusterServer
{
    private static final long LEAD_NS = TimeUnit.SECONDS.toNanos(30);
    private static final long POLL_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long MIN_PARK_NS = TimeUnit.MICROSECONDS.toNanos(1);
    private static final long MAX_PARK_NS = TimeUnit.MICROSECONDS.toNanos(50);
    private static final int SPINS = 10;
    private static final int YIELDS = 5;
    private static final int CONTROL_TERM_LENGTH = 64 * 1024;
    private static final int SEGMENT_LENGTH = 64 * 1024 * 1024;
    private static final String ANY_PORT = "aeron:udp?endpoint=127.0.0.1:0";

    private ClusterServer()
    {
    }

    /** Run until the tool ends this process. */
    public static void run(final Control control, final DurablePlan plan)
    {
        final Path directory = plan.journal.resolve("escapement-perf-" + UUID.randomUUID());
        final List<ClusteredMediaDriver> nodes = new ArrayList<>();
        final List<ClusteredServiceContainer> services = new ArrayList<>();
        try
        {
            for (int node = 0; node < DurablePlan.NODES; node++)
            {
                final Path files = directory.resolve("node-" + node);
                nodes.add(launch(plan, node, files));
                services.add(ClusteredServiceContainer.launch(new ClusteredServiceContainer.Context()
                    .aeronDirectoryName(plan.nodeDirectory(node))
                    .clusterDir(files.resolve("cluster").toFile())
                    .clusteredService(new EchoService())
                    .idleStrategySupplier(ClusterServer::idle)));
            }
            control.send(Control.READY + " " + awaitLeader(nodes));
            control.serve(plan, () -> { }, Measurements::new);
        }
        finally
        {
            CloseHelper.quietCloseAll(services);
            CloseHelper.quietCloseAll(nodes);
            IoUtil.delete(directory.toFile(), true);
        }
    }

    private static ClusteredMediaDriver launch(final DurablePlan plan, final int node, final Path files)
    {
        final Checksum checksum = Checksums.crc32c();
        return ClusteredMediaDriver.launch(
            new MediaDriver.Context()
                .aeronDirectoryName(plan.nodeDirectory(node))
                .threadingMode(ThreadingMode.SHARED)
                .sharedIdleStrategy(idle())
                .termBufferSparseFile(true)
                .ipcTermBufferLength(EngineGame.TERM_LENGTH)
                .publicationTermBufferLength(CONTROL_TERM_LENGTH)
                .dirDeleteOnShutdown(true),
            new Archive.Context()
                .archiveDir(files.resolve("archive").toFile())
                .archiveId(node)
                .controlChannel("aeron:udp?endpoint=" + plan.memberEndpoint(node, RunPlan.ARCHIVE_PORT))
                .replicationChannel(ANY_PORT)
                .recordingEventsEnabled(false)
                .threadingMode(ArchiveThreadingMode.SHARED)
                .idleStrategySupplier(ClusterServer::idle)
                .segmentFileLength(SEGMENT_LENGTH)
                .recordChecksum(checksum)
                .replayChecksum(checksum),
            new ConsensusModule.Context()
                .clusterDir(files.resolve("cluster").toFile())
                .clusterMemberId(node)
                .clusterMembers(plan.clusterMembers(DurablePlan.NODES))
                .ingressChannel("aeron:udp?term-length=" + PerfDriver.TERM_LENGTH)
                .logChannel("aeron:udp?term-length=" + EngineGame.TERM_LENGTH)
                .consensusChannel("aeron:udp?term-length=64k")
                .replicationChannel(ANY_PORT)
                .leaderHeartbeatTimeoutNs(EngineGame.HEARTBEAT_TIMEOUT_NS)
                .startupCanvassTimeoutNs(EngineGame.STARTUP_TIMEOUT_NS)
                .sessionTimeoutNs(EngineGame.SESSION_TIMEOUT_NS)
                .idleStrategySupplier(ClusterServer::idle));
    }

    private static int awaitLeader(final List<ClusteredMediaDriver> nodes)
    {
        final long startNs = System.nanoTime();
        int node = 0;
        while (Cluster.Role.LEADER !=
            Cluster.Role.get(nodes.get(node).consensusModule().context().clusterNodeRoleCounter()))
        {
            if (System.nanoTime() - startNs > LEAD_NS)
            {
                throw new IllegalStateException("no node leads after " + LEAD_NS + " ns");
            }
            LockSupport.parkNanos(POLL_NS);
            node = (node + 1) % nodes.size();
        }
        return node;
    }

    private static IdleStrategy idle()
    {
        return new BackoffIdleStrategy(SPINS, YIELDS, MIN_PARK_NS, MAX_PARK_NS);
    }

    /** Sends every message back to its session. */
    private static final class EchoService implements ClusteredService
    {
        private Cluster cluster;

        @Override
        public void onStart(final Cluster started, final Image snapshot)
        {
            cluster = started;
        }

        @Override
        public void onSessionMessage(
            final ClientSession session,
            final long timestamp,
            final DirectBuffer buffer,
            final int offset,
            final int length,
            final Header header)
        {
            cluster.idleStrategy().reset();
            while (session.offer(buffer, offset, length) < 0)
            {
                if (session.isClosing())
                {
                    return;
                }
                cluster.idleStrategy().idle();
            }
        }

        @Override
        public void onSessionOpen(final ClientSession session, final long timestamp)
        {
        }

        @Override
        public void onSessionClose(final ClientSession session, final long timestamp, final CloseReason reason)
        {
        }

        @Override
        public void onTimerEvent(final long correlationId, final long timestamp)
        {
        }

        @Override
        public void onTakeSnapshot(final ExclusivePublication snapshot)
        {
        }

        @Override
        public void onRoleChange(final Cluster.Role newRole)
        {
        }

        @Override
        public void onTerminate(final Cluster terminated)
        {
        }
    }
}
