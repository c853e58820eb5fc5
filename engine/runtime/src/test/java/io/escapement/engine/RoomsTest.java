package io.escapement.engine;

import io.escapement.client.ClientSeat;
import io.escapement.client.SendStatus;
import io.escapement.codecs.room.DirectoryChange;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.trunk.TrunkCode;
import io.escapement.rooms.CloseReason;
import io.escapement.rooms.DirectoryEntry;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Rooms seen from outside: handles, the directory, draining. */
class RoomsTest
{
    private static final int PLAIN = 1;
    private static final int LOBBY = 2;
    private static final int EPHEMERAL = 3;
    private static final int LINGERING = 4;
    private static final UnsafeBuffer NOTHING = new UnsafeBuffer(new byte[0]);

    private final ConcurrentLinkedQueue<String> happened = new ConcurrentLinkedQueue<>();
    private final Map<Long, String> told = new TreeMap<>();
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[64]);

    @Test
    void shouldSignalAndCloseFromOutside()
    {
        try (TestEngine engine = new TestEngine(context(1)))
        {
            final RoomHandle room = engine.engine().openRoom(PLAIN);
            final int length = buffer.putStringWithoutLengthAscii(0, "hello");
            assertTrue(room.signal(buffer, 0, length));
            assertTrue(room.close());
            engine.await("the room to close", () -> happened.contains("closed BY_COMMAND"));
            assertEquals(List.of("signal hello from 0", "closed BY_COMMAND"), List.copyOf(happened));
            assertThrows(IllegalArgumentException.class, () -> room.signal(buffer, 0, 1 << 20));
        }
    }

    @Test
    void shouldRunClosuresInEphemeralRoomsAlone()
    {
        try (TestEngine engine = new TestEngine(
            new EngineContext().roomType(RoomType.of(EPHEMERAL, "ephemeral", 1, Plain::new).ephemeral())))
        {
            final RoomHandle room = engine.engine().openRoom(EPHEMERAL);
            assertTrue(room.execute((in) -> happened.add("in " + (in.roomId() == room.roomId()))));
            assertTrue(room.after(1_000_000, (in) -> happened.add("later")));
            engine.await("both", () -> 2 == happened.size());
            assertEquals(List.of("in true", "later"), List.copyOf(happened));
        }
        try (TestEngine engine = new TestEngine(context(1)))
        {
            final RoomHandle plain = engine.engine().openRoom(PLAIN);
            final String message =
                assertThrows(IllegalStateException.class, () -> plain.execute((in) -> { })).getMessage();
            assertTrue(message.contains("plain"), message);
        }
    }

    @Test
    void shouldTellSubscribersOfRoomsOnAllLoops()
    {
        try (TestEngine engine = new TestEngine(context(2)); TestTrunk trunk = TestTrunk.over(engine))
        {
            final RoomHandle before = engine.engine().openRoom(PLAIN);
            engine.engine().openRoom(LOBBY);
            final RoomHandle after = engine.engine().openRoom(PLAIN);
            engine.await("all to be told", () -> told.size() == 3);
            assertEquals(2, told.keySet().stream().mapToLong((id) -> id >>> 54).distinct().count(), "loops");
            assertEquals("type 1, 0 of 16 seats", told.get(before.roomId()));
            final ClientSeat seat = trunk.join(engine, after.roomId(), 7);
            engine.await("occupancy", trunk, () -> "type 1, 1 of 16 seats".equals(told.get(after.roomId())));
            final int length = buffer.putStringWithoutLengthAscii(0, "a label");
            engine.await("to send", trunk, () -> SendStatus.SENT == trunk.client().send(seat, buffer, 0, length));
            engine.await("the label", trunk, () -> "a label".equals(told.get(after.roomId())));
            assertTrue(after.close());
            engine.await("the end", trunk, () -> null == told.get(after.roomId()));
            assertTrue(happened.contains("gone, type 1"), happened.toString());
        }
    }

    @Test
    void shouldOpenRoomsForRooms()
    {
        try (TestEngine engine = new TestEngine(context(2)))
        {
            final RoomHandle lobby = engine.engine().openRoom(LOBBY);
            lobby.signal(buffer, 0, 1);
            lobby.signal(buffer, 0, 1);
            engine.await("answers", () -> 2 == happened.size());
            engine.await("all to be told", () -> told.size() == 3);
            final List<String> answers = List.copyOf(happened);
            told.keySet().stream().filter((id) -> id != lobby.roomId())
                .forEach((id) -> assertTrue(answers.contains("status 0, room " + id), answers.toString()));
        }
    }

    @Test
    void shouldDrainCleanInEveryMode()
    {
        for (final ThreadingMode mode : ThreadingMode.values())
        {
            happened.clear();
            try (TestEngine engine = new TestEngine(context(ThreadingMode.SOLO == mode ? 1 : 2), mode);
                TestTrunk trunk = TestTrunk.over(engine))
            {
                final RoomHandle polite = engine.engine().openRoom(PLAIN);
                engine.engine().openRoom(LINGERING);
                trunk.join(engine, polite.roomId(), 7);
                final DrainReport report = engine.drain(trunk, TimeUnit.MILLISECONDS.toNanos(50));
                assertTrue(report.isClean(), () -> mode + ": " + report);
                assertEquals(0, report.exitStatus());
                assertTrue(happened.remove("drain"), mode.toString());
                assertEquals(List.of("closed BY_LOGIC", "closed BY_COMMAND"), List.copyOf(happened), mode.toString());
                assertEquals(TrunkCode.ENGINE_STOPPING.value(), trunk.downCode, mode.toString());
                assertFalse(engine.engine().isAlive());
                assertThrows(IllegalStateException.class, () -> engine.engine().openRoom(PLAIN));
            }
        }
    }

    @Test
    void shouldSayWhatIsNotBack()
    {
        final DrainReport report = new DrainReport(List.of(
            new DrainReport.Line("loop 0: rooms open", 0, 0), new DrainReport.Line("loop 0: timers set", 0, 3)));
        assertFalse(report.isClean());
        assertEquals(1, report.exitStatus());
        assertTrue(report.toString().contains("loop 0: timers set: 3, not 0"), report.toString());
        assertFalse(report.toString().contains("rooms open"), report.toString());
        final DrainReport clean = new DrainReport(List.of(), new DrainReport.Memory(45_600_000, 1_200_000, 0));
        assertEquals("drained clean: 0 resources checked; memory: heap 45.6 MB, direct 1.2 MB, mapped 0.0 MB",
            clean.toString());
        assertTrue(report.memory().heapBytes() > 0);
    }

    @Test
    void shouldRefuseAnEntryForARoomOfAnotherLoop()
    {
        try (TestEngine engine = new TestEngine(context(2)); TestTrunk trunk = TestTrunk.over(engine))
        {
            final RoomHandle room = engine.engine().openRoom(PLAIN);
            final ClientSeat seat = trunk.join(engine, room.roomId(), 7);
            try (RawTrunk raw = RawTrunk.attached(engine, 0))
            {
                raw.sendMessage(0, 1L << 54 | 99, 0, 1, 1, new byte[8]);
                raw.awaitReceived("EntryRefused " + RefusalCode.UNKNOWN_ROOM.value());
            }
            engine.await("the loop to go on", trunk,
                () -> SendStatus.SENT == trunk.client().send(seat, buffer, 0, 8));
        }
    }

    private EngineContext context(final int loops)
    {
        return new EngineContext().loops(loops)
            .roomType(RoomType.of(PLAIN, "plain", 1, Plain::new))
            .roomType(RoomType.of(LOBBY, "lobby", 1, Lobby::new))
            .roomType(RoomType.of(LINGERING, "lingering", 1, Lingering::new));
    }

    private class Plain implements RoomLogic
    {
        Room room;

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            room = opened;
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer message, final int offset, final int length)
        {
            room.label(1, message, offset, length);
        }

        @Override
        public void onSignal(
            final long fromRoomId, final DirectBuffer message, final int offset, final int length)
        {
            happened.add("signal " + message.getStringWithoutLengthAscii(offset, length) + " from " + fromRoomId);
        }

        @Override
        public void onClose(final CloseReason reason)
        {
            happened.add("closed " + reason);
        }
    }

    /** Does not close in {@code onDrain}. */
    private final class Lingering extends Plain
    {
        @Override
        public void onDrain(final Room drained, final long deadlineNs)
        {
            happened.add("drain");
        }
    }

    private final class Lobby extends Plain
    {
        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            super.onOpen(opened, args, offset, length);
            room.subscribeToDirectory();
        }

        @Override
        public void onSignal(
            final long fromRoomId, final DirectBuffer message, final int offset, final int length)
        {
            room.openRoom(PLAIN, NOTHING, 0, 0);
        }

        @Override
        public void onReply(
            final long correlationId, final int status, final DirectBuffer reply, final int offset, final int length)
        {
            happened.add("status " + status + ", room " + reply.getLong(offset));
        }

        @Override
        public void onDirectory(final DirectoryEntry entry)
        {
            if (DirectoryChange.CLOSED == entry.change())
            {
                happened.add("gone, type " + entry.typeId());
                told.remove(entry.roomId());
            }
            else if (DirectoryChange.LABEL == entry.change())
            {
                told.put(entry.roomId(), entry.valueBuffer().getStringWithoutLengthAscii(
                    entry.valueOffset(), entry.valueLength()));
            }
            else
            {
                told.put(entry.roomId(), "type " + entry.typeId() + ", " + entry.seatsTaken() + " of " +
                    entry.seatLimit() + " seats");
            }
        }
    }
}
