package io.escapement.cluster;

import io.escapement.engine.EngineOperator;
import io.escapement.rooms.RoomType;
import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.Tests;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Rooms of a cluster are reloaded only when every node has the version. May take 4 s. */
@RealTime("elections of three nodes, in real time")
class ClusterReloadTest
{
    private static final int NODES = 3;

    @TempDir
    Path directory;

    private final String members = TestNode.members(NODES);
    private final LedgerClient client = new LedgerClient();
    private final List<TestNode> nodes = new ArrayList<>();

    @AfterEach
    void close()
    {
        CloseHelper.closeAll(nodes);
    }

    @Test
    void shouldNameTheMemberThatLacksAVersion() throws Exception
    {
        for (int i = 0; i < NODES; i++)
        {
            nodes.add(new TestNode(
                TestNode.options(directory, members, i), TestNode.Game.of(type(1), 1, client)));
        }
        final TestNode leader = leader();
        Tests.await(() -> null != leader.ledger(), "the room");
        client.send(leader.ledger());
        Tests.await(() -> 1 == client.acknowledged(), "a number");

        final int lacking = (nodes.indexOf(leader) + 1) % NODES;
        for (int i = 0; i < NODES; i++)
        {
            if (i != lacking)
            {
                nodes.get(i).engine().operator().register(type(2));
            }
        }
        final String refusal = "version 2 of room type " + LedgerRoom.TYPE + " is not on member " + lacking +
            ", or it does not run: start it with the version, or register it there";
        Tests.await(() -> refusal.equals(refusal(leader)), refusal);

        nodes.get(lacking).engine().operator().register(type(2));
        Tests.await(() -> "".equals(refusal(leader)), "the leader to reload");
        final EngineOperator.Reload result = leader.engine().operator().reload(LedgerRoom.TYPE, 1, 2)
            .get(20, TimeUnit.SECONDS);
        assertEquals(0, result.refused(), result::toString);
        client.send(leader.ledger());
        Tests.await(() -> 2 == client.acknowledged(), "a number after the reload");
        Tests.await(() -> nodes.stream().anyMatch((node) -> node.log().snapshot()), "a snapshot to begin");
        Tests.await(() -> !leader.snapshots().isEmpty() && nodes.stream().allMatch((node) ->
            node.snapshots().equals(leader.snapshots())), "the same versions of rooms on all nodes");
        assertTrue(nodes.stream().allMatch((node) -> node.engine().isAlive()));
        assertEquals(0, client.violations());
    }

    /** Why the leader does not reload, or nothing if it has begun. */
    private static String refusal(final TestNode leader)
    {
        try
        {
            leader.engine().operator().reload(LedgerRoom.TYPE, 1, 2);
            return "";
        }
        catch (final IllegalStateException ex)
        {
            return ex.getMessage();
        }
    }

    private TestNode leader()
    {
        final TestNode[] found = new TestNode[1];
        Tests.await(() ->
        {
            nodes.stream().filter(TestNode::isLeader).forEach((node) -> found[0] = node);
            return null != found[0];
        }, "a leader");
        return found[0];
    }

    private static RoomType type(final int version)
    {
        return RoomType.of(LedgerRoom.TYPE, "ledger", version, LedgerRoom::new)
            .seats(8).timers(4).requests(1_024).graceNs(TimeUnit.MINUTES.toNanos(5));
    }
}
