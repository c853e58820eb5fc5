package io.escapement.rooms;

import io.escapement.codecs.room.DirectoryChange;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.rooms.bench.BenchSeat;
import io.escapement.rooms.bench.RoomBench;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The bench's answers to the requests of rooms, and its count of allocations. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class RoomBenchTest
{
    private static final int FRAMES = 1_000;

    @Test
    void shouldAnswerRequestsAndPublishTheDirectory()
    {
        final RoomBench bench = RoomBench.of(lobby(), table()).service(7, (key, request) -> new byte[]{1, 2, 3});
        final BenchSeat ann = bench.join(1);
        ann.send("go");
        bench.runFor(1_000_000);

        final String received = String.join(" ", ann.texts());
        for (final String news : List.of("OPENED:2", "LABEL:2", "OCCUPANCY:2", "reply:0:8", "reply:0:3",
            "reply:" + RefusalCode.UNKNOWN_ROOM.value() + ":0", "reply:" + RefusalCode.UNKNOWN_SERVICE.value() + ":0"))
        {
            assertTrue(received.contains(news), "no " + news + " in " + received);
        }
        final UnsafeBuffer none = new UnsafeBuffer(new byte[0]);
        assertEquals(0, bench.join(2, 9, none, 0, 0).index(), "the reserved seat");
        assertEquals(List.of(RefusalCode.NOT_RESERVED.value()), List.copyOf(bench.join(2, 10, none, 0, 0).refusals()));
        assertEquals(List.of(), bench.failures());
        bench.replayAndCompare();
    }

    @Test
    void shouldCountAllocationsOfTheLogic()
    {
        final RoomBench clean = RoomBench.of(RoomType.of(1, "clean", 1, () -> new Framed(0))).step(2 * FRAMES);
        assertTrue(clean.allocatedBytesOverLast(FRAMES) < 16 * FRAMES, "clean: " +
            clean.allocatedBytesOverLast(FRAMES));
        final RoomBench wasteful = RoomBench.of(RoomType.of(1, "wasteful", 1, () -> new Framed(64))).step(2 * FRAMES);
        assertTrue(wasteful.allocatedBytesOverLast(FRAMES) >= 64 * FRAMES, "wasteful: " +
            wasteful.allocatedBytesOverLast(FRAMES));
    }

    private static RoomType lobby()
    {
        return RoomType.of(1, "lobby", 1, Lobby::new);
    }

    private static RoomType table()
    {
        return RoomType.of(2, "table", 1, Table::new).admission(RoomType.Admission.BY_RESERVATION);
    }

    private static final class Lobby implements RoomLogic
    {
        private Room room;

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            room = opened;
            room.subscribeToDirectory();
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            room.openRoom(2, buffer, offset, length);
            room.async(7, 1, buffer, offset, length);
            room.async(8, 1, buffer, offset, length);
            room.signal(999, buffer, offset, length);
        }

        @Override
        public void onReply(
            final long id, final int status, final DirectBuffer buffer, final int offset, final int length)
        {
            send("reply:" + status + ":" + length);
            if (1 == id)
            {
                final long table = buffer.getLong(offset);
                room.reserve(table, 9, 60_000_000_000L);
                room.signal(table, buffer, offset, length);
            }
        }

        @Override
        public void onDirectory(final DirectoryEntry entry)
        {
            if (DirectoryChange.LABEL == entry.change())
            {
                assertEquals("red", entry.valueBuffer().getStringWithoutLengthAscii(
                    entry.valueOffset(), entry.valueLength()));
            }
            send(entry.change() + ":" + entry.roomId());
        }

        private void send(final String text)
        {
            final byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
            room.sendEvent(room.everyone(), new UnsafeBuffer(bytes), 0, bytes.length);
        }
    }

    private static final class Table implements RoomLogic
    {
        private final UnsafeBuffer value = new UnsafeBuffer(new byte[]{'r', 'e', 'd'});
        private Room room;

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            room = opened;
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            room.sendEvent(room.everyone(), buffer, offset, length);
        }

        @Override
        public void onSignal(final long fromRoomId, final DirectBuffer buffer, final int offset, final int length)
        {
            room.label(3, value, 0, 3);
        }
    }

    private static final class Framed implements RoomLogic
    {
        private final int waste;
        private byte[] last;

        Framed(final int waste)
        {
            this.waste = waste;
        }

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            opened.frameRate(60);
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            throw new IllegalStateException("no player sends here: " + last.length);
        }

        @Override
        public void onFrame(final long frame, final long elapsedNs)
        {
            if (waste > 0)
            {
                last = new byte[waste];
            }
        }
    }
}
