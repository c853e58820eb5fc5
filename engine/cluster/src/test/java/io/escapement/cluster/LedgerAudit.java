package io.escapement.cluster;

import io.aeron.cluster.RecordingLog;
import io.escapement.driver.DriverDirectory;
import io.escapement.engine.Durability;
import io.escapement.engine.ledger.EffectsTable;
import io.escapement.engine.ledger.HistoryChecker;
import io.escapement.engine.ledger.HistoryRoom;
import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.Tests;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;
import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * Runs the logs of three nodes that have ended again, in nodes of this process, without the newest snapshot of each, so
 * that they pass places at which the others had taken one. When all that is under way has arrived, the ledgers of each
 * node have to agree with the histories of the clients.
 */
@RealTime("a helper of processes that are killed")
final class LedgerAudit
{
    private static final long SETTLE_NS = TimeUnit.MINUTES.toNanos(2);

    private final ProcessCluster cluster;
    private final String members;
    private final List<TestNode.Endpoints> endpoints;
    private final Path keyFile;
    private final EffectsTable effects;
    private final List<TestNode> nodes = new ArrayList<>();
    /** Of each node; a room that was restored replaces one that ran before. */
    private final List<Map<HistoryRoom, Boolean>> made = new ArrayList<>();
    private final int[] printed = new int[ProcessCluster.NODES];

    LedgerAudit(
        final ProcessCluster cluster,
        final String members,
        final List<TestNode.Endpoints> endpoints,
        final Path keyFile)
    {
        this.cluster = cluster;
        this.members = members;
        this.endpoints = endpoints;
        this.keyFile = keyFile;
        effects = new EffectsTable(cluster.directory().resolve("effects"));
    }

    void run()
    {
        try
        {
            for (int i = 0; i < ProcessCluster.NODES; i++)
            {
                dropNewestSnapshot(cluster.directory().resolve("node" + i).resolve("cluster"));
                nodes.add(launch(i));
            }
            Tests.await(() ->
            {
                cluster.clients.poll();
                return cluster.clients.isQuiet() && made.stream().allMatch(this::isSettled);
            }, () -> "all messages to be known and all nodes to have them: " + describe());
            Tests.await(() ->
            {
                cluster.clients.poll();
                return nodes.stream().anyMatch((node) -> node.log().snapshot());
            }, "a snapshot to begin");
            Tests.await(() -> nodes.stream().anyMatch(TestNode::isLeader), "a node to lead");
            final TestNode leader = nodes.stream().filter(TestNode::isLeader).findFirst().orElseThrow();
            Tests.await(() ->
            {
                cluster.clients.poll();
                return leader.log().snapshots() > 0 && nodes.stream().allMatch((node) ->
                    node.log().snapshots() > 0 && last(node).equals(last(leader)));
            }, "a last snapshot of all nodes, equal on each");
        }
        finally
        {
            CloseHelper.closeAll(nodes);
        }
        for (int i = 0; i < ProcessCluster.NODES; i++)
        {
            takeSnapshots(i);
            final Map<Long, HistoryRoom> roomByIdMap = new TreeMap<>();
            made.get(i).keySet().forEach((room) -> roomByIdMap.put(room.roomId(), room));
            assertEquals(NodeProcess.ROOMS, roomByIdMap.size(), "rooms of member " + i);
            assertEquals(List.of(), HistoryChecker.check(cluster.clients.history(), roomByIdMap, effects.done()),
                "the ledgers of member " + i);
        }
    }

    private TestNode launch(final int member)
    {
        final Map<HistoryRoom, Boolean> rooms = new ConcurrentHashMap<>();
        made.add(rooms);
        return new TestNode(TestNode.options(cluster.directory(), members, member), TestNode.Game.ledger(() ->
        {
            final HistoryRoom room = new HistoryRoom();
            rooms.put(room, true);
            return room;
        }, effects, NodeProcess.LOOPS), Durability.SNAPSHOT_INTERVAL_NS_DEFAULT,
            new TestNode.Edge(endpoints.get(member), DriverDirectory.temporary(), keyFile));
    }

    /** From the log's start it would take long, and the log may not begin there any more. */
    private static void dropNewestSnapshot(final Path clusterDirectory)
    {
        try (RecordingLog log = new RecordingLog(clusterDirectory.toFile(), false))
        {
            log.invalidateLatestSnapshot();
        }
    }

    private boolean isSettled(final Map<HistoryRoom, Boolean> rooms)
    {
        long messages = 0;
        long sent = 0;
        long arrived = 0;
        for (final HistoryRoom room : rooms.keySet())
        {
            if (0 != room.openRequests())
            {
                return false;
            }
            messages += room.messages();
            sent += room.signalsSent();
            for (final HistoryRoom from : rooms.keySet())
            {
                arrived += room.lastSignal(from.roomId());
            }
        }
        return messages == cluster.clients.history().size() && sent == arrived;
    }

    private String describe()
    {
        final StringBuilder text = new StringBuilder("known ").append(cluster.clients.known()).append(" of ")
            .append(cluster.clients.history().size());
        for (int i = 0; i < made.size(); i++)
        {
            text.append("; member ").append(i).append(' ').append(nodes.get(i).log().status());
            made.get(i).keySet().forEach((room) -> text.append(", room ").append(room.roomId()).append(": ")
                .append(room.messages()).append(" messages, ").append(room.openRequests()).append(" open requests"));
        }
        return text.toString();
    }

    private static List<ChecksummedLog.Snapshot> last(final TestNode node)
    {
        final List<ChecksummedLog.Snapshot> taken = node.snapshots();
        return taken.subList(Math.max(0, taken.size() - NodeProcess.LOOPS), taken.size());
    }

    private void takeSnapshots(final int member)
    {
        final List<ChecksummedLog.Snapshot> taken = nodes.get(member).snapshots();
        for (; printed[member] < taken.size(); printed[member]++)
        {
            cluster.onSnapshot(member, taken.get(printed[member]).text());
        }
    }
}
