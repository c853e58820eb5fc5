package io.escapement.cluster;

import io.aeron.cluster.RecordingLog;
import io.aeron.cluster.client.AeronCluster;
import io.aeron.cluster.codecs.MessageHeaderEncoder;
import io.aeron.cluster.codecs.SessionMessageHeaderEncoder;
import io.aeron.protocol.DataHeaderFlyweight;
import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.room.RoomEncoder;
import io.escapement.engine.Durability;
import io.escapement.engine.RoomHandle;
import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.log.LogRecords;
import io.escapement.rooms.log.LogSource;
import io.escapement.rooms.log.ProposalReader;
import io.escapement.rooms.log.ProposalWriter;
import io.escapement.rooms.output.ByteSink;
import io.escapement.rooms.output.NoOutputs;
import io.escapement.rooms.replay.ProposalException;
import io.escapement.rooms.replay.ProposalRunner;
import io.escapement.rooms.replay.Replay;
import io.escapement.rooms.replay.RoomCut;
import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The log in the directory of a node is read and replayed. These tests may take 6 s. */
class NodeLogTest
{
    private static final int LOOPS = 2;
    private static final int LOG_STREAM_ID = 100;
    private static final int HEADER_LENGTH = AeronCluster.SESSION_HEADER_LENGTH;
    private static final long ROOM = 7;
    /** Of a kilobyte each: more than a file of the log, and turns of several fragments. */
    private static final int NUMBERS = 400;

    @TempDir
    Path directory;

    private final LedgerClient client = new LedgerClient();
    private final String members = TestNode.members(1);
    private final RoomEncoder encoder = new RoomEncoder();
    private final UnsafeBuffer command = new UnsafeBuffer(new byte[RoomCommands.MAX_COMMAND_LENGTH]);
    private final ProposalWriter proposal = new ProposalWriter(0);
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[64 * 1_024]);
    private ProposalRunner runner;
    private Path data;
    private Path killed;

    @Test
    void shouldReplayALogFromItsBeginningAndFromItsSnapshot() throws IOException
    {
        final long roomId = runNode(false);
        final Map<Path, Integer> files = hashes();
        read(data, (logs) ->
        {
            assertEquals(List.of(0, 1), List.copyOf(logs.keySet()));
            for (final LogSource log : logs.values())
            {
                assertNull(log.snapshot());
                final Replay replay = replay(log, Long.MAX_VALUE);
                assertFalse(replay.isCutOff());
                assertEquals(1, replay.host().openRooms());
            }
            final RoomCut cut = cut(logs.get(0), roomId);
            assertTrue(cut.commands() > NUMBERS, "commands to the room: " + cut.commands());
        });
        assertEquals(files, hashes());
        shouldEndALogWithAKill();
        shouldNameADamagedFile();

        assertEquals(roomId, runNode(true));
        read(data, (logs) ->
        {
            for (final LogSource log : logs.values())
            {
                assertTrue(log.snapshot().capacity() > 0);
                // A loop without commands after the snapshot has nothing to compare.
                final Replay replay = same(log, Long.MAX_VALUE);
                assertEquals(1, replay.host().openRooms());
                assertTrue(logs.get(0) != log || replay.compared() > 0, "hashes compared");
            }
            final RoomCut cut = cut(logs.get(0), roomId);
            assertTrue(cut.commands() >= NUMBERS, "commands to the room: " + cut.commands());
        });
    }

    /** A proposal of the former term, which would take the number of HostResumed, and a proposal after a gap. */
    @Test
    void shouldRunWhatTheNodesRun() throws IOException
    {
        data = directory;
        final HostContext context = context().outputs(NoOutputs.NONE);
        final int length = context.header().encode(message, HEADER_LENGTH);
        message.putInt(HEADER_LENGTH + length, LogRecords.FORMAT_VERSION, LITTLE_ENDIAN);
        final Path archive = Files.createDirectory(data.resolve(NodeDirectory.ARCHIVE));
        final ArchiveFiles files = new ArchiveFiles(archive, 0);
        append(files, 0, length + Integer.BYTES);
        runner = new ProposalRunner(context);
        runner.failAt(2, ROOM, 1);
        propose(files, 0, 1, 1, encoder.hostResumed(command, 0, 0, 1, 0));
        propose(files, 0, 1, 2, open(ROOM));
        propose(files, 1, 1, 3, open(ROOM + 1));
        propose(files, 1, 2, 3, encoder.hostResumed(command, 0, 0, 2, 0));
        propose(files, 1, 2, 4, open(ROOM + 2));
        propose(files, 1, 2, 6, open(ROOM + 3));
        files.catalog(0, files.end()).writeUpTo(files.end());
        try (RecordingLog recordings = new RecordingLog(
            Files.createDirectory(data.resolve(NodeDirectory.CLUSTER)).toFile(), true))
        {
            recordings.appendTerm(ArchiveFiles.RECORDING_ID, 0, 0, 0);
        }
        Files.createFile(data.resolve("escapement.lock"));

        final Path amendments = Files.writeString(directory.resolve("amendments"), "0 2 " + ROOM + " 1");
        Durability.replicated(new ClusterLog(new ClusterOptions().directory(data))).amendments(amendments)
            .read((logs) ->
            {
                final Replay replay = replay(logs.get(0), Long.MAX_VALUE);
                assertEquals(4, replay.proposals());
                assertEquals(runner.host().stateHash(), replay.host().stateHash());
                assertTrue(replay.host().isOpen(ROOM + 2) && 1 == replay.host().openRooms());
                assertEquals(4, cut(logs.get(0), ROOM + 2).turns());
            });
        read(data, (logs) -> assertTrue(new Replay(logs.get(0), context().outputs(NoOutputs.NONE)).run()
            .difference().startsWith("turn 2: output hash is ")));

        // A whole frame, of a proposal that changed before it was recorded.
        proposal.clear();
        proposal.add(command, 0, open(ROOM + 4));
        final int changed = proposal.finish(2, 5, 5, runner.host().turn(), runner.outputHash());
        message.putBytes(HEADER_LENGTH, proposal.buffer(), 0, changed);
        // In the first command's room id.
        message.putByte(HEADER_LENGTH + ProposalReader.HEADER_LENGTH + Integer.BYTES + Long.BYTES, (byte)1);
        append(files, 1, changed);
        files.catalog(0, files.end()).writeUpTo(files.end());
        Durability.replicated(new ClusterLog(new ClusterOptions().directory(data))).amendments(amendments)
            .read((logs) -> assertThrows(ProposalException.class, () -> replay(logs.get(0), Long.MAX_VALUE)));
    }

    private int open(final long roomId)
    {
        return encoder.openRoom(command, 0, roomId, 1, 0, 0, LedgerRoom.TYPE, command, 0, 0);
    }

    /** Append a proposal in a term, and run it unless it is of a former term or after a gap. */
    private void propose(
        final ArchiveFiles files, final long term, final int incarnation, final long number, final int commandLength)
    {
        proposal.clear();
        proposal.add(command, 0, commandLength);
        final int length = proposal.finish(
            incarnation, number, number, runner.host().turn(), runner.outputHash());
        message.putBytes(HEADER_LENGTH, proposal.buffer(), 0, length);
        append(files, term, length);
        if (incarnation == term + 1 && number == runner.lastProposal() + 1)
        {
            runner.run(proposal.buffer(), 0, length);
        }
    }

    private void append(final ArchiveFiles files, final long term, final int length)
    {
        new SessionMessageHeaderEncoder().wrapAndApplyHeader(message, 0, new MessageHeaderEncoder())
            .leadershipTermId(term).clusterSessionId(1).timestamp(0);
        files.message(message, HEADER_LENGTH + length);
    }

    /** Its last frame is not whole, and the recording has no end. */
    private void shouldEndALogWithAKill() throws IOException
    {
        final CatalogEntry log = log(killed);
        final long last = log.lastSegment(killed.resolve(NodeDirectory.ARCHIVE));
        assertTrue(last > 0 && !log.isStopped());
        flip(killed, last, Integer.MAX_VALUE);
        read(killed, (logs) -> assertTrue(replay(logs.get(0), Long.MAX_VALUE).isCutOff()));
        assertNamed(killed, flip(killed, 0, 1));
    }

    private void shouldNameADamagedFile() throws IOException
    {
        final long last = log(data).lastSegment(data.resolve(NodeDirectory.ARCHIVE));
        // Restored by the second flip.
        assertNamed(data, flip(data, last, Integer.MAX_VALUE));
        flip(data, last, Integer.MAX_VALUE);
    }

    private static void assertNamed(final Path data, final Path file)
    {
        final IllegalStateException damage = assertThrows(IllegalStateException.class,
            () -> read(data, (logs) -> replay(logs.get(0), Long.MAX_VALUE)));
        assertTrue(damage.getMessage().startsWith(file + ": damaged at "), damage.getMessage());
    }

    /** A room on each loop, with more than a file of the log. Returns the id of the first. */
    private long runNode(final boolean hasSnapshot) throws IOException
    {
        final TestNode.Game game = TestNode.Game.of(LedgerRoom.type(), LOOPS, client);
        try (TestNode node = new TestNode(TestNode.options(directory, members, 0), game))
        {
            node.awaitLeader();
            final RoomHandle room = node.ledger();
            if (hasSnapshot)
            {
                assertTrue(node.log().snapshot());
                Tests.await(() -> 1 == node.log().snapshots(), "a snapshot");
            }
            else
            {
                node.engine().openRoom(LedgerRoom.TYPE);
            }
            for (int i = 0; i < NUMBERS; i++)
            {
                client.sendLong(room);
            }
            awaitAll();
            // Its proposal names the hash of a turn after the snapshot.
            client.sendLong(room);
            awaitAll();
            data = directory.resolve("node0");
            assertEquals(data + ": a node uses it", assertThrows(IllegalStateException.class,
                () -> read(data, (logs) -> { })).getMessage());
            killed = copy(directory.resolve("killed" + hasSnapshot));
            return room.roomId();
        }
    }

    private void awaitAll()
    {
        final long sent = client.sent();
        Tests.await(() -> client.acknowledged() == sent, "number " + sent);
    }

    private Path copy(final Path target) throws IOException
    {
        try (Stream<Path> files = Files.walk(data))
        {
            for (final Path file : (Iterable<Path>)files::iterator)
            {
                Files.copy(file, target.resolve(data.relativize(file).toString()));
            }
        }
        return target;
    }

    private Map<Path, Integer> hashes() throws IOException
    {
        final Map<Path, Integer> hashes = new TreeMap<>();
        try (Stream<Path> files = Files.walk(data))
        {
            for (final Path file : (Iterable<Path>)files::iterator)
            {
                hashes.put(file, Files.isDirectory(file) ? 0 : Arrays.hashCode(Files.readAllBytes(file)));
            }
        }
        return hashes;
    }

    private static CatalogEntry log(final Path data)
    {
        return CatalogEntry.list(data.resolve(NodeDirectory.ARCHIVE)).stream()
            .filter((entry) -> LOG_STREAM_ID == entry.streamId()).findFirst().orElseThrow();
    }

    /** Flip a bit of the last frame among some of a file's first. Returns the file. */
    private static Path flip(final Path data, final long base, final int frames) throws IOException
    {
        final CatalogEntry log = log(data);
        final Path file = log.segment(data.resolve(NodeDirectory.ARCHIVE), base);
        final byte[] bytes = Files.readAllBytes(file);
        final UnsafeBuffer segment = new UnsafeBuffer(ByteBuffer.wrap(bytes));
        int last = 0;
        int offset = 0;
        for (int i = 0; i < frames && segment.getInt(Math.min(offset, bytes.length - 4)) > 0; i++)
        {
            last = CatalogEntry.isPadding(segment, offset) ? last : offset;
            offset += CatalogEntry.alignedLength(segment, offset);
        }
        bytes[last + DataHeaderFlyweight.HEADER_LENGTH] ^= 4;
        return Files.write(file, bytes);
    }

    /** Read the log of a node as {@code escapement replay} does. */
    static void read(final Path data, final Consumer<Map<Integer, LogSource>> reader)
    {
        assertTrue(ClusterLog.isIn(data));
        Durability.replicated(new ClusterLog(new ClusterOptions().directory(data))).read(reader);
    }

    private static Replay same(final LogSource log, final long lastTurn)
    {
        final Replay replay = new Replay(log, context().outputs(NoOutputs.NONE)).runUntil(lastTurn);
        assertTrue(replay.isSame(), replay::difference);
        return replay;
    }

    /** Replay up to a turn, and compare. */
    static Replay replay(final LogSource log, final long lastTurn)
    {
        final Replay replay = same(log, lastTurn);
        assertTrue(replay.compared() > 0, "hashes compared: " + replay.compared());
        return replay;
    }

    private static RoomCut cut(final LogSource log, final long roomId)
    {
        final RoomCut cut = new RoomCut(log, roomId, NodeLogTest::context, new ByteSink()).run();
        assertTrue(cut.isSame() && 0 != cut.stateHash(), cut::difference);
        return cut;
    }

    private static HostContext context()
    {
        return new HostContext().roomType(LedgerRoom.type());
    }
}
