package io.escapement.cluster;

import io.aeron.driver.MediaDriver;
import io.escapement.driver.DriverDirectory;
import io.escapement.engine.Durability;
import io.escapement.engine.Engine;
import io.escapement.engine.EngineContext;
import io.escapement.engine.RoomHandle;
import io.escapement.engine.ThreadingMode;
import io.escapement.engine.TrunkServerContext;
import io.escapement.engine.monitor.Stall;
import io.escapement.engine.spi.AsyncService;
import io.escapement.rooms.RoomType;
import io.escapement.testsupport.Tests;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** An engine as a node of a cluster on the loopback interface, with a small log and all agents parked. */
final class TestNode implements AutoCloseable
{
    static final byte[] SECRET = "a secret that the tests share".getBytes(StandardCharsets.US_ASCII);

    private static final int TERM_LENGTH = 256 * 1_024;

    /** Endpoints of the trunks, and the directory of their driver. */
    record Edge(String ingress, String response, String driverDirectory)
    {
        static Edge free()
        {
            return new Edge(freeEndpoint(), freeEndpoint(), DriverDirectory.temporary());
        }
    }

    private final Edge edge;
    private final List<ChecksummedLog.Snapshot> snapshots = new CopyOnWriteArrayList<>();
    private final List<Throwable> errors = new CopyOnWriteArrayList<>();
    private final ClusterLog log;
    private final Engine engine;
    private RoomHandle opened;

    TestNode(final ClusterOptions options, final RoomType type, final int loops, final AsyncService service)
    {
        this(options, type, loops, service, Durability.SNAPSHOT_INTERVAL_NS_DEFAULT, Edge.free());
    }

    TestNode(
        final ClusterOptions options,
        final RoomType type,
        final int loops,
        final AsyncService service,
        final long snapshotIntervalNs,
        final Edge edge)
    {
        this.edge = edge;
        log = new ClusterLog(options);
        engine = Engine.launch(new EngineContext()
            .threadingMode(ThreadingMode.SOLO)
            .loops(loops)
            .roomType(type)
            .service(LedgerRoom.SERVICE, "ledger", 1, () -> service)
            .trunks(new TrunkServerContext().udp(edge.ingress, edge.response).secret(SECRET, true))
            .driverContext(driverContext(edge.driverDirectory))
            .durability(Durability.replicated(new ChecksummedLog(log, snapshots::add))
                .snapshotIntervalNs(snapshotIntervalNs))
            .errorHandler(this::onError));
    }

    /** A driver that its user invokes. */
    static MediaDriver.Context driverContext(final String directory)
    {
        return new MediaDriver.Context()
            .aeronDirectoryName(directory)
            .threadingMode(io.aeron.driver.ThreadingMode.INVOKER)
            .termBufferSparseFile(true)
            .publicationTermBufferLength(64 * 1_024)
            .dirDeleteOnStart(true)
            .dirDeleteOnShutdown(true);
    }

    /** Options of a small node. */
    static ClusterOptions options(final Path directory, final String members, final int memberId)
    {
        return new ClusterOptions().members(members).memberId(memberId).directory(directory.resolve("node" + memberId))
            .termLength(TERM_LENGTH).segmentLength(TERM_LENGTH);
    }

    /** Members on free ports, far enough apart for all ports of a member. */
    static String members(final int count)
    {
        final StringBuilder text = new StringBuilder();
        int port = 0;
        for (int i = 0; i < count; i++)
        {
            final int last = port;
            while (Math.abs(port - last) < ClusterOptions.PORTS_PER_MEMBER ||
                port > 65_535 - ClusterOptions.PORTS_PER_MEMBER)
            {
                port = Tests.freePort();
            }
            text.append(0 == i ? "" : ",").append("127.0.0.1:").append(port);
        }
        return text.toString();
    }

    static String freeEndpoint()
    {
        return "127.0.0.1:" + Tests.freePort();
    }

    /** Connect a player to this node. */
    void connect(final LedgerPlayer player, final long roomId)
    {
        player.connect(edge.ingress, edge.response, roomId);
    }

    Engine engine()
    {
        return engine;
    }

    ClusterLog log()
    {
        return log;
    }

    /** Snapshots that it has taken. */
    List<ChecksummedLog.Snapshot> snapshots()
    {
        return snapshots;
    }

    List<Throwable> errors()
    {
        return errors;
    }

    /** The first room that is open; opened here if there was none when the node began to lead. Null if it follows. */
    synchronized RoomHandle ledger()
    {
        try
        {
            final List<RoomHandle> rooms = engine.recoveredRooms(LedgerRoom.TYPE);
            if (!engine.isLeader())
            {
                opened = null;
            }
            else if (!rooms.isEmpty())
            {
                return rooms.get(0);
            }
            else if (null == opened)
            {
                opened = engine.openRoom(LedgerRoom.TYPE);
            }
        }
        catch (final IllegalStateException ex)
        {
            // It follows since.
            opened = null;
        }
        return opened;
    }

    boolean isLeader()
    {
        return engine.isLeader();
    }

    void awaitLeader()
    {
        Tests.await(TimeUnit.SECONDS.toNanos(20), this::isLeader, "the node to lead");
    }

    @Override
    public void close()
    {
        engine.close();
        assertEquals(List.of(), errors);
    }

    private void onError(final Throwable ex)
    {
        // Stalls depend on the load of the machine.
        if (!(ex instanceof Stall))
        {
            errors.add(ex);
        }
    }
}
