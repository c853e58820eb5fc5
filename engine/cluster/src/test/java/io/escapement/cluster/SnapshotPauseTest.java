package io.escapement.cluster;

import io.escapement.driver.DriverDirectory;
import io.escapement.engine.Durability;
import io.escapement.engine.Engine;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.Tests;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** How long a player waits when three nodes take a snapshot. In full these tests take 30 s, and print it. */
@RealTime("how long a snapshot pauses a loop")
class SnapshotPauseTest
{
    private static final int NODES = 3;
    private static final int ROOMS = 512;
    private static final int SNAPSHOTS = 15;
    /** The first take longer, since their code is not compiled yet. */
    private static final int WARM_UPS = 5;
    private static final int ANSWERS_BETWEEN = 20;
    private static final long LIMIT_MS = 5_000;

    @TempDir
    Path directory;

    private final List<TestNode> nodes = new ArrayList<>();
    private final List<TestNode.Endpoints> endpoints =
        Stream.generate(TestNode.Endpoints::free).limit(NODES).toList();
    private LedgerPlayer player;

    @AfterEach
    void close()
    {
        CloseHelper.closeAll(nodes);
        CloseHelper.close(player);
    }

    @ParameterizedTest
    @ValueSource(ints = {256, 8_192, 32_768})
    void shouldPauseForASnapshot(final int roomLength)
    {
        player = new LedgerPlayer(new EventLog(), endpoints);
        final String members = TestNode.members(NODES);
        final LedgerClient client = new LedgerClient();
        final RoomType type = RoomType.of(LedgerRoom.TYPE, "ballast", 1, () -> new BallastRoom(roomLength))
            .seats(8).timers(4).requests(64).graceNs(TimeUnit.MINUTES.toNanos(5));
        for (int i = 0; i < NODES; i++)
        {
            nodes.add(new TestNode(TestNode.options(directory, members, i).termLength(16 * 1_024 * 1_024)
                .segmentLength(16 * 1_024 * 1_024), TestNode.Game.of(type, 1, client),
                Durability.SNAPSHOT_INTERVAL_NS_DEFAULT,
                new TestNode.Edge(endpoints.get(i), DriverDirectory.temporary(), null)));
        }
        Tests.await(() -> nodes.stream().anyMatch(TestNode::isLeader), "a leader");
        final Engine engine = nodes.stream().filter(TestNode::isLeader).findFirst().orElseThrow().engine();
        final long roomId = engine.openRoom(LedgerRoom.TYPE).roomId();
        for (int i = 1; i < ROOMS; i++)
        {
            engine.openRoom(LedgerRoom.TYPE);
        }
        Tests.await(() -> ROOMS == engine.counter("escapement loop 0: rooms open"), "all rooms");
        player.join(roomId);
        play();
        final long[] without = new long[SNAPSHOTS];
        final long[] with = new long[SNAPSHOTS];
        for (int i = -WARM_UPS; i < SNAPSHOTS; i++)
        {
            player.takeLongestNs();
            play();
            final long withoutNs = player.takeLongestNs();
            final int taken = nodes.stream().mapToInt((node) -> node.snapshots().size()).max().orElseThrow();
            Tests.await(() ->
            {
                player.poll();
                // Another node may lead since the last one.
                return nodes.stream().anyMatch((node) -> node.log().snapshot());
            }, "a snapshot to begin");
            Tests.await(() ->
            {
                player.poll();
                return nodes.stream().allMatch((node) -> node.snapshots().size() > taken);
            }, "a snapshot of all nodes");
            play();
            if (i >= 0)
            {
                without[i] = TimeUnit.NANOSECONDS.toMillis(withoutNs);
                with[i] = TimeUnit.NANOSECONDS.toMillis(player.takeLongestNs());
            }
        }
        assertEquals(0, player.violations());
        Arrays.sort(without);
        Arrays.sort(with);
        System.out.println(ROOMS + " rooms of " + roomLength + " bytes: longest wait for an answer around a snapshot " +
            "p50 " + with[SNAPSHOTS / 2] + ", max " + with[SNAPSHOTS - 1] + " ms of " + SNAPSHOTS +
            "; between them p50 " + without[SNAPSHOTS / 2] + ", max " + without[SNAPSHOTS - 1] + " ms");
        assertTrue(with[SNAPSHOTS - 1] < LIMIT_MS);
    }

    private void play()
    {
        final long target = player.answers().getTotalCount() + ANSWERS_BETWEEN;
        Tests.await(() ->
        {
            player.poll();
            return player.answers().getTotalCount() >= target;
        }, "answers");
    }

    /** With a state of some length. */
    private static final class BallastRoom extends LedgerRoom
    {
        private final UnsafeBuffer ballast;

        BallastRoom(final int length)
        {
            ballast = new UnsafeBuffer(new byte[length]);
        }

        @Override
        public void onSnapshot(final StateWriter writer)
        {
            super.onSnapshot(writer);
            writer.putBytes(ballast, 0, ballast.capacity());
        }

        @Override
        public void onRestore(final Room restored, final int version, final StateReader reader)
        {
            super.onRestore(restored, version, reader);
            reader.getBytes(ballast, 0);
        }
    }
}
