package io.escapement.cluster;

import io.escapement.engine.Durability;
import io.escapement.engine.RoomHandle;
import io.escapement.engine.ledger.EffectsTable;
import io.escapement.engine.ledger.HistoryRoom;
import io.escapement.testsupport.RealTime;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A node with ledger rooms that prints its role, its place in the log, its snapshots and its pauses. Where it leads, it
 * opens the rooms that are missing. SIGTERM closes it in good order.
 */
@RealTime("a helper of processes that are killed")
final class NodeProcess
{
    /** Then the ids of the rooms. */
    static final String LEADING = "leading ";
    static final String FOLLOWING = "following ";
    /** Then how far the log is committed here and, of the leader, how far each member is behind, in bytes. */
    static final String PLACE = "place ";
    /** Then the loop, the last proposal before the snapshot, and its checksum. */
    static final String SNAPSHOT = "snapshot ";
    static final int LOOPS = 2;
    static final int ROOMS = 4;

    /** Twice as long a node may be down before its part of the log is gone, also on a busy machine. */
    private static final long SNAPSHOT_INTERVAL_NS = TimeUnit.SECONDS.toNanos(15);
    private static final long PARK_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long PLACE_NS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(200);

    /** How a node process is started. */
    record Options(
        Path directory,
        String members,
        int member,
        TestNode.Endpoints endpoints,
        Path memory,
        Path keyFile,
        Durability.Level level)
    {
        List<String> arguments()
        {
            return List.of(directory.toString(), members, Integer.toString(member), endpoints.ingress(),
                endpoints.response(), memory.toString(), keyFile.toString(), level.name());
        }

        static Options of(final String[] arguments)
        {
            return new Options(Path.of(arguments[0]), arguments[1], Integer.parseInt(arguments[2]),
                new TestNode.Endpoints(arguments[3], arguments[4]), Path.of(arguments[5]), Path.of(arguments[6]),
                Durability.Level.valueOf(arguments[7]));
        }
    }

    private final TestNode node;
    private final int member;
    private final List<Long> rooms = new ArrayList<>();
    private boolean isLeading;
    private boolean hasRooms;
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean isClosing;

    private NodeProcess(final TestNode node, final int member)
    {
        this.node = node;
        this.member = member;
    }

    public static void main(final String[] arguments)
    {
        final Options options = Options.of(arguments);
        final LossMatrix loss = new LossMatrix(options.directory.resolve("loss"));
        final EffectsTable effects = new EffectsTable(options.directory.resolve("effects"));
        final TestNode node = new TestNode(
            TestNode.options(options.directory, options.members, options.member).acknowledge(options.level)
                .driverDirectory(options.memory.resolve("cluster" + options.member))
                .driver((context) -> loss.install(context, options.member, options.member)),
            TestNode.Game.ledger(HistoryRoom::new, effects, LOOPS), SNAPSHOT_INTERVAL_NS,
            // A directory that a killed process has left cannot be used again for 10 s.
            new TestNode.Edge(options.endpoints,
                options.memory.resolve("trunks" + ProcessHandle.current().pid()).toString(), options.keyFile),
            NodeProcess::onFault);
        new NodeProcess(node, options.member).run();
    }

    private void run()
    {
        Runtime.getRuntime().addShutdownHook(new Thread(this::close));
        String status = "";
        int snapshots = 0;
        long nowNs = System.nanoTime();
        long placeNs = nowNs;
        while (!isClosing && node.engine().isAlive())
        {
            lead();
            final String last = status;
            status = node.log().status();
            if (!status.equals(last))
            {
                System.out.println(status);
            }
            for (; snapshots < node.snapshots().size(); snapshots++)
            {
                System.out.println(SNAPSHOT + node.snapshots().get(snapshots).text());
            }
            if (nowNs - placeNs >= 0)
            {
                placeNs = nowNs + PLACE_NS;
                printPlace();
            }
            LockSupport.parkNanos(PARK_NS);
            final long beforeNs = nowNs;
            nowNs = System.nanoTime();
            if (nowNs - beforeNs > PAUSE_NS)
            {
                System.out.println("stood still for " + TimeUnit.NANOSECONDS.toMillis(nowNs - beforeNs) + " ms");
            }
        }
        ended.countDown();
    }

    private static void onFault(final TestNode node)
    {
        System.out.println(FOLLOWING + "nobody: " + node.errors());
        Runtime.getRuntime().halt(1);
    }

    private void close()
    {
        isClosing = true;
        try
        {
            ended.await();
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
        node.engine().close();
    }

    private void lead()
    {
        if (!node.isLeader())
        {
            if (isLeading)
            {
                System.out.println(FOLLOWING + node.engine().leaderMemberId());
            }
            isLeading = false;
            hasRooms = false;
            return;
        }
        if (hasRooms)
        {
            return;
        }
        try
        {
            if (!isLeading)
            {
                rooms.clear();
                node.engine().recoveredRooms(HistoryRoom.TYPE).forEach((room) -> rooms.add(room.roomId()));
                isLeading = true;
            }
            // The last one may have been lost with a leader; one that is open is not.
            if (openRooms() < rooms.size())
            {
                return;
            }
            if (rooms.size() < ROOMS)
            {
                open();
                return;
            }
        }
        catch (final IllegalStateException ex)
        {
            // It follows since.
            isLeading = false;
            return;
        }
        hasRooms = true;
        System.out.println(LEADING + rooms.stream().map(String::valueOf).collect(Collectors.joining(" ")));
    }

    /** Each room sends signals to another one, of its loop or of another. */
    private void open()
    {
        final UnsafeBuffer partner = new UnsafeBuffer(new byte[Long.BYTES]);
        partner.putLong(0, rooms.isEmpty() ? 0 : rooms.get(rooms.size() - 1));
        final RoomHandle opened = node.engine().openRoom(HistoryRoom.TYPE, partner, 0, Long.BYTES);
        rooms.add(opened.roomId());
    }

    private long openRooms()
    {
        long open = 0;
        for (int i = 0; i < LOOPS; i++)
        {
            open += node.engine().counter("escapement loop " + i + ": rooms open");
        }
        return open;
    }

    private void printPlace()
    {
        final StringBuilder line = new StringBuilder(PLACE).append(node.count("bytes committed"));
        for (int i = 0; i < node.members() && node.isLeader(); i++)
        {
            line.append(' ').append(i == member ? 0 : node.count("bytes that member " + i + " is behind the leader"));
        }
        System.out.println(line);
    }
}
