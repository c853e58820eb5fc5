package io.escapement.cluster;

import io.aeron.cluster.RecordingLog;
import io.aeron.cluster.client.AeronCluster;
import io.aeron.cluster.codecs.MessageHeaderDecoder;
import io.aeron.cluster.codecs.SessionMessageHeaderDecoder;
import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.layout.SchemaRules;
import io.escapement.codecs.room.LogHeaderDecoder;
import io.escapement.rooms.log.HostConfig;
import io.escapement.rooms.log.LogReader;
import io.escapement.rooms.log.LogRecords;
import io.escapement.rooms.log.LogSource;
import io.escapement.rooms.log.ProposalReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * The log of a loop in the directory of a node that does not run: the newest snapshot, and the turns after it. The
 * directory does not say how much of its last part was committed. All of that part is included. It follows from
 * committed turns, because a leader proposes only turns that do.
 */
final class NodeLog implements LogSource, AutoCloseable
{
    private static final int SERVICE_ID = 0;

    private final RecordedMessages messages;
    private final HostConfig config;
    private final DirectBuffer snapshot;
    private final List<byte[]> failures;
    private final MessageHeaderDecoder clusterHeader = new MessageHeaderDecoder();
    private final SessionMessageHeaderDecoder sessionHeader = new SessionMessageHeaderDecoder();
    private final ProposalReader proposal = new ProposalReader();
    private final UnsafeBuffer failure = new UnsafeBuffer(0, 0);
    private DirectBuffer buffer;
    private int offset;
    private int length;
    private int failed;

    private NodeLog(
        final RecordedMessages messages,
        final HostConfig config,
        final DirectBuffer snapshot,
        final List<byte[]> failures)
    {
        this.messages = messages;
        this.config = config;
        this.snapshot = snapshot;
        this.failures = failures;
    }

    /** Whether a directory has the log of a node. */
    static boolean isIn(final Path directory)
    {
        return Files.exists(directory.resolve(NodeDirectory.CLUSTER).resolve(RecordingLog.RECORDING_LOG_FILE_NAME));
    }

    /**
     * Read the logs of all loops. Does not change the directory.
     *
     * @param path     directory of a node that does not run.
     * @param failures Failed messages of a loop, which its log does not have.
     * @param reader   of the logs, which are closed after the call.
     */
    static void read(
        final Path path, final IntFunction<List<byte[]>> failures, final Consumer<Map<Integer, LogSource>> reader)
    {
        final List<NodeLog> opened = new ArrayList<>();
        try (NodeDirectory directory = NodeDirectory.ofStopped(path);
            RecordingLog recordings = new RecordingLog(directory.cluster().toFile(), false))
        {
            final Path archive = directory.archive();
            final RecordingLog.Entry newest = recordings.getLatestSnapshot(SERVICE_ID);
            final CatalogEntry recording = CatalogEntry.find(archive, recordings.findLastTermRecordingId());
            final long from = null == newest ? 0 : newest.logPosition;
            if (from < recording.startPosition())
            {
                throw new IllegalStateException(
                    path + ": the log begins at " + recording.startPosition() + ", and has no snapshot of that place");
            }
            final List<DirectBuffer> snapshots = null == newest ? List.of() :
                snapshots(archive, CatalogEntry.find(archive, newest.recordingId));
            final List<HostConfig> configs = snapshots.isEmpty() ?
                settings(new RecordedMessages(archive, recording, from)) :
                snapshots.stream().map(NodeLog::config).toList();
            final Map<Integer, LogSource> logs = new TreeMap<>();
            for (final HostConfig config : configs)
            {
                final int loop = config.loopLimits().loop();
                opened.add(new NodeLog(new RecordedMessages(archive, recording, from), config,
                    snapshots.isEmpty() ? null : snapshots.get(loop), failures.apply(loop)));
                logs.put(loop, opened.get(opened.size() - 1));
            }
            reader.accept(logs);
        }
        finally
        {
            CloseHelper.closeAll(opened);
        }
    }

    private static List<DirectBuffer> snapshots(final Path archive, final CatalogEntry recording)
    {
        try (RecordedMessages messages = new RecordedMessages(archive, recording, recording.startPosition()))
        {
            return ClusterSnapshots.read(messages);
        }
    }

    /** The settings of all loops, which a log has before their first turns. */
    private static List<HostConfig> settings(final RecordedMessages messages)
    {
        final Map<Integer, HostConfig> found = new TreeMap<>();
        try (NodeLog log = new NodeLog(messages, null, null, List.of()))
        {
            int loops = 1;
            while (found.size() < loops && log.nextOfEngine())
            {
                if (LogHeaderDecoder.TEMPLATE_ID == SchemaRules.templateId(log.buffer, log.offset))
                {
                    // The version of the formats follows them.
                    final int end = log.length - Integer.BYTES;
                    check(LogRecords.FORMAT_VERSION == log.buffer.getInt(log.offset + end, LITTLE_ENDIAN));
                    final HostConfig config = config(log.buffer, log.offset, end);
                    loops = config.loopLimits().loops();
                    found.putIfAbsent(config.loopLimits().loop(), config);
                }
            }
        }
        return List.copyOf(found.values());
    }

    private static HostConfig config(final DirectBuffer snapshot)
    {
        final LogReader records = new LogReader(snapshot, 0, snapshot.capacity(), LogRecords.SNAPSHOT);
        check(records.next());
        return config(records.buffer(), records.bodyOffset(), records.bodyLength());
    }

    private static HostConfig config(final DirectBuffer buffer, final int offset, final int length)
    {
        check(0 == RoomCommands.validateLogRecord(buffer, offset, length));
        return HostConfig.decode(buffer, offset);
    }

    private static void check(final boolean isKnown)
    {
        if (!isKnown)
        {
            throw new IllegalStateException("the log has the settings of its loops in a format of another version");
        }
    }

    @Override
    public HostConfig config()
    {
        return config;
    }

    @Override
    public DirectBuffer snapshot()
    {
        return snapshot;
    }

    @Override
    public boolean isReplicated()
    {
        return true;
    }

    @Override
    public void rewind()
    {
        messages.rewind();
        failed = 0;
    }

    @Override
    public void rewindToFailed()
    {
        rewind();
    }

    @Override
    public boolean next()
    {
        if (failed < failures.size())
        {
            failure.wrap(failures.get(failed++));
            buffer = failure;
            offset = 0;
            length = failure.capacity();
            return true;
        }
        while (nextOfEngine())
        {
            if (isTurn())
            {
                return true;
            }
        }
        return false;
    }

    @Override
    public DirectBuffer buffer()
    {
        return buffer;
    }

    @Override
    public int offset()
    {
        return offset;
    }

    @Override
    public int length()
    {
        return length;
    }

    @Override
    public boolean isFinished()
    {
        return messages.isStopped();
    }

    @Override
    public void close()
    {
        messages.close();
    }

    /** Move to the next message that the engine has proposed, and not the cluster. */
    private boolean nextOfEngine()
    {
        while (messages.next())
        {
            buffer = messages.buffer();
            offset = messages.offset() + AeronCluster.SESSION_HEADER_LENGTH;
            length = messages.length() - AeronCluster.SESSION_HEADER_LENGTH;
            if (length > MessageHeaderDecoder.ENCODED_LENGTH && SessionMessageHeaderDecoder.TEMPLATE_ID ==
                clusterHeader.wrap(buffer, messages.offset()).templateId())
            {
                return true;
            }
        }
        return false;
    }

    /** Whether a message is a turn of this loop, proposed in the term in which it entered the log. */
    private boolean isTurn()
    {
        if (!ProposalReader.isProposal(buffer, offset, length))
        {
            return false;
        }
        sessionHeader.wrapAndApplyHeader(buffer, offset - AeronCluster.SESSION_HEADER_LENGTH, clusterHeader);
        // The runner refuses a proposal of another version.
        return 0 != proposal.wrap(buffer, offset, length) || config.loopLimits().loop() == proposal.loop() &&
            LoopService.incarnation(sessionHeader.leadershipTermId()) == proposal.incarnation();
    }
}
