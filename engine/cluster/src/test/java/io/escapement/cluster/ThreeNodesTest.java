package io.escapement.cluster;

import io.escapement.config.ConfigException;
import io.escapement.driver.DriverDirectory;
import io.escapement.engine.Durability;
import io.escapement.engine.RoomHandle;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.testsupport.FlightRecording;
import io.escapement.testsupport.LoggedLines;
import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordedEvent;
import org.agrona.CloseHelper;
import org.agrona.IoUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A cluster of three nodes in this process. These tests may take 4 s, in full 60 s. */
@RealTime("elections of three nodes, in real time")
class ThreeNodesTest
{
    private static final int NODES = 3;
    private static final int NUMBERS = 30;
    private static final int SNAPSHOTS = 3;
    /** Of a kilobyte each. */
    private static final int LONG_NUMBERS = 300;
    /** How often the leader is stopped. */
    private static final int HAND_OVERS = Tests.isFull() ? 20 : 1;

    @TempDir
    Path directory;

    private final String members = TestNode.members(NODES);
    private final LedgerClient client = new LedgerClient();
    private final FlightRecording recording = new FlightRecording();
    private final List<TestNode> nodes = new ArrayList<>();
    private final List<TestNode.Endpoints> endpoints =
        Stream.generate(TestNode.Endpoints::free).limit(NODES).toList();
    private Path keyFile;
    private LedgerPlayer player;

    @AfterEach
    void close()
    {
        CloseHelper.closeAll(nodes);
        CloseHelper.closeAll(player, recording);
    }

    @Test
    void shouldLoseNothingThatWasAcknowledgedWhenTheLeaderStops()
    {
        recording.start();
        player = new LedgerPlayer(new EventLog(), endpoints);
        for (int i = 0; i < NODES; i++)
        {
            nodes.add(launch(i, LedgerRoom::new));
        }
        send(NUMBERS);
        final long playersRoom = awaitLeader().engine().openRoom(LedgerRoom.TYPE).roomId();
        player.join(playersRoom);
        shouldCountWhoLeads();
        for (int i = 0; i < HAND_OVERS; i++)
        {
            play();
            shouldRefuseRoomsWhileItFollows();
            final TestNode leader = awaitLeader();
            // Some of these are under way when it stops.
            final RoomHandle room = leader.ledger();
            for (int j = 0; j < NUMBERS && null != room; j++)
            {
                client.send(room);
            }
            final int stopped = nodes.indexOf(leader);
            leader.close();
            nodes.set(stopped, null);
            send(NUMBERS);
            play();
            shouldCountHowFarItIsBehind(stopped);
            nodes.set(stopped, launch(stopped, LedgerRoom::new));
        }
        assertTrue(player.resumed() >= HAND_OVERS, "how often the trunk was resumed: " + player.resumed());
        Tests.await(() -> awaitLeader().log().snapshot(), "a snapshot to begin");
        Tests.await(() -> nodes.stream().allMatch((node) -> node.snapshots().equals(nodes.get(0).snapshots())) &&
            !nodes.get(0).snapshots().isEmpty(), "the same state of all nodes");
        send(NUMBERS);
        report();
        assertEquals(0, client.violations(), "an acknowledged number is missing, or a number is there twice");
        assertTrue(client.count() >= (HAND_OVERS + 2) * NUMBERS && client.count() <= client.sent(),
            client.count() + " of " + client.sent());
        for (final TestNode node : nodes)
        {
            assertTrue(node.engine().isAlive());
            assertEquals(List.of(), node.errors());
        }
        shouldHaveRecordedItsElections();
        shouldFillANodeThatHasLostItsDirectory();
    }

    /** Over elections, with turns that were under way when a leader stopped. */
    @Test
    void shouldReplayTheSameRoomsFromTheLogOfEachNode()
    {
        for (int i = 0; i < NODES; i++)
        {
            nodes.add(launch(i, LedgerRoom::new));
        }
        send(NUMBERS);
        for (int i = 0; i < HAND_OVERS; i++)
        {
            final TestNode leader = awaitLeader();
            final RoomHandle room = leader.ledger();
            for (int j = 0; j < NUMBERS && null != room; j++)
            {
                client.send(room);
            }
            final int stopped = nodes.indexOf(leader);
            leader.close();
            nodes.set(stopped, null);
            send(NUMBERS);
            nodes.set(stopped, launch(stopped, LedgerRoom::new));
        }
        send(NUMBERS);
        CloseHelper.closeAll(nodes);
        final long[] last = {Long.MAX_VALUE};
        final List<Path> directories =
            IntStream.range(0, NODES).mapToObj((i) -> directory.resolve("node" + i)).toList();
        directories.forEach((data) -> NodeLogTest.read(data, (logs) ->
            last[0] = Math.min(last[0], NodeLogTest.replay(logs.get(0), Long.MAX_VALUE).turns())));
        assertTrue(last[0] > NUMBERS, "turns that all nodes have: " + last[0]);
        final Set<Long> states = new HashSet<>();
        directories.forEach((data) -> NodeLogTest.read(data, (logs) ->
            states.add(NodeLogTest.replay(logs.get(0), last[0]).host().stateHash())));
        assertEquals(1, states.size(), "states after turn " + last[0]);
    }

    /** As somebody deletes them who needs space. It would look for them for ever. */
    @Test
    void shouldEndWithTheReasonWhenItsLogIsGone() throws IOException
    {
        final String member = TestNode.members(1);
        try (TestNode node = alone(member))
        {
            node.awaitLeader();
            for (int i = 0; i < NUMBERS; i++)
            {
                client.send(node.ledger());
            }
        }
        try (Stream<Path> files = Files.list(directory.resolve("node0").resolve("archive")))
        {
            for (final Path file : files.filter((name) -> name.toString().endsWith(".rec")).toList())
            {
                Files.delete(file);
            }
        }
        try (LoggedLines lines = new LoggedLines("io.escapement.cluster"); TestNode node = alone(member))
        {
            Tests.await(() -> !node.engine().isAlive(), () -> "the node to end: " + node.log().status());
            assertTrue(lines.has("this node cannot take part in an election: ERROR - "), () -> "" + lines.all());
            node.closeAfterFaults();
        }
    }

    private TestNode alone(final String member)
    {
        return new TestNode(TestNode.options(directory, member, 0), TestNode.Game.of(LedgerRoom.type(), 1, client));
    }

    /** Its log is nowhere any more, and it gets a snapshot and the log behind it. */
    private void shouldFillANodeThatHasLostItsDirectory()
    {
        final int lost = (nodes.indexOf(awaitLeader()) + 1) % NODES;
        nodes.get(lost).close();
        nodes.set(lost, null);
        final ClusterOptions options = TestNode.options(directory, members, lost);
        assertThrows(ConfigException.class, () -> ClusterLog.fill(options, 1), "it has a log");
        for (int i = 1; i <= SNAPSHOTS; i++)
        {
            sendLong();
            final TestNode leader = awaitLeader();
            final int snapshots = leader.snapshots().size();
            Tests.await(() -> awaitLeader().log().snapshot(), "a snapshot to begin");
            Tests.await(() -> leader.snapshots().size() > snapshots, "a snapshot");
        }
        send(NUMBERS);
        shouldEndWhereTheOthersHaveDeletedTheRestOfTheLog(lost);
        nodes.set(lost, launch(lost, LedgerRoom::new));
        shouldHaveTheSameState();
        nodes.get(lost).close();
        IoUtil.delete(directory.resolve("node" + lost).toFile(), false);
        final long filled = ClusterLog.fill(options, TimeUnit.SECONDS.toNanos(20));
        assertTrue(filled > SNAPSHOTS * LONG_NUMBERS, filled + " bytes");
        nodes.set(lost, launch(lost, LedgerRoom::new));
        shouldHaveTheSameState();
        assertEquals(0, client.violations());
    }

    /** A member looks at the state of its election at intervals, so it may miss a short one. */
    private void shouldHaveRecordedItsElections()
    {
        final List<RecordedEvent> elections = recording.stop("escapement.Election");
        assertTrue(elections.stream().anyMatch((election) -> election.getBoolean("isLeader")), elections::toString);
        for (final RecordedEvent election : elections)
        {
            assertTrue(election.getInt("member") >= 0 && election.getInt("member") < NODES, election::toString);
            assertTrue(election.getDuration("tookNs").toNanos() > 0, election::toString);
            assertTrue(election.getString("course").endsWith(" CLOSED"), election::toString);
        }
    }

    private void shouldHaveTheSameState()
    {
        send(NUMBERS);
        final TestNode leader = awaitLeader();
        final int snapshots = leader.snapshots().size();
        Tests.await(() -> awaitLeader().log().snapshot(), "a snapshot to begin");
        Tests.await(() -> leader.snapshots().size() > snapshots && nodes.stream().allMatch((node) ->
            node.snapshots().contains(leader.snapshots().get(snapshots))), "the same state of all nodes");
    }

    /** It asks the leader in vain, ends, and says what its next start does. */
    private void shouldEndWhereTheOthersHaveDeletedTheRestOfTheLog(final int lost)
    {
        try (LoggedLines lines = new LoggedLines("io.escapement.cluster");
            TestNode behind = launch(lost, LedgerRoom::new))
        {
            Tests.await(() -> !behind.engine().isAlive(), "the end of a node that cannot catch up");
            assertFalse(behind.engine().isLeader());
            assertTrue(lines.has("the next start fills it"), "a line that names the remedy");
            behind.closeAfterFaults();
        }
    }

    private void shouldCountWhoLeads()
    {
        Tests.await(() ->
        {
            final TestNode leader = awaitLeader();
            return nodes.stream().allMatch((node) -> node.count("elections") > 0 &&
                node.count("bytes committed") > 0 && node.count("leads") == (node == leader ? 1 : 0) &&
                node.count("nanoseconds since the last snapshot or the start") > 0);
        }, "the counters of all nodes");
    }

    private void shouldCountHowFarItIsBehind(final int member)
    {
        Tests.await(() ->
        {
            final TestNode leader = awaitLeader();
            for (int i = 0; i < NODES; i++)
            {
                final long bytes = leader.count("bytes that member " + i + " is behind the leader");
                if (i == member ? bytes <= 0 : bytes > 64 * 1_024)
                {
                    return false;
                }
            }
            return true;
        }, "the leader to count how far the stopped one is behind");
    }

    private void shouldRefuseRoomsWhileItFollows()
    {
        Tests.await(() ->
        {
            final TestNode leader = awaitLeader();
            final TestNode follower = nodes.get((nodes.indexOf(leader) + 1) % NODES);
            try
            {
                follower.engine().openRoom(LedgerRoom.TYPE);
                return false;
            }
            catch (final IllegalStateException ex)
            {
                return ex.getMessage().contains("member " + nodes.indexOf(leader) + " leads");
            }
        }, "a follower to refuse a room and name the leader");
    }

    @Test
    void shouldStopANodeThatComputesOtherBytes()
    {
        nodes.add(launch(0, LedgerRoom::new));
        nodes.add(launch(1, LedgerRoom::new));
        nodes.add(launch(2, OtherRoom::new));
        Tests.await(() ->
        {
            final TestNode leader = awaitLeader();
            if (2 == nodes.indexOf(leader))
            {
                // It has to follow, to be the one that differs.
                leader.close();
                nodes.set(2, null);
                awaitLeader();
                nodes.set(2, launch(2, OtherRoom::new));
                return false;
            }
            final RoomHandle room = leader.ledger();
            if (null != room)
            {
                client.send(room);
            }
            return !nodes.get(2).engine().isAlive();
        }, "the node that differs to stop");
        final TestNode other = nodes.get(2);
        Tests.await(() -> !other.errors().isEmpty(), "its fault");
        assertTrue(other.errors().get(0).getMessage().contains("hash"), () -> other.errors().toString());
        other.errors().clear();
        send(NUMBERS);
    }

    /** Send until this many more are acknowledged. Numbers that are under way when the leader changes may be lost. */
    private void send(final int numbers)
    {
        for (int acknowledged = 0; acknowledged < numbers;)
        {
            final TestNode leader = awaitLeader();
            final RoomHandle room = leader.ledger();
            if (null != room)
            {
                client.send(room);
                final long sent = client.sent();
                Tests.await(() -> client.acknowledged() == sent || !leader.isLeader(), "number " + sent);
                acknowledged += client.acknowledged() == sent ? 1 : 0;
            }
        }
    }

    /** More than a file of the log. */
    private void sendLong()
    {
        final TestNode leader = awaitLeader();
        Tests.await(() -> null != leader.ledger(), "the room");
        for (int i = 0; i < LONG_NUMBERS; i++)
        {
            client.sendLong(leader.ledger());
        }
        final long sent = client.sent();
        Tests.await(() -> client.acknowledged() == sent, "number " + sent);
    }

    private void report()
    {
        final long before = client.reports();
        while (before == client.reports())
        {
            final TestNode leader = awaitLeader();
            final RoomHandle room = leader.ledger();
            if (null != room)
            {
                client.askForReport(room);
                Tests.await(() -> client.reports() > before || !leader.isLeader(), "a report");
            }
        }
    }

    /** The seat that the player had under the last leader is his again, and he has done nothing for it. */
    private void play()
    {
        final long target = player.acknowledged() + NUMBERS;
        Tests.await(() ->
        {
            player.poll();
            return player.acknowledged() >= target;
        }, "answers to the player");
        assertEquals(0, player.violations());
    }

    private TestNode awaitLeader()
    {
        final TestNode[] found = new TestNode[1];
        Tests.await(() ->
        {
            for (final TestNode node : nodes)
            {
                found[0] = null != node && node.isLeader() ? node : found[0];
            }
            return null != found[0];
        }, "a leader");
        return found[0];
    }

    private TestNode launch(final int member, final Supplier<RoomLogic> logic)
    {
        final RoomType type = RoomType.of(LedgerRoom.TYPE, "ledger", 1, logic)
            .seats(8).timers(4).requests(1_024).graceNs(TimeUnit.MINUTES.toNanos(5));
        keyFile = null == keyFile ? TestNode.writeKey(directory) : keyFile;
        return new TestNode(TestNode.options(directory, members, member), TestNode.Game.of(type, 1, client),
            Durability.SNAPSHOT_INTERVAL_NS_DEFAULT,
            new TestNode.Edge(endpoints.get(member), DriverDirectory.temporary(), keyFile));
    }

    /** Acknowledges something else. */
    private static final class OtherRoom extends LedgerRoom
    {
        @Override
        void acknowledge(final long number)
        {
            super.acknowledge(number + 1_000_000);
        }
    }
}
