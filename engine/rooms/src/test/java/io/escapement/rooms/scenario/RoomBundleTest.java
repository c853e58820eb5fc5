package io.escapement.rooms.scenario;

import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import io.escapement.rooms.bench.BenchSeat;
import io.escapement.rooms.bench.RoomBench;
import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.log.LogFile;
import io.escapement.rooms.log.LogHistory;
import io.escapement.rooms.output.ByteSink;
import io.escapement.rooms.replay.RoomPast;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The log of one room in one piece is a test of that room: it fails as the room failed. */
class RoomBundleTest
{
    private static final int MESSAGES = 2_000;
    private static final int MESSAGE_LENGTH = 64;
    /** A snapshot of a bench has its 16,384 links. */
    private static final int LIMIT = 400 * 1_024;
    private static final int SECRET = 7;

    @TempDir
    private Path directory;

    private final RoomBench live = RoomBench.of(type());
    private final BenchSeat player = live.join(5);
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[MESSAGE_LENGTH]);

    @Test
    void shouldThrowInATestWhatTheRoomThrew() throws IOException
    {
        play(MESSAGES);
        send(-1);
        final Throwable failure = live.failures().get(0);

        final Path bundle = write(past(), Integer.MAX_VALUE, false);
        final IllegalStateException thrown =
            assertThrows(IllegalStateException.class, () -> RoomBench.of(LogFile.open(bundle), type()));

        assertEquals(failure.getMessage(), thrown.getMessage());
        assertEquals(frames(failure), frames(thrown));
        assertTrue(frames(thrown).size() > 2, frames(thrown).toString());
    }

    @Test
    void shouldContinueARoomThatHasNotFailed() throws IOException
    {
        play(MESSAGES);
        live.step(3);
        final RoomBench bench = RoomBench.of(
            LogFile.open(write(past(), Integer.MAX_VALUE, false)), type());
        assertEquals(live.host().stateHash(live.roomId()), bench.host().stateHash(bench.roomId()));

        bench.step(2);
        assertEquals(1, bench.join(6).index());
        bench.replayAndCompare();
        live.step(2);
        live.join(6);
        assertEquals(live.host().stateHash(live.roomId()), bench.host().stateHash(bench.roomId()));
    }

    @Test
    void shouldBeginWithALaterStateInsteadOfBeingLong() throws IOException
    {
        play(MESSAGES);
        final Path whole = write(past(), Integer.MAX_VALUE, false);
        final Path bundle = write(past(), LIMIT, false);
        assertTrue(Files.size(whole) > LIMIT + 100_000, Files.size(whole) + " bytes");
        assertTrue(Files.size(bundle) <= LIMIT + 1_024, Files.size(bundle) + " bytes");
        assertTrue(LogFile.open(bundle).proposals() > 20, LogFile.open(bundle).proposals() + " turns");
        assertEquals(live.host().stateHash(live.roomId()),
            RoomBench.of(LogFile.open(bundle), type()).host().stateHash(live.roomId()));
    }

    @Test
    void shouldSayThatALogWithHashesCannotBeRun() throws IOException
    {
        play(3);
        final byte[] secret = new byte[MESSAGE_LENGTH];
        new UnsafeBuffer(secret).putShort(2, (short)SECRET);
        new UnsafeBuffer(secret).putStringWithoutLengthAscii(20, "swordfish");
        player.send(new UnsafeBuffer(secret), 0, secret.length);
        final Path open = write(past(), Integer.MAX_VALUE, false);
        final Path hashed = write(past(), Integer.MAX_VALUE, true);
        assertTrue(has(open, "swordfish"));
        assertTrue(!has(hashed, "swordfish"));
        assertTrue(LogFile.open(hashed).isHashed());
        final IllegalArgumentException refusal =
            assertThrows(IllegalArgumentException.class, () -> RoomBench.of(LogFile.open(hashed), type()));
        assertTrue(refusal.getMessage().contains("replaced by their hashes"), refusal.getMessage());
        assertThrows(IllegalArgumentException.class, () -> new RoomPast(
            LogHistory.of(LogFile.open(hashed)), live.roomId(), RoomBundleTest::context));
    }

    private void play(final int messages)
    {
        for (int i = 1; i <= messages; i++)
        {
            send(i);
        }
    }

    private void send(final long value)
    {
        message.putLong(8, value);
        player.send(message, 0, MESSAGE_LENGTH);
    }

    private RoomPast past()
    {
        final byte[] log = live.log();
        final RoomPast past = new RoomPast(LogHistory.of(
            LogFile.openUnfinished(new UnsafeBuffer(log), 0, log.length)), live.roomId(), RoomBundleTest::context);
        past.seekEnd();
        return past;
    }

    private Path write(final RoomPast past, final int limit, final boolean isHashed) throws IOException
    {
        final ByteSink sink = new ByteSink();
        past.write(sink, limit, isHashed ? new Zeros() : null);
        return Files.write(Files.createTempFile(directory, "room", ".bundle"), sink.toArray());
    }

    private static final class Zeros implements RoomPast.Hiding
    {
        @Override
        public boolean isHidden(final int templateId)
        {
            return SECRET == templateId;
        }

        @Override
        public void hide(final MutableDirectBuffer buffer, final int offset, final int length)
        {
            buffer.setMemory(offset, length, (byte)0);
        }
    }

    private static boolean has(final Path file, final String text) throws IOException
    {
        return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains(text);
    }

    /** Those of the room and of its host. */
    private static List<String> frames(final Throwable thrown)
    {
        return Stream.of(thrown.getStackTrace()).takeWhile((frame) -> !frame.getClassName().contains("ProposalRunner"))
            .map(StackTraceElement::toString).toList();
    }

    private static HostContext context()
    {
        return new HostContext().roomType(type());
    }

    private static RoomType type()
    {
        return RoomType.of(1, "sum", 1, Sum::new).seats(4).outputLimit(1_024);
    }

    private static final class Sum implements RoomLogic
    {
        private long sum;

        @Override
        public void onOpen(final Room room, final DirectBuffer args, final int offset, final int length)
        {
            room.frameRate(20);
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            add(buffer.getLong(offset + 8));
        }

        private void add(final long value)
        {
            if (value < 0)
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
        public void onRestore(final Room room, final int version, final StateReader reader)
        {
            sum = reader.getLong();
        }
    }
}
