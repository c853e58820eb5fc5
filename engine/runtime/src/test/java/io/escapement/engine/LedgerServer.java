package io.escapement.engine;

import io.escapement.codecs.TrunkMessages;
import io.escapement.engine.ledger.EffectsTable;
import io.escapement.engine.ledger.HistoryRoom;
import io.escapement.engine.spi.AsyncService;
import io.escapement.engine.trunks.TrunkServerContext;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.StateWriter;
import io.escapement.testsupport.RealTime;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.agrona.concurrent.UnsafeBuffer;

/** An engine with ledger rooms on a journal, for a process that is killed, and its service with a table of effects. */
@RealTime("a process that is killed")
final class LedgerServer
{
    /** First line, before the journal is recovered. */
    static final String STARTING = "starting";
    /** Then the ids of the rooms. */
    static final String READY = "ready ";
    static final String DRAINING = "draining";
    static final String FAILED = "failed ";
    /** Then the report that the log of a loop has no room, which a busy machine may cause too. */
    static final String BLOCKED = "blocked ";
    /** Command, with the milliseconds that rooms have: drain the engine and close it. */
    static final String DRAIN = "drain ";
    /** Command: close the engine and exit. */
    static final String EXIT = "exit";
    static final int ROOMS = 4;
    static final int LOOPS = 2;
    /** As often as disks allow, so that most kills find rooms that were restored from one. */
    static final long SNAPSHOT_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(60);
    private static final int TAIL_LENGTH = 128 * 1_024;
    /** As short as can be, so that kills find segments that begin. */
    private static final int SEGMENT_LENGTH = 2 * TAIL_LENGTH;

    private LedgerServer()
    {
    }

    /**
     * Runs until the process is killed: {directory, level, ingress, response, directory of the media driver, interval
     * of snapshots in nanoseconds}.
     */
    public static void main(final String[] args) throws IOException
    {
        System.out.println(STARTING);
        final Path directory = Path.of(args[0]);
        final Marks marks = new Marks(directory);
        final EngineContext context = context(directory, Durability.Level.valueOf(args[1]), () -> new MarkedRoom(marks),
            new Effects(directory.resolve("effects")), Long.parseLong(args[5]))
            .driverContext(TestTrunk.driverContext().aeronDirectoryName(args[4]));
        final TestEngine engine = new TestEngine(context, ThreadingMode.SOLO, args[2], args[3]);
        System.out.println(READY + openRooms(engine.engine()).stream().map(String::valueOf)
            .collect(Collectors.joining(" ")));
        final Thread commands = new Thread(() -> obey(engine), "commands");
        commands.setDaemon(true);
        commands.start();
        while (commands.isAlive())
        {
            join(commands);
            while (!engine.errors().isEmpty())
            {
                final Throwable error = engine.errors().remove(0);
                final boolean isBlocked = error.getMessage().contains("has had no room for turns");
                System.out.println((isBlocked ? BLOCKED : FAILED) + error + ", by " + error.getCause());
                error.printStackTrace(System.out);
            }
        }
    }

    private static void join(final Thread thread)
    {
        try
        {
            thread.join(1);
        }
        catch (final InterruptedException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    private static void obey(final TestEngine engine)
    {
        try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII)))
        {
            final String command = in.readLine();
            if (null != command && command.startsWith(DRAIN))
            {
                System.out.println(DRAINING);
                engine.engine().drain(TimeUnit.MILLISECONDS.toNanos(Long.parseLong(command.substring(DRAIN.length()))));
            }
        }
        catch (final IOException ex)
        {
            throw new IllegalStateException(ex);
        }
        engine.close();
    }

    static EngineContext context(
        final Path directory,
        final Durability.Level level,
        final Supplier<RoomLogic> rooms,
        final Effects effects,
        final long snapshotIntervalNs)
    {
        return new EngineContext().loops(LOOPS).roomType(HistoryRoom.type(rooms))
            .service(HistoryRoom.SERVICE, "effects", 1, () -> effects)
            .trunks(new TrunkServerContext().tokenKeyFile(directory.resolve("keys"))
                .keepaliveNs(TimeUnit.MILLISECONDS.toNanos(200)).graceNs(TimeUnit.MINUTES.toNanos(2)))
            .durability(Durability.journal(directory.resolve("journal")).acknowledge(level)
                .tailLength(TAIL_LENGTH).segmentLength(SEGMENT_LENGTH).bytesUnderWay(TAIL_LENGTH / 2)
                .tailDirectory(directory).snapshotIntervalNs(snapshotIntervalNs));
    }

    /**
     * Each room sends signals to the one of its loop or the other loop that was opened before it. A kill may have left
     * some unopened.
     */
    static List<Long> openRooms(final Engine engine)
    {
        final List<RoomHandle> open = engine.recoveredRooms(HistoryRoom.TYPE);
        final UnsafeBuffer partner = new UnsafeBuffer(new byte[Long.BYTES]);
        final List<Long> ids = new ArrayList<>(open.stream().map(RoomHandle::roomId).toList());
        while (ids.size() < ROOMS)
        {
            final int before = ids.size() - (ids.size() < 2 ? 1 : LOOPS);
            partner.putLong(0, before < 0 ? 0 : ids.get(before));
            ids.add(engine.openRoom(HistoryRoom.TYPE, partner, 0, Long.BYTES).roomId());
        }
        return ids;
    }

    /** Counts of the rooms that were written to snapshots, by loop, in a mapped file that another process polls. */
    static final class Marks
    {
        private final UnsafeBuffer counts;

        Marks(final Path directory) throws IOException
        {
            try (FileChannel channel = FileChannel.open(directory.resolve("marks"),
                StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE))
            {
                counts = new UnsafeBuffer(channel.map(FileChannel.MapMode.READ_WRITE, 0, LOOPS * Long.BYTES));
            }
        }

        long count(final int loop)
        {
            return counts.getLongVolatile(loop * Long.BYTES);
        }

        void add(final int loop)
        {
            counts.putLongRelease(loop * Long.BYTES, count(loop) + 1);
        }
    }

    private static final class MarkedRoom extends HistoryRoom
    {
        private final Marks marks;

        MarkedRoom(final Marks marks)
        {
            this.marks = marks;
        }

        @Override
        public void onSnapshot(final StateWriter writer)
        {
            marks.add(TrunkMessages.loopOf(roomId()));
            super.onSnapshot(writer);
        }
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
