package io.escapement.engine;

import io.escapement.engine.ledger.HistoryRoom;
import io.escapement.engine.spi.AsyncService;
import io.escapement.rooms.RoomLogic;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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
    public static void main(final String[] args) throws IOException
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

    /**
     * Does each request once, by its room and position. The table is a mapped file of {room, position, 1}, so a kill of
     * the process loses nothing of it.
     */
    static final class Effects implements AsyncService
    {
        private static final int ENTRY_LENGTH = 3 * Long.BYTES;
        private static final int TABLE_LENGTH = 64 * 1_024 * 1_024;

        private final UnsafeBuffer table;
        private final Set<String> done = ConcurrentHashMap.newKeySet();
        private int length;

        Effects(final Path file) throws IOException
        {
            try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE))
            {
                table = new UnsafeBuffer(channel.map(FileChannel.MapMode.READ_WRITE, 0, TABLE_LENGTH));
            }
            for (; 1 == table.getLong(length + 2 * Long.BYTES); length += ENTRY_LENGTH)
            {
                done.add(table.getLong(length) + "/" + table.getLong(length + Long.BYTES));
            }
        }

        @Override
        public int onRequest(final Request request)
        {
            final long roomId = request.buffer().getLong(request.offset());
            final long position = request.buffer().getLong(request.offset() + Long.BYTES);
            if (done.add(roomId + "/" + position))
            {
                table.putLong(length, roomId);
                table.putLong(length + Long.BYTES, position);
                table.putLongRelease(length + 2 * Long.BYTES, 1);
                length += ENTRY_LENGTH;
            }
            return 0;
        }

        /** Requests that were done, each {@code "room/position"}. */
        Set<String> done()
        {
            return done;
        }
    }
}
