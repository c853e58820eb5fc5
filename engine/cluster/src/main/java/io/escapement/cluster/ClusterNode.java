package io.escapement.cluster;

import io.aeron.Aeron;
import io.aeron.archive.Archive;
import io.aeron.archive.ArchiveThreadingMode;
import io.aeron.archive.ArchivingMediaDriver;
import io.aeron.archive.checksum.Checksum;
import io.aeron.archive.checksum.Checksums;
import io.aeron.archive.client.AeronArchive;
import io.aeron.cluster.ClusterControl;
import io.aeron.cluster.ConsensusModule;
import io.aeron.cluster.ElectionState;
import io.aeron.cluster.service.Cluster;
import io.aeron.cluster.service.ClusteredServiceContainer;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.exceptions.AeronEvent;
import io.escapement.engine.spi.ReplicatedLog;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.SleepingIdleStrategy;

/**
 * A node of the cluster in this process: media driver, archive, consensus module and service, each in a thread that
 * backs off to parks of 50 us, and a keeper.
 *
 * <p>When one of them ends by itself, as after a fault of the engine or of the disk, the whole node leaves the cluster,
 * so that the others elect a leader, and the engine ends as by a fault.
 */
final class ClusterNode implements ReplicatedLog.Node
{
    private static final System.Logger LOGGER = System.getLogger("io.escapement.cluster");
    private static final String FLAG = "--add-opens java.base/java.util.zip=ALL-UNNAMED";
    private static final long START_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long MAX_PARK_NS = TimeUnit.MICROSECONDS.toNanos(50);
    private static final long MIN_PARK_NS = TimeUnit.MICROSECONDS.toNanos(1);
    private static final long KEEPER_PARK_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final int SPINS = 10;
    private static final int YIELDS = 5;
    private static final int MAX_IPC_TERM_LENGTH = 8 * 1_024 * 1_024;
    private static final int CONTROL_TERM_LENGTH = 64 * 1_024;
    private static final int EGRESS_STREAM_ID = 2_000;
    private static final int PURGE_STREAM_ID = 1_900;
    /** Sessions of earlier terms stay until their timeout. */
    private static final int MAX_SESSIONS = 1_024;
    /** A fragment's header and the header of a session, for the longest of all. */
    private static final int HEADERS_LENGTH = 256;

    private final ClusterOptions options;
    private final ReplicatedLog.Receiver receiver;
    private final SessionGuard guard = new SessionGuard();
    private final LoopService service;
    private final LogProposer[] proposers;
    private final ClusterMetrics metrics;
    private final VersionAnnouncer versions;
    private final NodeKeeper keeper;
    private AgentRunner keeperRunner;
    private NodeDirectory directory;
    private ArchivingMediaDriver driver;
    private ClusteredServiceContainer container;
    private ConsensusModule module;
    private Aeron aeron;
    private volatile boolean isClosed;

    /**
     * Start a node, and wait until its snapshots have been read.
     *
     * @param options  concluded.
     * @param loops    number of loops of the engine.
     * @param receiver of what is committed.
     */
    ClusterNode(final ClusterOptions options, final int loops, final ReplicatedLog.Receiver receiver)
    {
        if (!CRC32C.class.getModule().isOpen("java.util.zip", DirectBuffer.class.getModule()))
        {
            throw new IllegalStateException("the JVM needs the flag " + FLAG + " for the checksums of the archive");
        }
        this.options = options;
        this.receiver = receiver;
        service = new LoopService(loops, receiver);
        metrics = new ClusterMetrics(receiver, options.memberCount());
        versions = new VersionAnnouncer(options, this::onError);
        keeper = new NodeKeeper(this, metrics, versions);
        proposers = new LogProposer[loops];
        final int maxLength = Math.min(ipcTermLength(options), options.termLength()) / 8 - HEADERS_LENGTH;
        for (int i = 0; i < loops; i++)
        {
            proposers[i] = new LogProposer(
                () -> aeron, guard, EGRESS_STREAM_ID + i, maxLength, options.sessionTimeoutNs());
        }
        try
        {
            start();
            startKeeper();
        }
        catch (final Throwable ex)
        {
            close();
            throw ex;
        }
    }

    @Override
    public int memberId()
    {
        return options.memberId();
    }

    @Override
    public long realm()
    {
        return options.realm();
    }

    @Override
    public DirectBuffer snapshot(final int loop)
    {
        return service.snapshot(loop);
    }

    @Override
    public ReplicatedLog.Proposer proposer(final int loop)
    {
        return proposers[loop];
    }

    @Override
    public void requestSnapshot()
    {
        keeper.requestSnapshot();
    }

    @Override
    public void announce(final int typeId, final int version)
    {
        versions.announce(typeId, version);
    }

    @Override
    public List<Integer> membersWithout(final int typeId, final int version)
    {
        return versions.membersWithout(typeId, version);
    }

    /** Have all nodes take a snapshot. Any thread. */
    synchronized boolean snapshot()
    {
        return !isClosed && ClusterControl.ToggleState.SNAPSHOT.toggle(module.context().controlToggleCounter());
    }

    synchronized long snapshots()
    {
        return isClosed ? 0 : module.context().snapshotCounter().get();
    }

    /** The role and the state of elections, for people. Any thread. */
    synchronized String status()
    {
        if (isClosed)
        {
            return "closed";
        }
        final ConsensusModule.Context context = module.context();
        return "election " + context.electionCounter().get() + " " +
            ElectionState.get(context.electionStateCounter()) + ", term " +
            context.leadershipTermIdCounter().get() + ", " + Cluster.Role.get(context.clusterNodeRoleCounter());
    }

    /** Delete what no start of this node needs. Any thread; waits for the archive. */
    synchronized long purge()
    {
        if (isClosed)
        {
            return 0;
        }
        try (AeronArchive archive = AeronArchive.connect(
            archiveClient().aeron(aeron).ownsAeronClient(false).controlResponseStreamId(PURGE_STREAM_ID)))
        {
            return new ClusterPurge(directory.cluster().toFile(), archive).purge();
        }
    }

    /** Leave: the consensus module first, so that the others need not wait for its silence. */
    @Override
    public void close()
    {
        // Without the lock, which a purge has.
        CloseHelper.close(this::onError, keeperRunner());
        synchronized (this)
        {
            if (!isClosed)
            {
                isClosed = true;
                CloseHelper.closeAll(this::onError, aeron, module, container, driver, directory);
            }
        }
    }

    private synchronized AgentRunner keeperRunner()
    {
        return keeperRunner;
    }

    private synchronized void startKeeper()
    {
        // A part that has ended may have had the node leave by now.
        if (!isClosed)
        {
            metrics.begin(module.context(), aeron, System.nanoTime());
            versions.begin(aeron, options.versionEndpoint());
            keeperRunner = new AgentRunner(new SleepingIdleStrategy(KEEPER_PARK_NS), this::onError, null, keeper);
            AgentRunner.startOnThread(keeperRunner);
        }
    }

    private void start()
    {
        directory = new NodeDirectory(options.directory());
        final String driverDirectory = options.driverDirectory(directory);
        final int syncLevel = options.isSynced() ? 1 : 0;
        driver = ArchivingMediaDriver.launch(driverContext(options, driverDirectory, this::onError),
            archiveContext(options, directory.archive(), this::onError));
        container = ClusteredServiceContainer.launch(new ClusteredServiceContainer.Context()
            .aeronDirectoryName(driverDirectory)
            .archiveContext(archiveClient())
            .clusterDir(directory.cluster().toFile())
            .clusteredService(service)
            .isRespondingService(false)
            .idleStrategySupplier(ClusterNode::idle)
            .errorHandler(this::onError)
            .terminationHook(() -> leave("the service of the cluster has ended")));
        module = ConsensusModule.launch(moduleContext(driverDirectory, syncLevel));
        aeron = Aeron.connect(new Aeron.Context()
            .aeronDirectoryName(driverDirectory)
            .idleStrategy(new SleepingIdleStrategy(TimeUnit.MILLISECONDS.toNanos(1)))
            .errorHandler(this::onError));
        try
        {
            if (!service.awaitStart(START_NS))
            {
                throw new IllegalStateException("cluster.directory: " + options.directory() +
                    ": the node did not read its snapshot in " + TimeUnit.NANOSECONDS.toSeconds(START_NS) + " s");
            }
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("the start of the node was interrupted");
        }
    }

    static MediaDriver.Context driverContext(
        final ClusterOptions options, final String driverDirectory, final ErrorHandler errorHandler)
    {
        return options.driver().apply(new MediaDriver.Context()
            .aeronDirectoryName(driverDirectory)
            .threadingMode(ThreadingMode.SHARED)
            .sharedIdleStrategy(idle())
            .termBufferSparseFile(true)
            .ipcTermBufferLength(ipcTermLength(options))
            .publicationTermBufferLength(CONTROL_TERM_LENGTH)
            .dirDeleteOnStart(true)
            .dirDeleteOnShutdown(true)
            .errorHandler(errorHandler));
    }

    static Archive.Context archiveContext(
        final ClusterOptions options, final Path archive, final ErrorHandler errorHandler)
    {
        final Checksum checksum = Checksums.crc32c();
        final int syncLevel = options.isSynced() ? 1 : 0;
        return new Archive.Context()
            .archiveDir(archive.toFile())
            .archiveId(options.memberId())
            .controlChannel("aeron:udp?endpoint=" + options.archiveEndpoint())
            .localControlChannel("aeron:ipc?term-length=64k")
            .replicationChannel("aeron:udp?endpoint=" + options.host() + ":0")
            .recordingEventsEnabled(false)
            .threadingMode(ArchiveThreadingMode.SHARED)
            .idleStrategySupplier(ClusterNode::idle)
            .segmentFileLength(options.segmentLength())
            .fileSyncLevel(syncLevel)
            .catalogFileSyncLevel(syncLevel)
            .recordChecksum(checksum)
            .replayChecksum(checksum)
            .errorHandler(errorHandler);
    }

    private ConsensusModule.Context moduleContext(final String driverDirectory, final int syncLevel)
    {
        return new ConsensusModule.Context()
            .aeronDirectoryName(driverDirectory)
            .archiveContext(archiveClient())
            .clusterDir(directory.cluster().toFile())
            .clusterMemberId(options.memberId())
            .clusterMembers(options.clusterMembers())
            .serviceCount(1)
            .authenticatorSupplier(() -> guard)
            .ingressChannel("aeron:udp?term-length=64k")
            .isIpcIngressAllowed(true)
            .logChannel("aeron:udp?term-length=" + options.termLength())
            .consensusChannel("aeron:udp?term-length=64k")
            .replicationChannel("aeron:udp?endpoint=" + options.host() + ":0")
            .leaderHeartbeatTimeoutNs(options.heartbeatTimeoutNs())
            .leaderHeartbeatIntervalNs(options.heartbeatIntervalNs())
            .electionTimeoutNs(options.electionTimeoutNs())
            .electionStatusIntervalNs(options.statusIntervalNs())
            .startupCanvassTimeoutNs(options.startupTimeoutNs())
            .sessionTimeoutNs(options.sessionTimeoutNs())
            .maxConcurrentSessions(MAX_SESSIONS)
            .fileSyncLevel(syncLevel)
            .idleStrategySupplier(ClusterNode::idle)
            .errorHandler(this::onError)
            .terminationHook(() -> leave("the consensus module has ended"));
    }

    static AeronArchive.Context archiveClient()
    {
        return new AeronArchive.Context()
            .controlRequestChannel("aeron:ipc?term-length=64k")
            .controlResponseChannel("aeron:ipc?term-length=64k");
    }

    private static int ipcTermLength(final ClusterOptions options)
    {
        return Math.min(MAX_IPC_TERM_LENGTH, options.termLength());
    }

    /** A part has ended by itself: leave with the others, in a thread that is none of theirs. */
    private void leave(final String reason)
    {
        if (isClosed)
        {
            return;
        }
        receiver.onFailed(new IllegalStateException(reason));
        final Thread thread = new Thread(this::close, "escapement-cluster-leave");
        thread.setDaemon(true);
        thread.start();
    }

    private void onError(final Throwable ex)
    {
        if (!isClosed)
        {
            log(options, ex);
        }
    }

    static void log(final ClusterOptions options, final Throwable ex)
    {
        // Events of elections are the normal course of a cluster.
        LOGGER.log(ex instanceof AeronEvent ? System.Logger.Level.INFO : System.Logger.Level.WARNING,
            "member " + options.memberId() + ": " + ex.getMessage(), ex instanceof AeronEvent ? null : ex);
    }

    private static IdleStrategy idle()
    {
        return new BackoffIdleStrategy(SPINS, YIELDS, MIN_PARK_NS, MAX_PARK_NS);
    }
}
