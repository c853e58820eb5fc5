package io.escapement.rooms;

import io.escapement.codecs.room.DirectoryChange;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.rooms.bench.BenchSeat;
import io.escapement.rooms.bench.RoomBench;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The bench's answers to the requests of rooms, and its count of allocations. */
class RoomBenchTest
{
    private static final int FRAMES = 1_000;

    @Test
    void shouldReloadAllRoomsOfAType()
    {
        final RoomType older = RoomType.of(1, "kept", 1, () -> new Kept(1));
        final RoomType newer = RoomType.of(1, "kept", 2, () -> new Kept(2));
        final RoomType broken = RoomType.of(1, "kept", 3, () -> new Kept(3));
        final RoomBench bench = RoomBench.of(older, newer, broken);
        final long second = bench.open(older, new UnsafeBuffer(new byte[0]), 0, 0);
        assertEquals(0, bench.reload(newer));
        assertEquals(2, bench.host().versionOf(bench.roomId()));
        assertEquals(2, bench.host().versionOf(second));
        assertEquals(0, bench.reload(newer), "they have it");
        assertEquals(List.of(), bench.failures());
        assertEquals(RefusalCode.RELOAD_FAILED.value(), bench.reload(broken));
        assertEquals(2, bench.failures().size());
        assertEquals(2, bench.host().versionOf(second));
        bench.replayAndCompare();
    }

    /** Version 3 cannot be restored. */
    private record Kept(int version) implements RoomLogic
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
        public void onRestore(final Room room, final int from, final StateReader reader)
        {
            if (3 == version)
            {
                throw new IllegalStateException("planted");
            }
        }
    }

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
        assertTrue(wasteful.allocatedBytesOverLast(1) >= 64);
    }

    @Test
    void shouldCountAllocationsOfAnswersToRequests()
    {
        final Scripted logic = new Scripted();
        final RoomBench bench = RoomBench.of(RoomType.of(1, "scripted", 1, () -> logic))
            .service(7, (key, request) -> request);
        final UnsafeBuffer bytes = new UnsafeBuffer(new byte[8]);
        final byte[][] kept = new byte[1][];
        logic.onMessage = (room) -> room.frameRate(60);
        logic.onFrame = (room) -> room.async(7, 1, bytes, 0, 8);
        logic.onReply = (text) -> kept[0] = new byte[10_000];
        bench.join(1).send("go");
        bench.step(20).runFor(0);
        assertEquals(10_000, kept[0].length);
        // The answer to the request of the last frame counts too.
        assertTrue(bench.allocatedBytesOverLast(10) >= 100_000, "bytes: " + bench.allocatedBytesOverLast(10));
        bench.replayAndCompare();
    }

    @Test
    void shouldOpenTheFirstRoomWithArguments()
    {
        final List<String> opened = new ArrayList<>();
        final RoomType type = RoomType.of(1, "scripted", 1, () -> new Scripted()
        {
            @Override
            public void onOpen(final Room room, final DirectBuffer args, final int offset, final int length)
            {
                opened.add(args.getStringWithoutLengthAscii(offset, length));
            }
        });
        final RoomBench bench = RoomBench.of(new UnsafeBuffer("-map 7-".getBytes()), 1, 5, type);
        assertEquals(List.of("map 7"), opened);
        RoomBench.of(type);
        assertEquals(List.of("map 7", ""), opened);
        bench.replayAndCompare();
    }

    @Test
    void shouldKeepTheExceptionsAfterWhichARoomWentOn()
    {
        final RoomType type = RoomType.of(1, "patient", 1, () -> new Scripted()
        {
            @Override
            public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
            {
                throw new IllegalStateException("survived");
            }

            @Override
            public AfterError onError(final Throwable thrown, final Seat seat)
            {
                return AfterError.CONTINUE;
            }
        });
        final RoomBench bench = RoomBench.of(type);
        final BenchSeat ann = bench.join(1);
        ann.send("one");
        ann.send("two");
        assertTrue(ann.isPresent());
        assertEquals(List.of("survived", "survived"),
            bench.failures().stream().map(Throwable::getMessage).toList());
        bench.replayAndCompare();
    }

    @Test
    void shouldStepThroughFramesAndRefuseWithoutAny()
    {
        final List<Long> times = new ArrayList<>();
        final Scripted logic = new Scripted();
        final RoomBench bench = RoomBench.of(RoomType.of(1, "scripted", 1, () -> logic));
        assertThrows(IllegalStateException.class, () -> bench.step(1));
        bench.runFor(500_000_000);
        logic.onFrame = (room) -> times.add(room.nowNs());
        logic.onMessage = (room) -> room.frameRate(2);
        bench.join(1).send("go");
        bench.step(2);
        // The first room is in the second of four phases.
        assertEquals(List.of(625_000_000L, 1_125_000_000L), times);
        bench.step(1);
        assertEquals(3, times.size());
        bench.runFor(1_000_000_000);
        assertEquals(5, times.size());
        assertEquals(2_625_000_000L, bench.host().nowNs());
        assertThrows(IllegalArgumentException.class, () -> bench.allocatedBytesOverLast(6));
        assertTrue(bench.allocatedBytesOverLast(5) >= bench.allocatedBytesOverLast(1));
    }

    @Test
    void shouldAnswerRequestsOfFramesInTheNextTurn()
    {
        final List<String> seen = new ArrayList<>();
        final Scripted logic = new Scripted();
        final RoomBench bench = RoomBench.of(RoomType.of(1, "scripted", 1, () -> logic))
            .service(7, (key, request) -> (key + new String(request, StandardCharsets.US_ASCII))
                .getBytes(StandardCharsets.US_ASCII));
        final UnsafeBuffer bytes = new UnsafeBuffer("abc".getBytes(StandardCharsets.US_ASCII));
        logic.onMessage = (room) -> room.frameRate(1);
        logic.onFrame = (room) -> room.async(7, 42, bytes, 1, 2);
        logic.onReply = seen::add;
        bench.join(1).send("go");
        bench.runFor(1_000_000_000);
        assertEquals(List.of("0 42bc"), seen);
        bench.replayAndCompare();
    }

    @Test
    void shouldReleaseASeatOfAnotherRoom()
    {
        final List<Integer> statuses = new ArrayList<>();
        final Scripted logic = new Scripted();
        final RoomType type = RoomType.of(1, "scripted", 1, () -> logic);
        final RoomType closed = RoomType.of(2, "closed", 1, Scripted::new).seats(1)
            .admission(RoomType.Admission.BY_RESERVATION);
        final RoomBench bench = RoomBench.of(type, closed);
        final UnsafeBuffer none = new UnsafeBuffer(new byte[0]);
        final long table = bench.open(closed, none, 0, 0);
        logic.onReply = (reply) -> statuses.add(Integer.valueOf(reply.substring(0, reply.indexOf(' '))));
        logic.onMessage = (room) ->
        {
            if (1 == room.seatsTaken())
            {
                room.reserve(table, 8, 1_000_000_000);
                room.release(table, 8);
                room.reserve(table, 9, 1_000_000_000);
                room.release(table, 8);
            }
            else
            {
                room.release(table, 9);
            }
        };
        bench.join(1).send("go");
        final int notReserved = RefusalCode.NOT_RESERVED.value();
        assertEquals(List.of(0, 0, 0, notReserved), statuses);
        assertEquals(-1, bench.join(table, 8, none, 0, 0).index());
        assertEquals(0, bench.join(table, 9, none, 0, 0).index());
        bench.join(2).send("go");
        assertEquals(notReserved, statuses.get(4), "the player has joined");
        assertEquals(1, bench.host().seatsOccupied(table));
        bench.replayAndCompare();
    }

    @Test
    void shouldRefuseToAnswerWithoutEnd()
    {
        final Scripted logic = new Scripted();
        final RoomBench bench = RoomBench.of(RoomType.of(1, "scripted", 1, () -> logic));
        final UnsafeBuffer bytes = new UnsafeBuffer(new byte[8]);
        logic.onMessage = (room) -> room.signal(room.roomId(), bytes, 0, 8);
        final BenchSeat ann = bench.join(1);
        assertThrows(IllegalStateException.class, () -> ann.send("go"));
    }

    @Test
    void shouldKeepAFailureAndAFailedReplay()
    {
        final Scripted first = new Scripted();
        final Scripted other = new Scripted();
        final Iterator<Scripted> logics = List.of(first, other).iterator();
        final RoomBench bench = RoomBench.of(RoomType.of(1, "scripted", 1, logics::next));
        final BenchSeat ann = bench.join(1);
        assertEquals(List.of(), bench.failures());
        first.onMessage = (room) ->
        {
            throw new IllegalStateException("on purpose");
        };
        ann.send("go");
        assertEquals("on purpose", bench.failures().get(0).getMessage());
        assertFalse(ann.isPresent());
        // The replay's logic does not throw.
        assertThrows(AssertionError.class, bench::replayAndCompare);
    }

    @Test
    void shouldFailTheReplayThatEndsInAnotherState()
    {
        final Scripted first = new Scripted();
        final Scripted again = new Scripted();
        final Iterator<Scripted> logics = List.of(first, again).iterator();
        final RoomBench bench = RoomBench.of(RoomType.of(1, "scripted", 1, logics::next));
        bench.join(bench.roomId()).send("go");
        again.state = 1;
        final AssertionError difference = assertThrows(AssertionError.class, bench::replayAndCompare);
        assertTrue(difference.getMessage().contains("state hash"), difference::getMessage);
    }

    @Test
    void shouldPublishRoomsToThoseWhoSubscribe()
    {
        final List<String> seen = new ArrayList<>();
        final RoomType type = RoomType.of(1, "scripted", 1, () -> new Scripted(seen)).seats(3);
        final RoomType pair = RoomType.of(2, "pair", 1, () -> new Scripted(seen)).seats(2);
        final RoomBench bench = RoomBench.of(type, pair);
        final UnsafeBuffer bytes = new UnsafeBuffer(new byte[]{'r', 'e', 'd'});
        final BenchSeat ann = bench.join(1);
        ann.send("label");
        final BenchSeat bob = bench.join(bench.open(pair, bytes, 0, 0), 2, bytes, 0, 0);
        bob.send("subscribe");
        assertEquals(List.of("2: OPENED 1 1 1/3 0=", "2: LABEL 1 1 1/3 5=red", "2: OPENED 2 2 1/2 0="), seen);
        seen.clear();
        bob.send("subscribe");
        ann.send("label");
        ann.leave();
        assertEquals(List.of("2: LABEL 1 1 1/3 5=red", "2: OCCUPANCY 1 1 0/3 0="), seen);
        seen.clear();
        bench.join(3).send("subscribe");
        seen.clear();
        bob.send("close");
        bench.open(pair, bytes, 0, 0);
        assertEquals(List.of(
            "1: OCCUPANCY 2 2 0/2 0=", "1: CLOSED 2 2 0/2 0=", "1: OPENED 3 2 0/2 0="), seen);
        // The room's own last occupancy, published while it was a subscriber; nothing since.
        assertEquals(1, bench.host().refusals(RefusalCode.UNKNOWN_ROOM.value()));
        bench.replayAndCompare();
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

    /** Does what a test sets, or the word of a message, and notes the directory. */
    private static class Scripted implements RoomLogic
    {
        private static final UnsafeBuffer RED = new UnsafeBuffer("red".getBytes(StandardCharsets.US_ASCII));

        private final List<String> seen;
        private Consumer<Room> onMessage = (room) ->
        {
        };
        private Consumer<Room> onFrame = onMessage;
        private Consumer<String> onReply;
        private long state;
        private Room room;

        Scripted()
        {
            this(new ArrayList<>());
        }

        Scripted(final List<String> seen)
        {
            this.seen = seen;
        }

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            room = opened;
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            switch (buffer.getStringWithoutLengthAscii(offset, length))
            {
                case "label" -> room.label(5, RED, 0, 3);
                case "subscribe" -> room.subscribeToDirectory();
                case "close" -> room.close();
                default -> onMessage.accept(room);
            }
        }

        @Override
        public void onSignal(final long fromRoomId, final DirectBuffer buffer, final int offset, final int length)
        {
            onMessage.accept(room);
        }

        @Override
        public void onFrame(final long frame, final long elapsedNs)
        {
            onFrame.accept(room);
        }

        @Override
        public void onSnapshot(final StateWriter writer)
        {
            writer.putLong(state);
        }

        @Override
        public void onReply(
            final long id, final int status, final DirectBuffer buffer, final int offset, final int length)
        {
            onReply.accept(status + " " + buffer.getStringWithoutLengthAscii(offset, length));
        }

        @Override
        public void onDirectory(final DirectoryEntry entry)
        {
            seen.add(room.roomId() + ": " + entry.change() + " " + entry.roomId() + " " + entry.typeId() + " " +
                entry.seatsTaken() + "/" + entry.seatLimit() + " " + entry.labelKey() + "=" +
                entry.valueBuffer().getStringWithoutLengthAscii(entry.valueOffset(), entry.valueLength()));
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
