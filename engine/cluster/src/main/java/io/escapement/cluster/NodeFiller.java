package io.escapement.cluster;

import io.aeron.archive.ArchivingMediaDriver;
import io.aeron.archive.client.AeronArchive;
import io.aeron.cluster.ClusterBackup;
import io.aeron.cluster.ClusterBackupEventsListener;
import io.aeron.cluster.ClusterMember;
import io.aeron.cluster.RecordingLog;
import io.escapement.config.ConfigException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.IoUtil;

/**
 * Fills the empty directory of a node from the node that leads: its newest snapshot, and the log from there to where it
 * was when this began. The node follows from there by itself, once it is started.
 *
 * <p>The leader has everything that is committed. A follower may lack what it and the lost node had acknowledged
 * together, so it is not asked.
 */
final class NodeFiller implements ClusterBackupEventsListener
{
    private static final long PARK_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long ASK_AGAIN_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long COOL_DOWN_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long UNKNOWN = Long.MAX_VALUE;
    private static final int LOG_STREAM_ID = 100;
    private static final int RECORDINGS = 1_024;
    private static final String UNFINISHED = "filling";

    private final ClusterOptions options;
    private final NodeDirectory directory;
    private volatile String leaderArchive;
    private volatile Exception failure;

    private NodeFiller(final ClusterOptions options, final NodeDirectory directory)
    {
        this.options = options;
        this.directory = directory;
    }

    /**
     * Fill a directory.
     *
     * @param options   of the node, checked.
     * @param timeoutNs to wait for the leader and its log.
     * @return position of the log up to which the node has it.
     */
    static long fill(final ClusterOptions options, final long timeoutNs)
    {
        try (NodeDirectory directory = new NodeDirectory(options.directory()))
        {
            ConfigException.check(!Files.exists(directory.archive()) && !Files.exists(directory.cluster()),
                "cluster.directory", options.directory(), "it has a log: name an empty directory");
            final Path unfinished = options.directory().resolve(UNFINISHED);
            IoUtil.delete(unfinished.toFile(), true);
            final long position = new NodeFiller(options, directory).run(unfinished, System.nanoTime() + timeoutNs);
            // In this order: with the cluster's part alone no node starts, with the archive alone it would be empty.
            Files.move(unfinished.resolve("cluster"), directory.cluster());
            Files.move(unfinished.resolve("archive"), directory.archive());
            Files.delete(unfinished);
            return position;
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("cluster.directory: " + options.directory() + ": " + ex.getMessage(), ex);
        }
    }

    @SuppressWarnings("try")
    private long run(final Path unfinished, final long endNs)
    {
        final String driverDirectory = options.driverDirectory(directory);
        try (ArchivingMediaDriver driver = ArchivingMediaDriver.launch(
                NodeParts.driverContext(options, driverDirectory, this::onError),
                NodeParts.archiveContext(options, unfinished.resolve("archive"), this::onError));
            ClusterBackup backup = ClusterBackup.launch(backupContext(unfinished, driverDirectory)))
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

    private ClusterBackup.Context backupContext(final Path unfinished, final String driverDirectory)
    {
        return new ClusterBackup.Context()
            .aeronDirectoryName(driverDirectory)
            .archiveContext(NodeParts.archiveClient())
            .clusterArchiveContext(remoteArchive().aeronDirectoryName(driverDirectory))
            .clusterDir(unfinished.resolve("cluster").toFile())
            .clusterConsensusEndpoints(options.otherConsensusEndpoints())
            .consensusChannel("aeron:udp?term-length=64k|endpoint=" + options.consensusEndpoint())
            .catchupEndpoint(options.host() + ":0")
            .sourceType(ClusterBackup.SourceType.LEADER)
            // The first that is asked may not lead, or may be down.
            .clusterBackupResponseTimeoutNs(ASK_AGAIN_NS)
            .clusterBackupCoolDownIntervalNs(COOL_DOWN_NS)
            .initialReplayStart(ClusterBackup.Configuration.ReplayStart.LATEST_SNAPSHOT)
            .eventsListener(this)
            .errorHandler(this::onError);
    }

    /** An archive of another node; the endpoint is set for each. */
    private AeronArchive.Context remoteArchive()
    {
        return new AeronArchive.Context()
            .controlRequestChannel("aeron:udp?term-length=64k|endpoint=" + options.archiveEndpoint())
            .controlResponseChannel("aeron:udp?term-length=64k|endpoint=" + options.host() + ":0");
    }

    /** Where the leader's recording of the log is now. */
    private long leaderPosition(final String driverDirectory)
    {
        try (AeronArchive archive = AeronArchive.connect(remoteArchive().aeronDirectoryName(driverDirectory)
            .controlRequestChannel("aeron:udp?term-length=64k|endpoint=" + leaderArchive)))
        {
            final long[] found = {AeronArchive.NULL_POSITION};
            archive.listRecordings(0, RECORDINGS, (controlSessionId, correlationId, recordingId, startTimestamp,
                stopTimestamp, startPosition, stopPosition, initialTermId, segmentFileLength, termBufferLength,
                mtuLength, sessionId, streamId, strippedChannel, originalChannel, sourceIdentity) ->
            {
                if (LOG_STREAM_ID == streamId && AeronArchive.NULL_POSITION == stopPosition)
                {
                    found[0] = recordingId;
                }
            });
            check(AeronArchive.NULL_POSITION != found[0], "the node that led does not write a log any more");
            return archive.getRecordingPosition(found[0]);
        }
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
        // A log in which nothing moves has no progress.
    }

    private void onError(final Throwable ex)
    {
        NodeParts.log(options, ex);
    }

    private void check(final boolean isTrue, final String message)
    {
        if (!isTrue)
        {
            throw new IllegalStateException("member " + options.memberId() + " is not filled: " + message);
        }
    }
}
