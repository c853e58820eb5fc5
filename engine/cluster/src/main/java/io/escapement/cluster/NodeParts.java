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
import io.aeron.exceptions.AeronException;
import io.escapement.config.ConfigException;
import io.escapement.config.internal.PrivateFiles;
import io.escapement.driver.DriverDirectory;
import io.escapement.driver.guard.GuardLimits;
import io.escapement.driver.guard.GuardedEndpoints;
import io.escapement.driver.internal.SteadyClocks;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.status.AtomicCounter;

/** The driver and the archive of a node that joins or is filled, and the guards of both. */
final class NodeParts
{
    private static final System.Logger LOGGER = System.getLogger("io.escapement.cluster");
    private static final long MAX_PARK_NS = TimeUnit.MICROSECONDS.toNanos(50);
    private static final long MIN_PARK_NS = TimeUnit.MICROSECONDS.toNanos(1);
    private static final int SPINS = 10;
    private static final int YIELDS = 5;
    /** A stream is connected once its receiver has said so. A tenth of Aeron's default halves that time. */
    private static final long STATUS_MESSAGE_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final int MAX_IPC_TERM_LENGTH = 8 * 1_024 * 1_024;
    private static final int CONTROL_TERM_LENGTH = 64 * 1_024;
    /** Aeron Archive 1.51 refuses with this text if a node asks the leader for a deleted part of the log. */
    private static final String LOG_IS_GONE = "is less than recording start position";

    private final ClusterOptions options;
    private final ErrorHandler errorHandler;
    private final MemberAddresses addresses;
    private final MemberKey key;
    private final NodeGuard guard;
    private final SteadyClocks clocks = new SteadyClocks();

    /**
     * Parts before their first use.
     *
     * @param options      of the node.
     * @param errorHandler of the node.
     */
    NodeParts(final ClusterOptions options, final ErrorHandler errorHandler)
    {
        this.options = options;
        this.errorHandler = errorHandler;
        addresses = new MemberAddresses(options.hosts());
        key = new MemberKey(options.key());
        guard = new NodeGuard(key, (sessionId) -> true);
    }

    MemberKey key()
    {
        return key;
    }

    SteadyClocks clocks()
    {
        return clocks;
    }

    MemberAddresses addresses()
    {
        return addresses;
    }

    /** For a node that owns its directory: no other node uses its driver's directory. */
    MediaDriver.Context driverContext(final String driverDirectory)
    {
        DriverDirectory.check("cluster.driverDirectory", Path.of(driverDirectory));
        try
        {
            // A killed driver would seem active for 10 s.
            PrivateFiles.delete(Path.of(driverDirectory));
        }
        catch (final IOException ex)
        {
            throw new ConfigException("cluster.driverDirectory", driverDirectory, "cannot be deleted: " + ex, ex);
        }
        final MediaDriver.Context context = clocks.applyTo(new MediaDriver.Context());
        GuardedEndpoints.install(context, GuardLimits.DEFAULTS.admitting(options.termLength()), addresses);
        return options.driver().apply(context
            .aeronDirectoryName(driverDirectory)
            .threadingMode(ThreadingMode.SHARED)
            .sharedIdleStrategy(idle())
            .termBufferSparseFile(true)
            .ipcTermBufferLength(ipcTermLength(options))
            .publicationTermBufferLength(CONTROL_TERM_LENGTH)
            .mtuLength(options.mtu())
            .ipcMtuLength(options.mtu())
            .statusMessageTimeoutNs(STATUS_MESSAGE_NS)
            .dirDeleteOnShutdown(true)
            .errorHandler(errorHandler));
    }

    Archive.Context archiveContext(final Path archive)
    {
        final Checksum checksum = Checksums.crc32c();
        final int syncLevel = options.isSynced() ? 1 : 0;
        return new Archive.Context()
            .epochClock(clocks.epochClock())
            .nanoClock(clocks.nanoClock())
            .archiveDir(archive.toFile())
            .archiveId(options.memberId())
            .controlChannel("aeron:udp?endpoint=" + options.archiveEndpoint())
            .localControlChannel("aeron:ipc?term-length=64k")
            .controlStreamId(controlStreamId())
            .localControlStreamId(controlStreamId())
            .authenticatorSupplier(() -> guard)
            .authorisationServiceSupplier(() -> NodeRights::atArchive)
            .archiveClientContext(new AeronArchive.Context().credentialsSupplier(key)
                .controlResponseChannel(responseChannel()))
            .replicationChannel("aeron:udp?endpoint=" + options.host() + ":0")
            .recordingEventsEnabled(false)
            .threadingMode(ArchiveThreadingMode.SHARED)
            .idleStrategySupplier(NodeParts::idle)
            .segmentFileLength(options.segmentLength())
            // Below it no snapshot starts. The default is as much as 128 MiB.
            .lowStorageSpaceThreshold(options.segmentLength())
            .fileSyncLevel(syncLevel)
            .catalogFileSyncLevel(syncLevel)
            .recordChecksum(checksum)
            .replayChecksum(checksum)
            .errorHandler(errorHandler);
    }

    /**
     * A counter of another part, read through a client of the node. If a part stops by itself, it unmaps its own
     * counters. Reading them would crash the process.
     */
    static AtomicCounter view(final Aeron aeron, final AtomicCounter counter)
    {
        return new AtomicCounter(aeron.countersReader().valuesBuffer(), counter.id());
    }

    /** A client of the node's own archive. */
    AeronArchive.Context archiveClient()
    {
        return new AeronArchive.Context()
            .controlRequestChannel("aeron:ipc?term-length=64k")
            .controlRequestStreamId(controlStreamId())
            .controlResponseChannel("aeron:ipc?term-length=64k")
            .credentialsSupplier(guard);
    }

    /** A client of the archive of another node. */
    AeronArchive.Context remoteArchiveClient(final String endpoint)
    {
        return new AeronArchive.Context()
            .controlRequestChannel("aeron:udp?term-length=64k|endpoint=" + endpoint)
            .controlRequestStreamId(controlStreamId())
            .controlResponseChannel(responseChannel())
            .credentialsSupplier(key);
    }

    private String responseChannel()
    {
        return "aeron:udp?term-length=64k|endpoint=" + options.host() + ":0";
    }

    private int controlStreamId()
    {
        return key.streamId("archive");
    }

    static int ipcTermLength(final ClusterOptions options)
    {
        return Math.min(MAX_IPC_TERM_LENGTH, options.termLength());
    }

    /** Whether Aeron takes an error for a warning. */
    static boolean isWarning(final Throwable ex)
    {
        return ex instanceof AeronException && AeronException.Category.WARN == ((AeronException)ex).category();
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
        // Events and timeouts of elections are the normal course of a cluster.
        final boolean isExpected = ex instanceof AeronEvent || isWarning(ex);
        LOGGER.log(isExpected ? System.Logger.Level.INFO : System.Logger.Level.WARNING, line, isExpected ? null : ex);
    }

    static IdleStrategy idle()
    {
        return new BackoffIdleStrategy(SPINS, YIELDS, MIN_PARK_NS, MAX_PARK_NS);
    }
}
