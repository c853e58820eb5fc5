package io.escapement.engine;

import io.escapement.codecs.layout.SchemaRules;
import io.escapement.codecs.room.StateHashDecoder;
import io.escapement.engine.internal.durable.Journal;
import io.escapement.engine.internal.durable.ReplicaSettings;
import io.escapement.engine.ledger.History;
import io.escapement.engine.ledger.HistoryRoom;
import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.log.HostConfig;
import io.escapement.simulator.SimulatedNodes;
import io.escapement.testsupport.ChildJvm;
import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * One journal of an engine: run live, replayed, from each of its snapshots, on three nodes, and on another JDK. The
 * states and the outputs are the same at the same turns. Budget: 5 s.
 */
@RealTime("a process that is killed")
class OneLogTest
{
    private static final int LOOPS = SimulatedNodes.LOOPS;
    private static final int MESSAGES = 400;
    private static final int NODE_SNAPSHOT_EVERY = 150;
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final String OTHER_JAVA = System.getProperty("escapement.other.java", "");

    @TempDir
    Path base;

    /** Copies of the snapshots that the engine has taken as it ran. */
    private final Set<Path> snapshots = new TreeSet<>();
    /** Of the journals of the loops. */
    private final List<HostConfig> headers = new ArrayList<>();

    @Test
    void shouldHaveTheSameHashesInEachOfFiveWays() throws IOException
    {
        final Path journal = runLive();
        deleteSnapshots(journal);
        Journal.examine(journal, SystemNanoClock.INSTANCE,
            (loops) -> loops.forEach((loop) -> headers.add(loop.config())));
        final Map<String, String> replayed = JournalHashes.run(journal);
        assertTrue(replayed.size() > MESSAGES / 4, replayed.size() + " turns");
        assertTrue(snapshots.size() >= 2 * LOOPS, snapshots.size() + " snapshots");

        for (final Path file : snapshots)
        {
            final int loop = file.getFileName().toString().charAt("loop-".length()) - '0';
            final UnsafeBuffer bytes = new UnsafeBuffer(Files.readAllBytes(file));
            final Map.Entry<String, String> hash = JournalHashes.ofSnapshot(loop, host(loop), bytes);
            assertEquals(replayed.get(hash.getKey()), hash.getValue(), "live, turn " + hash.getKey());

            final Path copied = Files.copy(file, journal.resolve(file.getFileName()));
            final Map<String, String> restored = JournalHashes.run(journal);
            Files.delete(copied);
            assertTrue(restored.size() < replayed.size(), "from " + file.getFileName());
            restored.forEach((turn, value) ->
                assertEquals(replayed.get(turn), value, "from " + file.getFileName() + ", turn " + turn));
        }

        final Map<String, String> onNodes = runOnNodes(journal);
        assertTrue(onNodes.size() >= 2 * LOOPS, onNodes.size() + " snapshots of nodes");
        onNodes.forEach((turn, value) -> assertEquals(replayed.get(turn), value, "on nodes, turn " + turn));

        final String java = OTHER_JAVA.isEmpty() ?
            Path.of(System.getProperty("java.home"), "bin", "java").toString() : OTHER_JAVA;
        try (ChildJvm child = new ChildJvm(java, JournalHashes.class, List.of(), List.of(journal.toString())))
        {
            assertEquals(0, child.exitStatus(), () -> child.lines().toString());
            final List<String> expected = new ArrayList<>();
            replayed.forEach((turn, hash) -> expected.add(turn + "=" + hash));
            assertEquals(expected, child.lines());
        }
    }

    private HostContext host(final int loop)
    {
        return JournalHashes.host(headers.get(loop));
    }

    /** Players, services, timers and signals, on two loops that take snapshots, and a clean end. */
    private Path runLive() throws IOException
    {
        final History history = new History();
        final LedgerServer.Effects effects = new LedgerServer.Effects(base.resolve("effects"));
        keys();
        final EngineContext context = LedgerServer.context(base, Durability.Level.RECORDED, HistoryRoom::new,
            effects, 30 * MS);
        // Nothing is purged.
        context.durability().segmentLength(16 * 1_024 * 1_024);
        context.trunks().limit(SimulatedNodes.TRUNKS);
        try (TestEngine engine = new TestEngine(context, ThreadingMode.INVOKER);
            TestHost host = new TestHost();
            LedgerClients clients = new LedgerClients(host, engine.ingress(), engine.response(), history))
        {
            final List<Long> rooms = LedgerServer.openRooms(engine.engine());
            Tests.await(() ->
            {
                engine.turn();
                clients.poll();
                return clients.join(rooms);
            }, "the players");
            clients.startPacing();
            Tests.await(() ->
            {
                engine.turn();
                if (history.size() < MESSAGES)
                {
                    clients.pace();
                }
                clients.poll();
                keepSnapshots();
                return history.known() == history.size() && history.size() >= MESSAGES &&
                    snapshots.size() >= 3 * LOOPS;
            }, "snapshots");
        }
        return base.resolve("journal");
    }

    private void keys() throws IOException
    {
        final Path keys = Files.writeString(base.resolve("keys"), "a key that all nodes share, of some length\n");
        Files.setPosixFilePermissions(keys, PosixFilePermissions.fromString("rw-------"));
    }

    private void keepSnapshots()
    {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(base.resolve("journal"), "*.snapshot"))
        {
            for (final Path file : files)
            {
                final Path kept = base.resolve(file.getFileName());
                if (!snapshots.contains(kept))
                {
                    keep(file, kept);
                }
            }
        }
        catch (final IOException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    private void keep(final Path file, final Path kept) throws IOException
    {
        try
        {
            Files.copy(file, kept);
            snapshots.add(kept);
        }
        catch (final NoSuchFileException ignored)
        {
            // The journal's thread keeps two, and has deleted it since the directory was read.
        }
    }

    private static void deleteSnapshots(final Path journal) throws IOException
    {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(journal, "*.snapshot"))
        {
            for (final Path file : files)
            {
                Files.delete(file);
            }
        }
    }

    /** Hashes of the states that three engines write when the journal's messages are in the log that they share. */
    private Map<String, String> runOnNodes(final Path journal) throws IOException
    {
        final Map<String, String> hashes = new TreeMap<>();
        final Path directory = Files.createDirectory(Tests.newDirectory());
        try (SimulatedNodes nodes = new SimulatedNodes(directory, base.resolve("keys")))
        {
            for (int loop = 0; loop < LOOPS; loop++)
            {
                nodes.append(new ReplicaSettings(LOOPS).register(loop, headers.get(loop), false));
            }
            final List<byte[]> messages = messages(journal);
            for (int i = 0; i < messages.size(); i++)
            {
                nodes.append(messages.get(i));
                if (0 == i % NODE_SNAPSHOT_EVERY || i == messages.size() - 1)
                {
                    nodes.appendSnapshot();
                    Tests.await(() -> nodes.step() && nodes.areCurrent(), "the nodes");
                    for (int loop = 0; loop < LOOPS; loop++)
                    {
                        final Map.Entry<String, String> hash =
                            JournalHashes.ofSnapshot(loop, host(loop).epochMs(0), nodes.snapshot(loop));
                        if (!hash.getKey().equals(JournalHashes.turn(loop, 0)))
                        {
                            hashes.put(hash.getKey(), hash.getValue());
                        }
                    }
                }
            }
            assertEquals(List.of(), nodes.violations());
        }
        return hashes;
    }

    private static List<byte[]> messages(final Path journal)
    {
        final List<byte[]> messages = new ArrayList<>();
        Journal.examine(journal, SystemNanoClock.INSTANCE, (loops) -> loops.forEach((loop) ->
        {
            while (loop.next())
            {
                // A journal ends with a StateHash, which the log of a group does not have.
                if (StateHashDecoder.TEMPLATE_ID != SchemaRules.templateId(loop.buffer(), loop.offset()))
                {
                    final byte[] message = new byte[loop.length()];
                    loop.buffer().getBytes(loop.offset(), message);
                    messages.add(message);
                }
            }
        }));
        return messages;
    }
}
