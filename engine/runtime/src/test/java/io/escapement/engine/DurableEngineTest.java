package io.escapement.engine;

import io.escapement.client.ClientSeat;
import io.escapement.client.SendStatus;
import io.escapement.config.ConfigException;
import io.escapement.engine.spi.AsyncService;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Rooms that outlive their engine, by its journal. */
class DurableEngineTest
{
    private static final int TAIL_LENGTH = 2 * 1_024 * 1_024;
    private static final int SEGMENT_LENGTH = 2 * TAIL_LENGTH;

    @TempDir
    Path directory;

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[8]);
    private final Effects effects = new Effects();

    @Test
    void shouldOpenARoomOnceHoweverOftenItIsAskedTo()
    {
        try (TestEngine engine = engine())
        {
            final long roomId = engine.engine().openRoomOnce(LedgerRoom.TYPE).roomId();
            assertEquals(roomId, engine.engine().openRoomOnce(LedgerRoom.TYPE).roomId());
            assertNotEquals(roomId, engine.engine().openRoom(LedgerRoom.TYPE).roomId());
        }
    }

    @Test
    void shouldKeepRoomsAndSeatsWhenTheEngineIsClosed() throws IOException
    {
        final long roomId;
        final int seatIndex;
        final long trunkId;
        try (TestEngine engine = engine())
        {
            roomId = engine.engine().openRoomOnce(LedgerRoom.TYPE).roomId();
            try (TestTrunk trunk = TestTrunk.over(engine))
            {
                seatIndex = join(engine, trunk, roomId).index();
                trunkId = trunk.client().ticket().trunkId();
                for (int i = 0; i < 5; i++)
                {
                    send(engine, trunk);
                }
            }
            assertEquals(List.of(), engine.errors());
        }
        final Durability journal = Durability.journal(directory.resolve("journal"));
        final List<String> replay = journal.replay(context());
        assertEquals(2, replay.size());
        assertTrue(replay.stream().anyMatch((line) -> line.contains(": the same: ") && line.contains(", 1 rooms open")),
            () -> "" + replay);
        assertEquals(replay, Durability.journal(copy("journal", "restored")).replay(context()),
            "a copy in another directory has the same hashes");
        final String refusal = assertThrows(EngineException.class, () -> journal.replay(
            new EngineContext().roomType(RoomType.of(LedgerRoom.TYPE + 7, "other", 1, LedgerRoom::new)))).getMessage();
        assertTrue(refusal.startsWith("loop 0: the log needs "), refusal);
        try (TestEngine engine = engine())
        {
            final List<RoomHandle> rooms = engine.engine().recoveredRooms(LedgerRoom.TYPE);
            assertEquals(List.of(roomId), rooms.stream().map(RoomHandle::roomId).toList());
            assertEquals(roomId, engine.engine().openRoomOnce(LedgerRoom.TYPE).roomId());
            try (TestTrunk trunk = TestTrunk.over(engine))
            {
                final ClientSeat seat = join(engine, trunk, roomId);
                assertEquals(seatIndex, seat.index(), "the player's own seat");
                assertTrue(trunk.client().ticket().trunkId() > trunkId + 1_000_000, "ids of trunks do not repeat");
                send(engine, trunk);
                assertTrue(rooms.get(0).signal(report(), 0, 8));
                engine.await("the report", trunk, () -> 6 == effects.count.get());
                assertTrue(engine.engine().openRoom(LedgerRoom.TYPE).roomId() > roomId);
            }
            assertEquals(List.of(), engine.errors());
        }
    }

    @Test
    void shouldCloseTheRoomsWhenTheEngineIsDrained()
    {
        final long roomId;
        try (TestEngine engine = engine())
        {
            roomId = engine.engine().openRoom(LedgerRoom.TYPE).roomId();
            engine.turn();
            final DrainReport report = engine.engine().drain(TimeUnit.SECONDS.toNanos(10));
            assertTrue(report.isClean(), report.toString());
        }
        try (TestEngine engine = engine())
        {
            assertEquals(List.of(), engine.engine().recoveredRooms(LedgerRoom.TYPE));
            assertTrue(engine.engine().openRoom(LedgerRoom.TYPE).roomId() > roomId, "ids of rooms do not repeat");
            assertEquals(List.of(), engine.errors());
        }
    }

    @Test
    void shouldRefuseWhatAJournalCannotKeep()
    {
        final EngineContext recording = context().recordTo(directory.resolve("log"));
        assertTrue(assertThrows(ConfigException.class, recording::conclude).getMessage().contains("recordTo"));
        final EngineContext ephemeral = context()
            .roomType(RoomType.of(2, "passing", 1, LedgerRoom::new).ephemeral());
        assertTrue(assertThrows(ConfigException.class, ephemeral::conclude).getMessage().contains("durability"));
    }

    /** The callback would return this time, so only the record of its failure says that the room failed. */
    @Test
    void shouldFailARoomAgainWhoseStackOverflowed()
    {
        final AtomicBoolean isOverflowing = new AtomicBoolean(true);
        final RoomType deep = RoomType.of(LedgerRoom.TYPE + 1, "deep", 1, () -> new DeepRoom(isOverflowing));
        final long second;
        try (TestEngine engine = new TestEngine(context().roomType(deep)))
        {
            final RoomHandle first = engine.engine().openRoom(deep.id());
            second = engine.engine().openRoom(deep.id()).roomId();
            assertTrue(first.signal(report(), 0, 8));
            engine.await("the failure", () -> !engine.errors().isEmpty());
            engine.errors().clear();
            engine.turn();
        }
        isOverflowing.set(false);
        final List<String> replay = Durability.journal(directory.resolve("journal"))
            .replay(context().roomType(deep));
        assertEquals(1, replay.stream().filter((line) -> line.contains(", 1 rooms open")).count(), replay::toString);
        try (TestEngine engine = new TestEngine(context().roomType(deep)))
        {
            assertEquals(List.of(second),
                engine.engine().recoveredRooms(deep.id()).stream().map(RoomHandle::roomId).toList());
            assertEquals(List.of(), engine.errors());
        }
    }

    /** As a backup does. */
    private Path copy(final String from, final String to) throws IOException
    {
        final Path target = Files.createDirectory(directory.resolve(to));
        try (Stream<Path> files = Files.list(directory.resolve(from)))
        {
            for (final Path file : files.toList())
            {
                Files.copy(file, target.resolve(file.getFileName()));
            }
        }
        return target;
    }

    private ClientSeat join(final TestEngine engine, final TestTrunk trunk, final long roomId)
    {
        engine.await("a seat is requested", trunk, () -> SendStatus.SENT ==
            trunk.client().join(1, roomId, 42, TestTrunk.NO_TOKEN, message, 0, 0));
        engine.await("a seat", trunk, () -> !trunk.joined.isEmpty());
        return trunk.joined.get(0);
    }

    private void send(final TestEngine engine, final TestTrunk trunk)
    {
        final long before = trunk.events;
        engine.await("a message is sent", trunk, () -> SendStatus.SENT ==
            trunk.client().send(trunk.joined.get(0), message, 0, 8));
        engine.await("its answer", trunk, () -> trunk.events == before + 1);
    }

    private UnsafeBuffer report()
    {
        message.putLong(0, LedgerRoom.REPORT);
        return message;
    }

    private TestEngine engine()
    {
        return new TestEngine(context());
    }

    private EngineContext context()
    {
        return context(directory, Durability.Level.RECORDED, effects);
    }

    static EngineContext context(final Path directory, final Durability.Level level, final Effects effects)
    {
        return new EngineContext().roomType(LedgerRoom.type()).loops(2)
            .service(LedgerRoom.SERVICE, "effects", 1, () -> effects)
            .durability(Durability.journal(directory.resolve("journal")).acknowledge(level)
                .tailLength(TAIL_LENGTH).segmentLength(SEGMENT_LENGTH).tailDirectory(directory));
    }

    /** Overflows the stack at a signal, while the test says so. */
    private record DeepRoom(AtomicBoolean isOverflowing) implements RoomLogic
    {
        @Override
        public void onOpen(final Room room, final DirectBuffer args, final int offset, final int length)
        {
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
        }

        @Override
        public void onSignal(final long from, final DirectBuffer buffer, final int offset, final int length)
        {
            if (isOverflowing.get())
            {
                throw new StackOverflowError("planted");
            }
        }

        @Override
        public void onSnapshot(final StateWriter writer)
        {
        }

        @Override
        public void onRestore(final Room room, final int version, final StateReader reader)
        {
        }
    }

    /** The service of the rooms: acknowledges numbers and takes reports. */
    static class Effects implements AsyncService
    {
        final AtomicLong count = new AtomicLong();
        final AtomicLong violations = new AtomicLong();
        final AtomicLong reports = new AtomicLong();

        @Override
        public int onRequest(final Request request)
        {
            final long number = request.buffer().getLong(request.offset());
            if (LedgerRoom.REPORT == number)
            {
                count.set(request.buffer().getLong(request.offset() + 8));
                violations.set(request.buffer().getLong(request.offset() + 16));
                reports.incrementAndGet();
            }
            else
            {
                onNumber(number);
            }
            return 0;
        }

        void onNumber(final long number)
        {
            // Requests of the last incarnation are issued again.
        }
    }
}
