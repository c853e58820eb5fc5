package io.escapement.cluster;

import io.aeron.Aeron;
import io.aeron.archive.ArchivingMediaDriver;
import io.aeron.archive.client.AeronArchive;
import io.aeron.cluster.ClusterControl;
import io.aeron.cluster.ConsensusModule;
import io.aeron.cluster.ElectionState;
import io.aeron.cluster.client.AeronCluster;
import io.aeron.cluster.service.Cluster;
import io.aeron.cluster.service.ClusteredServiceContainer;
import io.escapement.engine.spi.ReplicatedLog;
import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.SleepingIdleStrategy;

/**
 * A node of the cluster in this process: media driver, archive, consensus module and service, each in a thread that
 * backs off to parks of 50 us, and a keeper.
 *
 * <p>If a part stops by itself, for example after a fault of the engine or of the disk, the whole node leaves the
 * cluster. The others then elect a leader, and the engine stops as after a fault.
 */
final class ClusterNode implements ReplicatedLog.Node
{
    private static final System.Logger LOGGER = System.getLogger("io.escapement.cluster");
    private static final String FLAG = "--add-opens java.base/java.util.zip=ALL-UNNAMED";
    private static final long START_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long KEEPER_PARK_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final int EGRESS_STREAM_ID = 2_000;
    /** Sessions of earlier terms stay until their timeout. */
    private static final int MAX_SESSIONS = 1_024;
    /** A fragment's header and the header of a session, for the longest of all. */
    private static final int HEADERS_LENGTH = 256;

    private final ClusterOptions options;
    private final ReplicatedLog.Receiver receiver;
    private final NodeParts parts;
    private final NodeGuard guard;
    private final LoopService service;
    private final LogProposer[] proposers;
    private final ClusterMetrics metrics;
    private final VersionAnnouncer versions;
    private final NodeKeeper keeper;
    private final NodePurger purger;
    private final LogGapWatch gapWatch;
    private final List<AgentRunner> keepers = new ArrayList<>();
    private NodeDirectory directory;
    private ArchivingMediaDriver driver;
    private ClusteredServiceContainer container;
    private ConsensusModule module;
    private Aeron aeron;
    private boolean isStopNoted;
    private boolean staysDown;
    private volatile boolean isClosed;
    private final ElectionRecord election = new ElectionRecord();

    /**
     * Start a node, and wait until its snapshots have been read.
     *
     * @param options  concluded.
     * @param loops    number of loops of the engine.
     * @param receiver of committed messages.
     */
    ClusterNode(final ClusterOptions options, final int loops, final ReplicatedLog.Receiver receiver)
    {
        if (!CRC32C.class.getModule().isOpen("java.util.zip", DirectBuffer.class.getModule()))
        {
            throw new IllegalStateException("the JVM needs the flag " + FLAG + " for the checksums of the archive");
        }
        this.options = options;
        this.receiver = receiver;
        parts = new NodeParts(options, this::onError);
        // A member has no session here. It asks for backups, which have no number.
        guard = new NodeGuard(parts.key(), (sessionId) -> Aeron.NULL_VALUE == sessionId);
        service = new LoopService(loops, receiver);
        metrics = new ClusterMetrics(receiver, options, election);
        versions = new VersionAnnouncer(options, parts.key(), this::onError);
        keeper = new NodeKeeper(this, metrics, versions);
        purger = new NodePurger(this);
        gapWatch = new LogGapWatch(this, options);
        proposers = new LogProposer[loops];
        final int maxLength = Math.min(NodeParts.ipcTermLength(options), options.termLength()) / 8 - HEADERS_LENGTH;
        for (int i = 0; i < loops; i++)
        {
            proposers[i] = new LogProposer(
                this::newSession, EGRESS_STREAM_ID + i, maxLength, options.sessionTimeoutNs());
        }
        try
        {
            start();
            startKeepers();
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
        return isOpen() && ClusterControl.ToggleState.SNAPSHOT.toggle(
            NodeParts.view(aeron, module.context().controlToggleCounter()));
    }

    synchronized long snapshots()
    {
        return isOpen() ? NodeParts.view(aeron, module.context().snapshotCounter()).get() : 0;
    }

    /** The role and the state of elections, for people. Any thread. */
    synchronized String status()
    {
        if (!isOpen())
        {
            return "closed";
        }
        final ConsensusModule.Context context = module.context();
        return "election " + NodeParts.view(aeron, context.electionCounter()).get() + " " +
            ElectionState.get(NodeParts.view(aeron, context.electionStateCounter())) + ", term " +
            NodeParts.view(aeron, context.leadershipTermIdCounter()).get() + ", " +
            Cluster.Role.get(NodeParts.view(aeron, context.clusterNodeRoleCounter()));
    }

    @Override
    public boolean isCurrent()
    {
        // A health check does not wait for a close, which keeps the lock for as long as it takes.
        return !isClosed && hasElected();
    }

    private synchronized boolean hasElected()
    {
        return isOpen() && ElectionState.CLOSED ==
            ElectionState.get(NodeParts.view(aeron, module.context().electionStateCounter()));
    }

    /** Leave if an election meets the same error again and again, as where the own log is gone. Any thread. */
    void endHopelessElection()
    {
        final String error = election.repeated();
        if (null != error)
        {
            leaveAndSay("this node cannot take part in an election: " + error);
        }
    }

    /** Leave, to be filled by the next start. Any thread. */
    void leaveBehind(final String cause)
    {
        directory.noteBehind(cause);
        leaveAndSay(cause);
    }

    private void leaveAndSay(final String cause)
    {
        LOGGER.log(System.Logger.Level.WARNING, "member " + options.memberId() + ": " + cause);
        leave(cause);
    }

    /** Delete everything that no start of this node needs. Any thread. Waits for the archive. */
    long purge()
    {
        return purger.purge();
    }

    /**
     * A client of the archive to connect, or null if the node is closed. Any thread.
     *
     * @param streamId of its answers.
     */
    synchronized AeronArchive.Context newArchiveClient(final int streamId)
    {
        return isClosed ? null : parts.archiveClient().aeron(aeron).ownsAeronClient(false)
            .controlResponseStreamId(streamId);
    }

    /** A client of another node's archive to connect, or null if this node is closed. Any thread. */
    synchronized AeronArchive.Context newRemoteArchiveClient(final String endpoint)
    {
        return isClosed ? null :
            parts.remoteArchiveClient(endpoint).aeron(aeron).ownsAeronClient(false);
    }

    /** A session with the own consensus module, to connect. */
    private AeronCluster.Context newSession()
    {
        return new AeronCluster.Context()
            .aeron(aeron)
            .ownsAeronClient(false)
            .ingressChannel("aeron:ipc")
            .ingressStreamId(parts.key().streamId("ingress"))
            .egressChannel("aeron:ipc")
            .credentialsSupplier(guard);
    }

    MemberAddresses addresses()
    {
        return parts.addresses();
    }

    /** Where the consensus module has its recording log. */
    File clusterDirectory()
    {
        return directory.cluster().toFile();
    }

    /**
     * Whether this node has stopped at the same turn as before its start. It would then stop there after every start.
     * Any thread. Notes the turn for the next start.
     */
    synchronized boolean staysDown()
    {
        final String place = receiver.failedAt();
        if (null != place && !isStopNoted)
        {
            isStopNoted = true;
            staysDown = directory.stop(place, String.valueOf(receiver.failure()));
        }
        return staysDown;
    }

    /** Leave: the consensus module first, so that the others need not wait for its silence. */
    @Override
    public void close()
    {
        final List<AgentRunner> runners;
        synchronized (this)
        {
            runners = isClosed ? List.of() : List.copyOf(keepers);
        }
        // Without the lock, which they may wait for.
        CloseHelper.closeAll(this::onError, runners);
        synchronized (this)
        {
            if (!isClosed)
            {
                isClosed = true;
                CloseHelper.closeAll(this::onError, aeron, module, container, driver, directory);
            }
        }
    }

    private boolean isOpen()
    {
        return !isClosed && null != aeron && !aeron.isClosed();
    }

    private synchronized void startKeepers()
    {
        // A part that has ended may have had the node leave by now.
        if (!isClosed)
        {
            metrics.begin(module.context(), aeron, System.nanoTime());
            versions.begin(aeron, options.versionEndpoint());
            startKeeper(keeper);
            startKeeper(purger);
            startKeeper(gapWatch);
        }
    }

    private void startKeeper(final Agent agent)
    {
        final AgentRunner runner =
            new AgentRunner(new SleepingIdleStrategy(KEEPER_PARK_NS), this::onError, null, agent);
        keepers.add(runner);
        AgentRunner.startOnThread(runner);
    }

    private void start()
    {
        directory = new NodeDirectory(options.directory());
        directory.prepare();
        if (directory.isBehind())
        {
            NodeFiller.fillAgain(options, directory);
            directory.prepare();
        }
        final String driverDirectory = options.driverDirectory(directory);
        final int syncLevel = options.isSynced() ? 1 : 0;
        driver = ArchivingMediaDriver.launch(
            parts.driverContext(driverDirectory), parts.archiveContext(directory.archive()));
        container = ClusteredServiceContainer.launch(new ClusteredServiceContainer.Context()
            .epochClock(parts.clocks().epochClock())
            .nanoClock(parts.clocks().nanoClock())
            .aeronDirectoryName(driverDirectory)
            .archiveContext(parts.archiveClient())
            .clusterDir(directory.cluster().toFile())
            .clusteredService(service)
            .isRespondingService(false)
            .idleStrategySupplier(NodeParts::idle)
            .errorHandler(this::onError)
            .terminationHook(() -> leave("the service of the cluster has ended")));
        module = ConsensusModule.launch(moduleContext(driverDirectory, syncLevel));
        directory.allocate();
        aeron = Aeron.connect(parts.clocks().applyTo(new Aeron.Context())
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

    private ConsensusModule.Context moduleContext(final String driverDirectory, final int syncLevel)
    {
        return new ConsensusModule.Context()
            .epochClock(parts.clocks().epochClock())
            .clusterClock(parts.clocks().epochClock()::time)
            .aeronDirectoryName(driverDirectory)
            .archiveContext(parts.archiveClient())
            .clusterDir(directory.cluster().toFile())
            .clusterMemberId(options.memberId())
            .clusterMembers(options.clusterMembers())
            .serviceCount(1)
            .authenticatorSupplier(() -> guard)
            .authorisationServiceSupplier(() -> NodeRights::atModule)
            .ingressChannel("aeron:udp?term-length=64k")
            .ingressStreamId(parts.key().streamId("ingress"))
            .consensusStreamId(parts.key().streamId("consensus"))
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
            .idleStrategySupplier(NodeParts::idle)
            .errorHandler(this::onError)
            .terminationHook(() -> leave("the consensus module has ended"));
    }

    /** A part has stopped by itself. Leave with the other parts, in a thread that belongs to no part. */
    private void leave(final String reason)
    {
        if (isClosed)
        {
            return;
        }
        staysDown();
        receiver.onFailed(new IllegalStateException(reason));
        final Thread thread = new Thread(this::close, "escapement-cluster-leave");
        thread.setDaemon(true);
        thread.start();
    }

    private void onError(final Throwable ex)
    {
        if (!isClosed)
        {
            election.onError(ex, System.nanoTime());
            NodeParts.log(options, ex);
            if (ElectionRecord.isCutBehindTurns(ex))
            {
                leaveAndSay("it has run turns that the group does not have, and runs its log again after a start");
            }
        }
    }
}
