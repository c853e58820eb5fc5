package io.escapement.engine;

import io.escapement.client.ClientSeat;
import io.escapement.client.SendStatus;
import io.escapement.client.TrunkContext;
import io.escapement.client.TrunkListener;
import io.escapement.codecs.TrunkMessages;
import io.escapement.config.ConfigException;
import io.escapement.config.internal.PrivateFiles;
import io.escapement.engine.trunks.TrunkServerContext;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.agrona.DirectBuffer;
import org.agrona.IoUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A client whose engine ended and started again on the journal, with and without a file of keys. */
class ResumeAfterRestartTest
{
    private static final int TYPE = 3;
    private static final long PLAYER = 42;
    private static final int TAIL_LENGTH = 128 * 1_024;
    private static final int SEGMENT_LENGTH = 256 * 1_024;
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);

    @TempDir
    Path directory;

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[8]);
    /** The numbers that the room had run when it ran each message, as it answered. */
    private final List<Long> answers = new ArrayList<>();
    private final List<Long> accepted = new ArrayList<>();

    @ParameterizedTest
    @EnumSource(value = Durability.Level.class, names = {"RECORDED", "SYNCED"})
    void shouldRunEachMessageOnceAlthoughTheEngineWasKilled(final Durability.Level level) throws IOException
    {
        Files.createDirectory(directory.resolve("a"));
        final TestEngine first = new TestEngine(context(directory.resolve("a"), level, keyFile()));
        final long roomId = first.engine().openRoom(TYPE).roomId();
        try (TestHost host = new TestHost();
            TestTrunk trunk = TestTrunk.on(host, reconnecting(first)).forwardTo(new Noting()))
        {
            final ClientSeat seat = joined(first, host, trunk, roomId);
            final long trunkId = trunk.client().trunkId();
            for (int i = 1; i <= 20; i++)
            {
                send(trunk, seat, i);
            }
            first.await("answers", () -> host.poll() + trunk.poll(), () -> 20 == answers.size());
            first.await("Accepted", () -> host.poll() + trunk.poll(), () -> 20 == seat.acceptedSequence());
            // The engine takes these, or does not: that is what a kill leaves open.
            for (int i = 21; i <= 30; i++)
            {
                send(trunk, seat, i);
            }
            trunk.client().flush();
            first.turn();
            copy(directory.resolve("a"), directory.resolve("b"));
            // The client is not polled until the next start: the copy may lack turns that run from here on.
            final int acknowledged = answers.size();
            first.close();
            // The copy takes the place of the original, to which its tail belongs.
            IoUtil.delete(directory.resolve("a").toFile(), false);
            Files.move(directory.resolve("b"), directory.resolve("a"));
            final TestEngine second = new TestEngine(context(directory.resolve("a"), level, keyFile()),
                ThreadingMode.INVOKER, first.ingress(), first.response());
            try
            {
                second.await("a resumed trunk", () -> host.poll() + trunk.poll(), () -> trunk.isResumed);
                assertEquals(trunkId, trunk.client().trunkId());
                assertTrue(acknowledged >= 20);
                // The seat may be resumed before the client has read that its stream is attached.
                second.await("the seat", () -> host.poll() + trunk.poll(), () -> trySend(trunk, seat, 31));
                for (int i = 32; i <= 40; i++)
                {
                    send(trunk, seat, i);
                }
                second.await("Accepted", () -> host.poll() + trunk.poll(), () -> 40 == seat.acceptedSequence());
                assertEquals(1, trunk.joined.size(), "no second join");
                assertEquals(List.of(), trunk.refusals);
                answers.clear();
                send(trunk, seat, 41);
                second.await("the last answer", () -> host.poll() + trunk.poll(), () -> 1 == answers.size());
                assertEquals(List.of(41L), answers, "each of 41 messages ran once, in order");
                // Loop 1 did not know the trunk.
                final long otherId = second.engine().openRoom(TYPE).roomId();
                assertNotEquals(TrunkMessages.loopOf(roomId), TrunkMessages.loopOf(otherId));
                second.await("another request", () -> host.poll() + trunk.poll(), () -> trunk.tryJoin(otherId, 43));
                second.await("another seat", () -> host.poll() + trunk.poll(), () -> 2 == trunk.joined.size());
                assertEquals(accepted.stream().sorted().distinct().toList(), accepted, "Accepted goes up");
            }
            finally
            {
                second.close();
            }
        }
    }

    @Test
    void shouldMakeANewTrunkWithoutKeys() throws IOException
    {
        final TestEngine first = new TestEngine(context(directory, Durability.Level.RECORDED, null));
        final long roomId = first.engine().openRoom(TYPE).roomId();
        try (TestHost host = new TestHost();
            TestTrunk trunk = TestTrunk.on(host, reconnecting(first)).forwardTo(new Noting()))
        {
            final ClientSeat seat = joined(first, host, trunk, roomId);
            final long trunkId = trunk.client().trunkId();
            send(trunk, seat, 1);
            first.await("an answer", () -> host.poll() + trunk.poll(), () -> 1 == answers.size());
            first.close();
            try (TestEngine second = new TestEngine(context(directory, Durability.Level.RECORDED, null),
                ThreadingMode.INVOKER, first.ingress(), first.response()))
            {
                second.await("the loss of the connection", () -> host.poll() + trunk.poll(), () -> !seat.isPresent());
                // The client joins again by itself, and gets the seat.
                second.await("the seat", () -> host.poll() + trunk.poll(), () -> trySend(trunk, seat, 2));
                assertFalse(trunk.isResumed);
                assertTrue(trunk.client().trunkId() > trunkId);
                second.await("an answer", () -> host.poll() + trunk.poll(), () -> 2 == answers.size());
                assertEquals(List.of(1L, 2L), answers);
            }
        }
    }

    @Test
    void shouldNameTheOptionOfAFileThatCannotBeUsed() throws IOException
    {
        final Path file = directory.resolve("keys");
        assertTrue(refusal(file).startsWith("trunks.tokenKeyFile: " + file + ": cannot be read"), refusal(file));
        Files.writeString(file, "short\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        assertTrue(refusal(file).contains("shorter than 32 bytes"), refusal(file));
        Files.writeString(file, " \n");
        assertTrue(refusal(file).contains("has 0 keys"), refusal(file));
        final String key = "0123456789abcdef0123456789abcdef\n";
        Files.writeString(file, key + key + key);
        assertTrue(refusal(file).contains("has 3 keys"), refusal(file));
        Files.writeString(file, key);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        assertTrue(refusal(file).contains("others may use it: chmod go-rwx "), refusal(file));
    }

    private String refusal(final Path file)
    {
        final EngineContext context = context(directory, Durability.Level.RECORDED, file);
        context.trunks().secret(TestTrunk.SECRET, true).ipc(true);
        return assertThrows(ConfigException.class, context::conclude).getMessage();
    }

    private ClientSeat joined(
        final TestEngine engine, final TestHost host, final TestTrunk trunk, final long roomId)
    {
        engine.await("a request", () -> host.poll() + trunk.poll(), () -> trunk.tryJoin(roomId, PLAYER));
        engine.await("a seat", () -> host.poll() + trunk.poll(), () -> !trunk.joined.isEmpty());
        return trunk.joined.get(0);
    }

    private void send(final TestTrunk trunk, final ClientSeat seat, final long number)
    {
        assertTrue(trySend(trunk, seat, number));
        assertEquals(number, seat.sequence());
    }

    private boolean trySend(final TestTrunk trunk, final ClientSeat seat, final long number)
    {
        message.putLong(0, number);
        return SendStatus.SENT == trunk.client().send(seat, message, 0, 8);
    }

    private static TrunkContext reconnecting(final TestEngine engine)
    {
        return TestTrunk.context(engine).reconnect(20 * MS, 100 * MS).resendLength(64 * 1_024)
            .connectTimeoutNs(3_000 * MS);
    }

    private static EngineContext context(final Path directory, final Durability.Level level, final Path keyFile)
    {
        return new EngineContext().loops(2)
            .roomType(RoomType.of(TYPE, "counting", 1, CountingRoom::new).seats(4)
                .graceNs(TimeUnit.MINUTES.toNanos(5)))
            .trunks(new TrunkServerContext().tokenKeyFile(keyFile).keepaliveNs(100 * MS))
            .durability(Durability.journal(directory.resolve("journal")).acknowledge(level)
                .tailLength(TAIL_LENGTH).segmentLength(SEGMENT_LENGTH).bytesUnderWay(TAIL_LENGTH / 2)
                .tailDirectory(directory));
    }

    private Path keyFile() throws IOException
    {
        final Path file = directory.resolve("keys");
        if (!Files.exists(file))
        {
            Files.writeString(file, "the key of these tests, of 32 bytes or more\n");
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        }
        return file;
    }

    /** The files as a kill leaves them: the tail first, since what is written behind it is written again. */
    private static void copy(final Path from, final Path to) throws IOException
    {
        final List<Path> files;
        try (Stream<Path> all = Files.walk(from))
        {
            files = all.sorted((a, b) -> Boolean.compare(b.toString().contains("tail"), a.toString().contains("tail")))
                .toList();
        }
        for (final Path file : files)
        {
            final Path copy = to.resolve(from.relativize(file).toString());
            PrivateFiles.createDirectories("copy", copy.getParent());
            if (Files.isRegularFile(file))
            {
                Files.copy(file, copy);
            }
        }
    }

    private final class Noting implements TrunkListener
    {
        @Override
        public void onEvent(final ClientSeat seat, final DirectBuffer buffer, final int offset, final int length)
        {
            answers.add(buffer.getLong(offset));
        }

        @Override
        public void onAccepted(final ClientSeat seat)
        {
            accepted.add(seat.acceptedSequence());
        }
    }

    /** Answers each number by itself if it is one above the last, otherwise by -1 from then on. */
    static final class CountingRoom implements RoomLogic
    {
        private final UnsafeBuffer bytes = new UnsafeBuffer(new byte[8]);
        private Room room;
        private long count;

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            room = opened;
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            count = count >= 0 && buffer.getLong(offset) == count + 1 ? count + 1 : -1;
            bytes.putLong(0, count);
            room.sendEvent(from, bytes, 0, 8);
        }
    }
}
