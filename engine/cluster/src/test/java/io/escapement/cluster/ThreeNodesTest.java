package io.escapement.cluster;

import io.escapement.driver.DriverDirectory;
import io.escapement.engine.Durability;
import io.escapement.engine.RoomHandle;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.testsupport.Tests;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** A cluster of three nodes in this process. These tests may take 4 s, in full 60 s. */
@Timeout(180)
class ThreeNodesTest
{
    private static final int NODES = 3;
    private static final int NUMBERS = 30;
    /** How often the leader is stopped. */
    private static final int HAND_OVERS = Tests.isFull() ? 20 : 1;

    @TempDir
    Path directory;

    private final String members = TestNode.members(NODES);
    private final LedgerClient client = new LedgerClient();
    private final List<TestNode> nodes = new ArrayList<>();
    private final List<TestNode.Endpoints> endpoints =
        Stream.generate(TestNode.Endpoints::free).limit(NODES).toList();
    private Path keyFile;
    private LedgerPlayer player;

    @AfterEach
    void close()
    {
        CloseHelper.closeAll(nodes);
        CloseHelper.close(player);
    }

    @Test
    void shouldLoseNothingThatWasAcknowledgedWhenTheLeaderStops()
    {
        player = new LedgerPlayer(new EventLog(), endpoints);
        for (int i = 0; i < NODES; i++)
        {
            nodes.add(launch(i, LedgerRoom::new));
        }
        send(NUMBERS);
        final long playersRoom = awaitLeader().engine().openRoom(LedgerRoom.TYPE).roomId();
        player.join(playersRoom);
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
        assumeTrue(Tests.isFull(), "the full tests; ReplicaLoopAgentTest has the same without Aeron");
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
        Tests.await(TimeUnit.SECONDS.toNanos(30), () ->
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
        return new TestNode(TestNode.options(directory, members, member), type, 1, client,
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
