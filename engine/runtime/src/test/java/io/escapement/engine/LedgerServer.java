package io.escapement.engine;

import io.escapement.engine.ledger.EffectsTable;
import io.escapement.engine.ledger.HistoryRoom;
import io.escapement.engine.spi.AsyncService;
import io.escapement.rooms.RoomLogic;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.agrona.concurrent.UnsafeBuffer;

/** An engine with ledger rooms on a journal, for a process that is killed, and its service with a table of effects. */
final class LedgerServer
{
    /** Then the ids of the rooms. */
    static final String READY = "ready ";
    static final String FAILED = "failed ";
    static final int ROOMS = 4;
    private static final int TAIL_LENGTH = 64 * 1_024;
    /** As short as can be, so that kills find segments that begin. */
    private static final int SEGMENT_LENGTH = 2 * TAIL_LENGTH;

    private LedgerServer()
    {
    }

    /** Runs until the process is killed: {directory, level, ingress, response, directory of the media driver}. */
    public static void main(final String[] args)
    {
        final EngineContext context = context(Path.of(args[0]), Durability.Level.valueOf(args[1]),
            HistoryRoom::new, new Effects(Path.of(args[0]).resolve("effects")))
            .driverContext(TestTrunk.driverContext().aeronDirectoryName(args[4]));
        final TestEngine engine = new TestEngine(context, ThreadingMode.SOLO, args[2], args[3]);
        System.out.println(READY + openRooms(engine.engine()));
        while (engine.errors().isEmpty())
        {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
        System.out.println(FAILED + engine.errors());
        engine.errors().get(0).printStackTrace(System.out);
    }

    static EngineContext context(
        final Path directory, final Durability.Level level, final Supplier<RoomLogic> rooms, final Effects effects)
    {
        return new EngineContext().loops(2).roomType(HistoryRoom.type(rooms))
            .service(HistoryRoom.SERVICE, "effects", 1, () -> effects)
            .trunks(new TrunkServerContext().tokenKeyFile(directory.resolve("keys"))
                .keepaliveNs(TimeUnit.MILLISECONDS.toNanos(200)).graceNs(TimeUnit.MINUTES.toNanos(2)))
            .durability(Durability.journal(directory.resolve("journal")).acknowledge(level)
                .tailLength(TAIL_LENGTH).segmentLength(SEGMENT_LENGTH).bytesUnderWay(TAIL_LENGTH / 2)
                .tailDirectory(directory));
    }

    /** Each room sends signals to the one that was opened before it. A kill may have left some unopened. */
    private static String openRooms(final Engine engine)
    {
        final List<RoomHandle> open = engine.recoveredRooms(HistoryRoom.TYPE);
        final UnsafeBuffer partner = new UnsafeBuffer(new byte[Long.BYTES]);
        final List<Long> ids = new ArrayList<>(open.stream().map(RoomHandle::roomId).toList());
        while (ids.size() < ROOMS)
        {
            partner.putLong(0, ids.isEmpty() ? 0 : ids.get(ids.size() - 1));
            ids.add(engine.openRoom(HistoryRoom.TYPE, partner, 0, Long.BYTES).roomId());
        }
        return ids.stream().map(String::valueOf).collect(Collectors.joining(" "));
    }

    /** Does each request once. */
    static final class Effects implements AsyncService
    {
        private final EffectsTable table;

        Effects(final Path file)
        {
            table = new EffectsTable(file);
        }

        @Override
        public int onRequest(final Request request)
        {
            table.add(request.buffer().getLong(request.offset()),
                request.buffer().getLong(request.offset() + Long.BYTES));
            return 0;
        }

        /** Requests that were done, each {@code "room/position"}. */
        Set<String> done()
        {
            return table.done();
        }
    }
}
