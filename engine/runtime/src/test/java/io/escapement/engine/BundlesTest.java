package io.escapement.engine;

import io.escapement.client.ClientSeat;
import io.escapement.client.SendStatus;
import io.escapement.config.ConfigException;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import io.escapement.rooms.bench.RoomBench;
import io.escapement.rooms.log.LogFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.CachedNanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A room that fails leaves a file which fails as the room did. */
class BundlesTest
{
    private static final int TYPE = 1;
    private static final int OTHER = 2;
    private static final int SECRET = 7;
    private static final int TAIL_LENGTH = 2 * 1_024 * 1_024;
    private static final long STEP_NS = TimeUnit.MILLISECONDS.toNanos(500);

    @TempDir
    Path directory;

    private final CachedNanoClock clock = new CachedNanoClock();
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[32]);

    @Test
    void shouldFailInATestAsTheRoomDid() throws IOException
    {
        final Path bundle;
        final FileTime written;
        try (TestEngine engine = new TestEngine(context()))
        {
            final RoomHandle room = engine.engine().openRoom(TYPE);
            final RoomHandle neighbour = engine.engine().openRoom(TYPE);
            for (int i = 1; i <= 200; i++)
            {
                signal(engine, room, i);
                signal(engine, neighbour, -2 * i);
                pass(engine, 1);
            }
            engine.await("a snapshot", () -> engine.engine().counter("escapement loop 0: snapshots") > 0);
            signal(engine, room, Sum.DEBT);
            engine.await("a bundle", () -> 1 == bundles().size());
            bundle = bundles().get(0);
            assertTrue(bundle.getFileName().toString().matches(
                "room-" + room.roomId() + "-turn-\\d+-\\d{8}-\\d{6}\\.bundle"), bundle::toString);
            assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(bundle)));
            final Throwable failure = engine.errors().remove(0).getCause();
            assertEquals("the sum of 20100 and a debt", failure.getMessage());
            final IllegalStateException thrown = assertThrows(IllegalStateException.class,
                () -> RoomBench.of(LogFile.open(bundle), type(TYPE), type(OTHER)));
            assertEquals(failure.getMessage(), thrown.getMessage());
            assertEquals(Sum.class.getName(), thrown.getStackTrace()[0].getClassName());
            written = Files.getLastModifiedTime(bundle);
        }
        // The next engine runs the turn of the failure from its journal.
        try (TestEngine engine = new TestEngine(context()))
        {
            pass(engine, 10);
            final RoomHandle room = engine.engine().recoveredRooms(TYPE).get(0);
            final CompletableFuture<Path> asked = engine.engine().operator().bundle(room.roomId());
            engine.await("another bundle", asked::isDone);
            assertEquals(Stream.of(bundle, asked.join()).sorted().toList(), bundles());
            assertEquals(written, Files.getLastModifiedTime(bundle));
        }
    }

    @Test
    void shouldContinueInATestWhatAnOperatorAskedFor() throws Exception
    {
        try (TestEngine engine = new TestEngine(context()))
        {
            final RoomHandle room = engine.engine().openRoom(TYPE);
            signal(engine, room, 5);
            signal(engine, room, 6);
            final EngineOperator operator = engine.engine().operator();
            final CompletableFuture<Path> asked = operator.bundle(room.roomId());
            engine.await("a bundle", asked::isDone);
            final RoomBench bench = RoomBench.of(LogFile.open(asked.get()), type(TYPE), type(OTHER));
            assertEquals(engine.engine().host(0).stateHash(room.roomId()), bench.host().stateHash(room.roomId()));
            for (final long unknown : new long[]{room.roomId() + 9, 0, -1, Long.MAX_VALUE})
            {
                final CompletableFuture<Path> refused = operator.bundle(unknown);
                engine.await("a refusal", refused::isDone);
                final String refusal =
                    assertThrows(ExecutionException.class, refused::get).getCause().getMessage();
                assertTrue(refusal.startsWith("no bundle of room " + unknown + " in "), refusal);
            }
        }
        assertEquals(1, bundles().size());
    }

    @Test
    void shouldWriteOneOfATypeInAMinute() throws IOException
    {
        try (TestEngine engine = new TestEngine(context()))
        {
            final RoomHandle first = engine.engine().openRoom(TYPE);
            final RoomHandle second = engine.engine().openRoom(TYPE);
            final RoomHandle other = engine.engine().openRoom(OTHER);
            final RoomHandle third = engine.engine().openRoom(TYPE);
            signal(engine, first, Sum.DEBT);
            signal(engine, second, Sum.DEBT);
            signal(engine, other, Sum.DEBT);
            engine.await("one of each type", () -> 2 == bundles().size());
            pass(engine, 120);
            signal(engine, third, Sum.DEBT);
            engine.await("one of the next minute", () -> 3 == bundles().size());
            for (final RoomHandle room : List.of(first, other, third))
            {
                assertTrue(bundles().stream().anyMatch((file) -> file.getFileName().toString()
                    .startsWith("room-" + room.roomId() + "-")), () -> room.roomId() + " of " + bundles());
            }
            engine.errors().clear();
        }
    }

    @Test
    void shouldWriteSixtyInAnHour() throws IOException
    {
        try (TestEngine engine = new TestEngine(context()))
        {
            final int more = 5;
            for (int i = 0; i < Bundles.FILES_AN_HOUR / 2 + more; i++)
            {
                final int before = bundles().size();
                final RoomHandle room = engine.engine().openRoom(TYPE);
                final RoomHandle other = engine.engine().openRoom(OTHER);
                signal(engine, room, Sum.DEBT);
                signal(engine, other, Sum.DEBT);
                if (i < Bundles.FILES_AN_HOUR / 2)
                {
                    engine.await("bundles", () -> before + 2 == bundles().size());
                }
                pass(engine, 120);
            }
            pass(engine, 120 * 30);
            final RoomHandle last = engine.engine().openRoom(TYPE);
            signal(engine, last, Sum.DEBT);
            engine.await("a bundle of the next hour", () -> bundles().stream().anyMatch((file) ->
                file.getFileName().toString().startsWith("room-" + last.roomId() + "-")));
            assertEquals(Bundles.FILES_AN_HOUR + 1, bundles().size());
            engine.errors().clear();
        }
    }

    @Test
    void shouldReportADirectoryThatIsGoneOnce() throws IOException
    {
        try (TestEngine engine = new TestEngine(context()))
        {
            final RoomHandle room = engine.engine().openRoom(TYPE);
            final RoomHandle other = engine.engine().openRoom(OTHER);
            final RoomHandle third = engine.engine().openRoom(TYPE);
            Files.delete(directory.resolve("bundles"));
            signal(engine, room, Sum.DEBT);
            engine.await("a fault", () -> 2 == engine.errors().size());
            final String fault = engine.errors().get(1).getMessage();
            assertTrue(fault.startsWith("no bundle of room " + room.roomId() + " in "), fault);
            // The same as a disk that is full: an error of the file system.
            Files.createFile(directory.resolve("bundles"));
            signal(engine, other, Sum.DEBT);
            pass(engine, 120);
            final CompletableFuture<Path> asked = engine.engine().operator().bundle(third.roomId());
            engine.await("the same for the operator", asked::isDone);
            assertTrue(asked.isCompletedExceptionally());
            assertEquals(3, engine.errors().size(), () -> engine.errors().toString());
            assertTrue(engine.engine().isAlive());
            // Another directory there, and a failure is a fault once more.
            Files.delete(directory.resolve("bundles"));
            Files.createDirectory(directory.resolve("bundles"));
            signal(engine, third, Sum.DEBT);
            engine.await("a bundle", () -> 1 == bundles().size());
            engine.errors().clear();
        }
    }

    @Test
    void shouldHideMessages() throws Exception
    {
        try (TestEngine engine = new TestEngine(context().hideInBundles(99, SECRET));
            TestTrunk trunk = TestTrunk.over(engine))
        {
            final RoomHandle room = engine.engine().openRoom(TYPE);
            final ClientSeat seat = trunk.join(engine, room.roomId(), 42);
            message.putShort(2, (short)SECRET);
            message.putStringWithoutLengthAscii(8, "swordfish");
            engine.await("a message is sent", trunk,
                () -> SendStatus.SENT == trunk.client().send(seat, message, 0, 32));
            message.putShort(2, (short)(SECRET + 1));
            message.putStringWithoutLengthAscii(8, "halibut..");
            engine.await("a message is sent", trunk,
                () -> SendStatus.SENT == trunk.client().send(seat, message, 0, 32));
            engine.await("both", trunk, () -> 2 == trunk.events);
            final CompletableFuture<Path> asked = engine.engine().operator().bundle(room.roomId());
            engine.await("a bundle", trunk, asked::isDone);
            final String bundle = Files.readString(asked.get(), StandardCharsets.ISO_8859_1);
            assertTrue(bundle.contains("halibut"));
            assertFalse(bundle.contains("swordfish"));
            assertTrue(LogFile.open(asked.get()).isHashed());
        }
    }

    @Test
    void shouldRefuseWithoutALog()
    {
        try (TestEngine engine = new TestEngine(new EngineContext().roomType(type(TYPE)).loops(1)))
        {
            final String refusal = assertThrows(ExecutionException.class,
                () -> engine.engine().operator().bundle(1).get()).getCause().getMessage();
            assertTrue(refusal.startsWith(EngineOperator.NO_LOG + ": "), refusal);
        }
        final EngineContext context = new EngineContext().roomType(type(TYPE)).bundles(directory);
        final String refusal = assertThrows(ConfigException.class, context::conclude).getMessage();
        assertEquals("bundles: " + directory +
            ": needs a journal, whose snapshots a bundle begins with: set durability, or remove it", refusal);
    }

    /** Let time pass. */
    private void pass(final TestEngine engine, final int steps)
    {
        for (int i = 0; i < steps; i++)
        {
            clock.advance(STEP_NS);
            engine.turn();
        }
    }

    private void signal(final TestEngine engine, final RoomHandle room, final long value)
    {
        message.putLong(0, value);
        assertTrue(room.signal(message, 0, Long.BYTES));
        engine.turn();
    }

    private List<Path> bundles()
    {
        try (Stream<Path> files = Files.list(directory.resolve("bundles")))
        {
            return files.filter((file) -> file.toString().endsWith(".bundle")).sorted().toList();
        }
        catch (final IOException ex)
        {
            return List.of();
        }
    }

    private EngineContext context()
    {
        return new EngineContext().roomType(type(TYPE)).roomType(type(OTHER)).loops(1).clock(clock)
            .bundles(directory.resolve("bundles"))
            .durability(Durability.journal(directory.resolve("journal")).tailLength(TAIL_LENGTH)
                .segmentLength(2 * TAIL_LENGTH).tailDirectory(directory)
                .snapshotIntervalNs(TimeUnit.SECONDS.toNanos(15)));
    }

    private static RoomType type(final int id)
    {
        return RoomType.of(id, "sum-" + id, 1, Sum::new).seats(4).outputLimit(1_024);
    }

    /** Adds numbers, and throws at a debt. */
    private static final class Sum implements RoomLogic
    {
        static final long DEBT = Long.MIN_VALUE;

        private long sum;
        private Room room;

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            room = opened;
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            room.sendEvent(from, buffer, offset, Long.BYTES);
        }

        @Override
        public void onSignal(final long from, final DirectBuffer buffer, final int offset, final int length)
        {
            final long value = buffer.getLong(offset);
            if (DEBT == value)
            {
                throw new IllegalStateException("the sum of " + sum + " and a debt");
            }
            sum += value;
        }

        @Override
        public void onSnapshot(final StateWriter writer)
        {
            writer.putLong(sum);
        }

        @Override
        public void onRestore(final Room restored, final int version, final StateReader reader)
        {
            room = restored;
            sum = reader.getLong();
        }
    }
}
