package io.escapement.cluster;

import io.escapement.config.ConfigException;
import io.escapement.config.internal.PrivateFiles;
import io.escapement.engine.Durability;
import io.escapement.engine.RoomHandle;
import io.escapement.rooms.RoomType;
import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.agrona.DirectBuffer;
import org.agrona.IoUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A cluster of one node. These tests may take 6 s. */
class OneNodeTest
{
    private static final int NUMBERS = 40;
    private static final int SNAPSHOTS = 8;
    /** Of a kilobyte each. */
    private static final int FILLINGS = 400;
    /** Of 16 that the log would have, and two for each snapshot. */
    private static final int SEGMENT_LIMIT = 10;

    @TempDir
    Path directory;

    private final String members = TestNode.members(1);
    private final LedgerClient client = new LedgerClient();
    private RoomType type = LedgerRoom.type();

    /** From a copy of its directory too. A recursion that ran compiled runs again on frames several times as long. */
    @Test
    void shouldGoOnFromTheLogAndFromASnapshot() throws IOException
    {
        type = RoomType.of(LedgerRoom.TYPE, "deep", 1, DeepRoom::new).seats(8).timers(4).requests(1_024);
        final long roomId;
        try (TestNode node = launch())
        {
            node.awaitLeader();
            assertEquals(0, node.engine().leaderMemberId());
            final RoomHandle room = node.ledger();
            roomId = room.roomId();
            send(room, NUMBERS);
        }
        directory = moveTo(directory.resolve("copy"));
        // From the log, and from now on with each turn on the disk before it runs.
        try (TestNode node = launch(Durability.Level.SYNCED))
        {
            node.awaitLeader();
            final RoomHandle room = node.ledger();
            assertEquals(roomId, room.roomId());
            send(room, NUMBERS);
            assertEquals(2 * NUMBERS, report(room));
            assertTrue(node.log().snapshot());
            Tests.await(() -> 1 == node.log().snapshots(), "a snapshot");
            send(room, NUMBERS);
        }
        // From the snapshot and the log behind it.
        try (TestNode node = launch())
        {
            node.awaitLeader();
            final RoomHandle room = node.ledger();
            assertEquals(roomId, room.roomId());
            assertEquals(3 * NUMBERS, report(room));
            send(room, NUMBERS);
            assertTrue(node.engine().openRoom(LedgerRoom.TYPE).roomId() != roomId, "ids of rooms do not repeat");
            assertEquals(4 * NUMBERS, report(room));

            final ConfigException refusal = assertThrows(ConfigException.class, this::launch);
            assertTrue(refusal.getMessage().contains("cluster.directory"), refusal.getMessage());
        }
    }

    /** Copy the node's files one by one, as an operator does, and delete the originals. */
    private Path moveTo(final Path copies) throws IOException
    {
        final Path original = directory.resolve("node0");
        try (Stream<Path> files = Files.walk(original))
        {
            for (final Path file : (Iterable<Path>)files::iterator)
            {
                final Path copy = copies.resolve("node0").resolve(original.relativize(file));
                PrivateFiles.createDirectories("copy", copy.getParent());
                Files.copy(file, copy);
            }
        }
        IoUtil.delete(original.toFile(), false);
        return copies;
    }

    /** Two intervals of the log are kept, and the file that is written. */
    @Test
    void shouldBoundTheDiskByItself()
    {
        final long interval = TimeUnit.MILLISECONDS.toNanos(50);
        try (TestNode node = new TestNode(TestNode.options(directory, members, 0),
            TestNode.Game.of(LedgerRoom.type(), 2, client), interval, TestNode.Edge.free()))
        {
            node.awaitLeader();
            final RoomHandle room = node.ledger();
            for (int snapshot = 1; snapshot <= SNAPSHOTS; snapshot++)
            {
                fill(room);
                final long before = node.log().snapshots();
                client.sendLong(room);
                Tests.await(() -> before < node.log().snapshots(), "a snapshot behind this");
            }
            Tests.await(() -> segments() <= SEGMENT_LIMIT, "old files of the log and of snapshots to be deleted");
            Tests.await(() -> 0 == node.log().purge(), "nothing more to be there to delete");
        }
        try (TestNode node = launch())
        {
            node.awaitLeader();
            final RoomHandle room = node.ledger();
            assertEquals(SNAPSHOTS * (FILLINGS + 1), report(room));
        }
    }

    /** A log of other limits would compute other bytes. */
    @Test
    void shouldRefuseALogOfOtherSettingsByNameAndThenStayDown() throws IOException
    {
        try (TestNode node = launch())
        {
            node.awaitLeader();
            send(node.ledger(), 1);
        }
        for (int start = 1; start <= 2; start++)
        {
            try (TestNode node = launchOther())
            {
                Tests.await(() -> !node.engine().isAlive() && !node.errors().isEmpty(),
                    () -> "the node to stop: " + node.errors() + ", alive " + node.engine().isAlive() + ", stays " +
                    node.log().staysDown());
                final String message = node.errors().get(0).getCause().getMessage();
                assertTrue(message.contains("other settings") && message.contains("settingsHash"), message);
                assertEquals(2 == start, node.log().staysDown());
                node.closeAfterFaults();
            }
        }
        final NodeStoppedException refusal = assertThrows(NodeStoppedException.class, this::launchOther);
        assertTrue(refusal.getMessage().contains("other settings"), refusal.getMessage());
        // Somebody has mended the cause.
        Files.delete(directory.resolve("node0").resolve("stopped"));
        try (TestNode node = launch())
        {
            node.awaitLeader();
            assertEquals(1, report(node.ledger()));
        }
    }

    /** More than a file of the log. */
    private void fill(final RoomHandle room)
    {
        for (int i = 0; i < FILLINGS; i++)
        {
            client.sendLong(room);
        }
        final long sent = client.sent();
        Tests.await(() -> client.acknowledged() == sent, "number " + sent + " to be acknowledged");
    }

    private long segments()
    {
        try (Stream<Path> files = Files.list(directory.resolve("node0").resolve("archive")))
        {
            return files.filter((file) -> file.toString().endsWith(".rec")).count();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private void send(final RoomHandle room, final int numbers)
    {
        for (int i = 0; i < numbers; i++)
        {
            client.send(room);
            final long sent = client.sent();
            Tests.await(() -> client.acknowledged() == sent, "number " + sent + " to be acknowledged");
        }
    }

    private long report(final RoomHandle room)
    {
        final long before = client.reports();
        client.askForReport(room);
        Tests.await(() -> client.reports() > before, "a report");
        assertEquals(0, client.violations());
        return client.count();
    }

    private TestNode launch()
    {
        return launch(Durability.Level.RECORDED);
    }

    private TestNode launchOther()
    {
        return new TestNode(TestNode.options(directory, members, 0),
            TestNode.Game.of(LedgerRoom.type().seats(9), 2, client));
    }

    private TestNode launch(final Durability.Level level)
    {
        return new TestNode(
            TestNode.options(directory, members, 0).acknowledge(level), TestNode.Game.of(type, 2, client));
    }

    /** Needs some megabytes of stack for each number. */
    private static final class DeepRoom extends LedgerRoom
    {
        private static final int DEPTH = 80_000;

        @Override
        public void onSignal(final long from, final DirectBuffer buffer, final int offset, final int length)
        {
            assertEquals(DEPTH, dig(DEPTH));
            super.onSignal(from, buffer, offset, length);
        }

        private int dig(final int depth)
        {
            return 0 == depth ? 0 : 1 + dig(depth - 1);
        }
    }
}
