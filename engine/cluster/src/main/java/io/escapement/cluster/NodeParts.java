package io.escapement.cluster;

import io.aeron.Aeron;
import io.aeron.archive.Archive;
import io.aeron.archive.ArchiveThreadingMode;
import io.aeron.archive.checksum.Checksum;
import io.aeron.archive.checksum.Checksums;
import io.aeron.archive.client.AeronArchive;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.exceptions.AeronEvent;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.status.AtomicCounter;

/** The driver and the archive of a node, for one that joins and for one that is filled. */
final class NodeParts
{
    private static final System.Logger LOGGER = System.getLogger("io.escapement.cluster");
    private static final long MAX_PARK_NS = TimeUnit.MICROSECONDS.toNanos(50);
    private static final long MIN_PARK_NS = TimeUnit.MICROSECONDS.toNanos(1);
    private static final int SPINS = 10;
    private static final int YIELDS = 5;
    private static final int MAX_IPC_TERM_LENGTH = 8 * 1_024 * 1_024;
    private static final int CONTROL_TERM_LENGTH = 64 * 1_024;
    /** So Aeron Archive 1.51 refuses a node that asks the leader for a part of the log that is gone. */
    private static final String LOG_IS_GONE = "is less than recording start position";

    private NodeParts()
    {
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
            .mtuLength(options.mtu())
            .ipcMtuLength(options.mtu())
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
            .idleStrategySupplier(NodeParts::idle)
            .segmentFileLength(options.segmentLength())
            // Below it no snapshot begins; the default is as much as 128 MiB.
            .lowStorageSpaceThreshold(options.segmentLength())
            .fileSyncLevel(syncLevel)
            .catalogFileSyncLevel(syncLevel)
            .recordChecksum(checksum)
            .replayChecksum(checksum)
            .errorHandler(errorHandler);
    }

    /**
     * A counter of another part, read through a client of the node. A part that ends by itself unmaps its own counters,
     * and reading those would end the process.
     */
    static AtomicCounter view(final Aeron aeron, final AtomicCounter counter)
    {
        return new AtomicCounter(aeron.countersReader().valuesBuffer(), counter.id());
    }

    static AeronArchive.Context archiveClient()
    {
        return new AeronArchive.Context()
            .controlRequestChannel("aeron:ipc?term-length=64k")
            .controlResponseChannel("aeron:ipc?term-length=64k");
    }

    /** A client of the archive of another node. */
    static AeronArchive.Context remoteArchiveClient(final ClusterOptions options, final String endpoint)
    {
        return new AeronArchive.Context()
            .controlRequestChannel("aeron:udp?term-length=64k|endpoint=" + endpoint)
            .controlResponseChannel("aeron:udp?term-length=64k|endpoint=" + options.host() + ":0");
    }

    static int ipcTermLength(final ClusterOptions options)
    {
        return Math.min(MAX_IPC_TERM_LENGTH, options.termLength());
    }

    static void log(final ClusterOptions options, final Throwable ex)
    {
        final String line = "member " + options.memberId() + ": " + ex.getMessage();
        if (line.contains(LOG_IS_GONE))
        {
            LOGGER.log(System.Logger.Level.WARNING, line + ": this part of the log is behind two snapshots and was " +
                "deleted; the node that asks for it will end, and fill itself when it is started again");
            return;
        }
        // Events of elections are the normal course of a cluster.
        LOGGER.log(ex instanceof AeronEvent ? System.Logger.Level.INFO : System.Logger.Level.WARNING, line,
            ex instanceof AeronEvent ? null : ex);
    }

    static IdleStrategy idle()
    {
        return new BackoffIdleStrategy(SPINS, YIELDS, MIN_PARK_NS, MAX_PARK_NS);
    }
}
