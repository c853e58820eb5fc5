package io.escapement.cluster;

import io.aeron.driver.MediaDriver;
import io.escapement.driver.DriverDirectory;
import io.escapement.engine.Durability;
import io.escapement.engine.Engine;
import io.escapement.engine.EngineContext;
import io.escapement.engine.RoomHandle;
import io.escapement.engine.ThreadingMode;
import io.escapement.engine.ledger.EffectsTable;
import io.escapement.engine.ledger.HistoryRoom;
import io.escapement.engine.monitor.Stall;
import io.escapement.engine.spi.AsyncService;
import io.escapement.engine.trunks.TrunkServerContext;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.testsupport.Tests;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** An engine as a node of a cluster on the loopback interface, with a small log and all agents parked. */
final class TestNode implements AutoCloseable
{
    static final byte[] SECRET = "a secret that the tests share".getBytes(StandardCharsets.US_ASCII);

    private static final int TERM_LENGTH = 256 * 1_024;

    /** The rooms, loops and service of a node's engine. */
    record Game(RoomType type, int loops, int serviceId, AsyncService service)
    {
        /** A room type and a service of {@link LedgerRoom}. */
        static Game of(final RoomType type, final int loops, final AsyncService service)
        {
            return new Game(type, loops, LedgerRoom.SERVICE, service);
        }

        /** Rooms for the checker of histories. */
        static Game ledger(final Supplier<RoomLogic> rooms, final EffectsTable effects, final int loops)
        {
            return new Game(HistoryRoom.type(rooms), loops, HistoryRoom.SERVICE, (request) ->
            {
                effects.add(request.buffer().getLong(request.offset()),
                    request.buffer().getLong(request.offset() + Long.BYTES));
                return 0;
            });
        }
    }

    /** Where a node has trunks. */
    record Endpoints(String ingress, String response)
    {
        static Endpoints free()
        {
            return new Endpoints("127.0.0.1:" + Tests.freePort(), "127.0.0.1:" + Tests.freePort());
        }
    }

    /** Endpoints of the trunks, the directory of their driver, and the keys of their tokens or null. */
    record Edge(Endpoints endpoints, String driverDirectory, Path keyFile)
    {
        static Edge free()
        {
            return new Edge(Endpoints.free(), DriverDirectory.temporary(), null);
        }
    }

    private final List<ChecksummedLog.Snapshot> snapshots = new CopyOnWriteArrayList<>();
    private final List<Throwable> errors = new CopyOnWriteArrayList<>();
    private final int members;
    private final ClusterLog log;
    private final Engine engine;
    private RoomHandle opened;

    TestNode(final ClusterOptions options, final Game game)
    {
        this(options, game, Durability.SNAPSHOT_INTERVAL_NS_DEFAULT, Edge.free());
    }

    TestNode(final ClusterOptions options, final Game game, final long snapshotIntervalNs, final Edge edge)
    {
        this(options, game, snapshotIntervalNs, edge, (node) -> { });
    }

    TestNode(
        final ClusterOptions options,
        final Game game,
        final long snapshotIntervalNs,
        final Edge edge,
        final Consumer<TestNode> faultHook)
    {
        members = options.memberCount();
        log = new ClusterLog(options);
        engine = Engine.launch(new EngineContext()
            .threadingMode(ThreadingMode.SOLO)
            .loops(game.loops)
            .roomType(game.type)
            .service(game.serviceId, "ledger", 1, game::service)
            .trunks(new TrunkServerContext().udp(edge.endpoints.ingress, edge.endpoints.response)
                .secret(SECRET, true).tokenKeyFile(edge.keyFile))
            .driverContext(driverContext(edge.driverDirectory))
            .durability(Durability.replicated(new ChecksummedLog(log, snapshots::add))
                .snapshotIntervalNs(snapshotIntervalNs))
            .faultHook(() -> faultHook.accept(this))
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

    /** Members on free ports, each with all ports of a member. */
    static String members(final int count)
    {
        return Stream.generate(() -> "127.0.0.1:" + Tests.freePorts(ClusterOptions.PORTS_PER_MEMBER))
            .limit(count).collect(Collectors.joining(","));
    }

    /** Write a file with a key for the tokens of trunks, the same for all nodes. */
    static Path writeKey(final Path directory)
    {
        return Tests.writeSecret(directory.resolve("keys"), "k".repeat(32));
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

    int members()
    {
        return members;
    }

    /** A counter of the log. */
    long count(final String label)
    {
        return engine.counter("escapement log: " + label);
    }

    boolean isLeader()
    {
        return engine.isLeader();
    }

    void awaitLeader()
    {
        Tests.await(this::isLeader,
            () -> "the node to lead: " + log.status() + " " + errors);
    }

    /** Close a node that was expected to stop, and may report more until it is closed. */
    void closeAfterFaults()
    {
        engine.close();
        errors.clear();
    }

    @Override
    public void close()
    {
        engine.close();
        assertEquals(List.of(), errors);
    }

    private void onError(final Throwable ex)
    {
        // Stalls depend on the load of the machine, and so does how long the log has no room.
        if (!(ex instanceof Stall) && !String.valueOf(ex.getMessage()).contains("has had no room for turns"))
        {
            errors.add(ex);
        }
    }
}
