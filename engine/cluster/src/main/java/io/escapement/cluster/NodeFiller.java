package io.escapement.cluster;

import io.aeron.archive.ArchivingMediaDriver;
import io.aeron.cluster.ClusterBackup;
import io.aeron.cluster.ClusterBackupEventsListener;
import io.aeron.cluster.ClusterMember;
import io.aeron.cluster.RecordingLog;
import io.escapement.config.ConfigException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Fills the empty directory of a node from the leader: with its newest snapshot, and the log from there to its end at
 * the start of this call. The node follows from there by itself, once it is started.
 *
 * <p>The leader has everything that is committed. Followers are not asked, because a follower may lack turns that the
 * leader and the lost node had acknowledged together.
 */
final class NodeFiller implements ClusterBackupEventsListener
{
    private static final System.Logger LOGGER = System.getLogger("io.escapement.cluster");
    private static final long PARK_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long ASK_AGAIN_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long COOL_DOWN_NS = TimeUnit.MILLISECONDS.toNanos(100);
    /** To copy a snapshot of some gigabytes. */
    private static final long AGAIN_NS = TimeUnit.MINUTES.toNanos(5);
    private static final long UNKNOWN = Long.MAX_VALUE;

    private final ClusterOptions options;
    private final NodeDirectory directory;
    private final NodeParts parts;
    private volatile String leaderArchive;
    private volatile Exception failure;

    private NodeFiller(final ClusterOptions options, final NodeDirectory directory)
    {
        this.options = options;
        this.directory = directory;
        parts = new NodeParts(options, (ex) -> NodeParts.log(options, ex));
    }

    /**
     * Fill an empty directory.
     *
     * @param options   of the node, checked.
     * @param timeoutNs to wait for the leader and its log.
     * @return position of the log up to which the node has it.
     */
    static long fill(final ClusterOptions options, final long timeoutNs)
    {
        try (NodeDirectory directory = new NodeDirectory(options.directory()))
        {
            directory.prepare();
            ConfigException.check(!directory.hasLog(), "cluster.directory", options.directory(),
                "it has a log: name an empty directory");
            return new NodeFiller(options, directory).fill(timeoutNs);
        }
    }

    /**
     * Fill the directory of a node if its log stops before the start of the others' logs. Its own directory is deleted
     * once the new directory is complete.
     *
     * @param options   of the node, checked.
     * @param directory of the node.
     */
    static void fillAgain(final ClusterOptions options, final NodeDirectory directory)
    {
        final String name = "member " + options.memberId() + ": its log ends before that of the others begins: ";
        LOGGER.log(System.Logger.Level.WARNING, name + "it is filled from the one that leads");
        final long position = new NodeFiller(options, directory).fill(AGAIN_NS);
        LOGGER.log(System.Logger.Level.INFO, name + "it is filled up to " + position);
    }

    private long fill(final long timeoutNs)
    {
        final Path filling = directory.newFilling();
        final long position = run(filling, System.nanoTime() + timeoutNs);
        directory.useFilling();
        return position;
    }

    @SuppressWarnings("try")
    private long run(final Path filling, final long endNs)
    {
        final String driverDirectory = options.driverDirectory(directory);
        try (ArchivingMediaDriver driver = ArchivingMediaDriver.launch(
                parts.driverContext(driverDirectory),
                parts.archiveContext(filling.resolve(NodeDirectory.ARCHIVE)));
            ClusterBackup backup = ClusterBackup.launch(backupContext(filling, driverDirectory)))
        {
            long target = UNKNOWN;
            while (true)
            {
                final long position = position(backup.context());
                if (position >= target)
                {
                    return position;
                }
                check(null == failure, "" + failure);
                check(System.nanoTime() - endNs < 0, null == leaderArchive ? "no node that leads has answered" :
                    "it has the log up to " + position + ", and needs it up to " + target);
                if (UNKNOWN == target && null != leaderArchive)
                {
                    target = leaderPosition(driverDirectory);
                }
                LockSupport.parkNanos(PARK_NS);
            }
        }
    }

    /** Up to where the log is here, once the snapshot is. */
    private static long position(final ClusterBackup.Context context)
    {
        return ClusterBackup.State.BACKING_UP.code() == context.stateCounter().get() ?
            context.liveLogPositionCounter().get() : 0;
    }

    private ClusterBackup.Context backupContext(final Path filling, final String driverDirectory)
    {
        return new ClusterBackup.Context()
            .epochClock(parts.clocks().epochClock())
            .aeronDirectoryName(driverDirectory)
            .archiveContext(parts.archiveClient())
            .clusterArchiveContext(parts.remoteArchiveClient(options.archiveEndpoint())
                .aeronDirectoryName(driverDirectory))
            .clusterDir(filling.resolve(NodeDirectory.CLUSTER).toFile())
            .clusterConsensusEndpoints(options.otherConsensusEndpoints())
            .credentialsSupplier(parts.key())
            .consensusStreamId(parts.key().streamId("consensus"))
            .consensusChannel("aeron:udp?term-length=64k|endpoint=" + options.consensusEndpoint())
            .catchupEndpoint(options.host() + ":0")
            .sourceType(ClusterBackup.SourceType.LEADER)
            // The first that is asked may not lead, or may be down.
            .clusterBackupResponseTimeoutNs(ASK_AGAIN_NS)
            .clusterBackupCoolDownIntervalNs(COOL_DOWN_NS)
            .initialReplayStart(ClusterBackup.Configuration.ReplayStart.LATEST_SNAPSHOT)
            .eventsListener(this)
            .errorHandler((ex) -> NodeParts.log(options, ex));
    }

    /** Where the leader's recording of the log is now. */
    private long leaderPosition(final String driverDirectory)
    {
        final WrittenLog log = WrittenLog.find(
            parts.remoteArchiveClient(leaderArchive).aeronDirectoryName(driverDirectory));
        check(null != log, "the node that led does not write a log any more");
        return log.endPosition();
    }

    @Override
    public void onBackupQuery()
    {
        // The leader is asked.
    }

    @Override
    public void onPossibleFailure(final Exception ex)
    {
        failure = ex;
    }

    @Override
    public void onBackupResponse(
        final ClusterMember[] members, final ClusterMember leader, final List<RecordingLog.Snapshot> snapshots)
    {
        leaderArchive = leader.archiveEndpoint();
    }

    @Override
    public void onUpdatedRecordingLog(
        final RecordingLog recordingLog, final List<RecordingLog.Snapshot> snapshotsRetrieved)
    {
        // The position says when it is enough.
    }

    @Override
    public void onLiveLogProgress(final long recordingId, final long recordingPosCounterId, final long logPosition)
    {
        // An idle log has no progress.
    }

    private void check(final boolean isTrue, final String message)
    {
        if (!isTrue)
        {
            throw new IllegalStateException("member " + options.memberId() + " is not filled: " + message);
        }
    }
}
