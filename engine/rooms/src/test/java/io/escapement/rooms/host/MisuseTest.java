package io.escapement.rooms.host;

import io.escapement.codecs.room.DirectoryChange;
import io.escapement.rooms.DirectoryEntry;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.bench.BenchSeat;
import io.escapement.rooms.bench.RoomBench;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A logic that uses what is not its own fails, in its replay too, and reads or writes nothing of others. */
class MisuseTest
{
    private static final int GOOD = 1;
    private static final int BAD = 2;

    private final List<Long> read = new ArrayList<>();
    private HostRig rig;

    @ParameterizedTest
    @ValueSource(strings = {"open", "request", "message", "signal", "reply", "directory"})
    void shouldFailTheRoomThatReadsBeyondItsPayload(final String callback)
    {
        run(callback, (buffer, end) -> read.add(0L + buffer.getByte(end)));
        assertInstanceOf(IndexOutOfBoundsException.class, rig.failures.get(0));
        assertEquals(List.of(), read);
        assertEquals(1, rig.host.openRooms());
        rig.assertReplays();
    }

    @ParameterizedTest
    @ValueSource(strings = {"open", "request", "message", "signal", "reply", "directory"})
    void shouldLetARoomReadAllOfItsPayload(final String callback)
    {
        run(callback, (buffer, end) -> read.add(0L + buffer.getByte(end - 1)));
        assertEquals(List.of(), rig.failures);
        assertEquals(List.of(42L), read);
        rig.assertReplays();
    }

    @Test
    void shouldFailTheRoomThatReadsABufferAfterItsCallback()
    {
        start(() -> new Quiet()
        {
            private DirectBuffer kept;

            @Override
            public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
            {
                kept = buffer;
                room.frameRate(60);
            }

            @Override
            public void onFrame(final long frame, final long elapsedNs)
            {
                read.add(kept.getLong(0));
            }
        });
        rig.turn(2, () -> assertEquals(0, rig.message(2, 0, 1, 0, 16)));
        rig.turn(50_000_000, () -> rig.message(1, 0, 1, 0, 16));
        assertInstanceOf(IndexOutOfBoundsException.class, rig.failures.get(0));
        assertEquals(List.of(), read);
        rig.assertReplays();
    }

    @ParameterizedTest
    @ValueSource(strings = {"open", "request", "message", "signal", "reply", "directory"})
    void shouldEmptyTheBufferThatACallbackKept(final String callback)
    {
        final DirectBuffer[] kept = new DirectBuffer[1];
        rig = new HostRig(RoomType.of(BAD, "keeping", 1, () -> new Reading(callback, (buffer, end) ->
            kept[0] = buffer)).seats(4));
        rig.turn(1, () ->
        {
            rig.linkUp(0);
            rig.command(rig.encoder.openRoom(rig.buffer, 0, 2, 2, 0, 0, BAD, rig.payload, 0, 16));
            if (!"open".equals(callback))
            {
                rig.command(rig.encoder.join(rig.buffer, 0, 2, 7, 7, 0, rig.payload, 0, 16));
            }
            switch (callback)
            {
                case "message" -> rig.message(2, 0, 1, 0, 16);
                case "signal" -> rig.command(rig.encoder.signal(rig.buffer, 0, 2, 0, 0, rig.payload, 0, 16));
                case "reply" -> rig.command(rig.encoder.reply(rig.buffer, 0, 2, 1, 0, rig.payload, 0, 16));
                case "directory" -> rig.command(rig.encoder.directoryEntry(
                    rig.buffer, 0, 2, 9, 1, 1, 1, 0, DirectoryChange.LABEL, rig.payload, 0, 16));
                default -> rig.payload.putByte(0, (byte)0);
            }
            assertThrows(IndexOutOfBoundsException.class, () -> kept[0].getByte(0));
        });
        assertEquals(List.of(), rig.failures);
    }

    @Test
    void shouldFillABufferThatALogicWrappedWithRubbishOnABench()
    {
        final RoomBench bench = RoomBench.of(RoomType.of(BAD, "wrapping", 1, () -> new Quiet()
        {
            private final UnsafeBuffer kept = new UnsafeBuffer(0, 0);

            @Override
            public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
            {
                kept.wrap(buffer, offset, length);
                room.frameRate(60);
            }

            @Override
            public void onFrame(final long frame, final long elapsedNs)
            {
                read.add(kept.getLong(0));
            }
        }));
        final BenchSeat seat = bench.join(7);
        seat.send(new UnsafeBuffer(new byte[16]), 0, 16);
        bench.step(1);
        assertEquals(0xDBDB_DBDB_DBDB_DBDBL, read.get(0));
    }

    @Test
    void shouldFailTheRoomThatWritesAClaimAfterItsCommit()
    {
        start(() -> new Quiet()
        {
            @Override
            public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
            {
                final MutableDirectBuffer claim = room.claimEvent(from, 16);
                claim.putLong(0, 1);
                room.commit(16);
                claim.putLong(8, 2);
            }
        });
        rig.turn(2, () -> assertEquals(0, rig.message(2, 0, 1, 0, 16)));
        assertInstanceOf(IndexOutOfBoundsException.class, rig.failures.get(0));
        rig.assertReplays();
    }

    @Test
    void shouldRefuseOneLogicForTwoOpenRooms()
    {
        final Quiet[] shared = {new Quiet()};
        rig = new HostRig(RoomType.of(BAD, "shared", 1, () -> shared[0]));
        rig.turn(1, () ->
        {
            rig.open(1, BAD);
            rig.open(2, BAD);
        });
        assertEquals(1, rig.host.openRooms());
        assertTrue(rig.failures.get(0).getMessage().contains("the logic of another open room"));
        rig.turn(2, () -> rig.command(rig.encoder.closeRoom(rig.buffer, 0, 1)));
        rig.turn(3, () -> rig.open(3, BAD));
        assertEquals(1, rig.host.openRooms());
        assertEquals(1, rig.failures.size());
        rig.assertReplays();
    }

    @Test
    void shouldFailTheRoomThatSendsToAPlayerWhoHasLeft()
    {
        start(() -> new Quiet()
        {
            private Seat kept;

            @Override
            public void onJoin(final Seat seat)
            {
                kept = seat;
            }

            @Override
            public void onSignal(final long from, final DirectBuffer buffer, final int offset, final int length)
            {
                room.sendEvent(kept, buffer, offset, length);
            }
        });
        signal(2);
        assertEquals(List.of(), rig.failures);
        rig.turn(2, () -> rig.command(rig.encoder.kick(rig.buffer, 0, 2, 7)));
        signal(2);
        assertInstanceOf(IllegalArgumentException.class, rig.failures.get(0));
        rig.assertReplays();
    }

    @Test
    void shouldFindASeatByItsGenerationWhileItsPlayerStays()
    {
        start(() -> new Quiet()
        {
            @Override
            public void onSignal(final long from, final DirectBuffer buffer, final int offset, final int length)
            {
                final Seat seat = room.seat(0, 1);
                read.add(null == seat ? -1 : seat.playerId());
            }
        });
        signal(2);
        rig.turn(2, () -> rig.command(rig.encoder.kick(rig.buffer, 0, 2, 7)));
        signal(2);
        rig.turn(3, () ->
        {
            for (int player = 11; player <= 14; player++)
            {
                rig.join(2, player, 0);
            }
        });
        signal(2);
        assertEquals(List.of(7L, -1L, -1L), read);
        rig.assertReplays();
    }

    private void signal(final long roomId)
    {
        rig.turn(5, () -> rig.command(rig.encoder.signal(rig.buffer, 0, roomId, 0, 0, rig.payload, 0, 8)));
    }

    private void start(final Supplier<RoomLogic> logic)
    {
        rig = new HostRig(RoomType.of(GOOD, "good", 1, Quiet::new), RoomType.of(BAD, "bad", 1, logic).seats(4));
        rig.turn(1, () ->
        {
            rig.linkUp(0);
            rig.open(1, GOOD);
            rig.join(1, 7, 0);
            rig.open(2, BAD);
            rig.join(2, 7, 0);
        });
    }

    /** Let one callback of a room read its buffer; the payload's last byte is 42. */
    private void run(final String callback, final BiConsumer<DirectBuffer, Integer> reading)
    {
        rig = new HostRig(
            RoomType.of(GOOD, "good", 1, Quiet::new),
            RoomType.of(BAD, "bad", 1, () -> new Reading(callback, reading)).seats(4));
        rig.payload.putByte(15, (byte)42);
        rig.turn(1, () ->
        {
            rig.linkUp(0);
            rig.open(1, GOOD);
            rig.command(rig.encoder.openRoom(rig.buffer, 0, 2, 2, 0, 0, BAD, rig.payload, 0, 16));
            rig.command(rig.encoder.join(rig.buffer, 0, 2, 7, 7, 0, rig.payload, 0, 16));
            rig.message(2, 0, 1, 0, 16);
            rig.command(rig.encoder.signal(rig.buffer, 0, 2, 0, 0, rig.payload, 0, 16));
            rig.command(rig.encoder.reply(rig.buffer, 0, 2, 1, 0, rig.payload, 0, 16));
            rig.command(rig.encoder.directoryEntry(
                rig.buffer, 0, 2, 9, 1, 1, 1, 0, DirectoryChange.LABEL, rig.payload, 0, 16));
        });
    }

    private static final class Reading extends Quiet
    {
        private final String callback;
        private final BiConsumer<DirectBuffer, Integer> reading;

        Reading(final String callback, final BiConsumer<DirectBuffer, Integer> reading)
        {
            this.callback = callback;
            this.reading = reading;
        }

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            super.onOpen(opened, args, offset, length);
            room.async(1, 1, args, offset, length);
            read("open", args, offset, length);
        }

        @Override
        public int onJoinRequest(final long playerId, final DirectBuffer args, final int offset, final int length)
        {
            read("request", args, offset, length);
            return ACCEPT;
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            read("message", buffer, offset, length);
        }

        @Override
        public void onSignal(final long from, final DirectBuffer buffer, final int offset, final int length)
        {
            read("signal", buffer, offset, length);
        }

        @Override
        public void onReply(
            final long id, final int status, final DirectBuffer buffer, final int offset, final int length)
        {
            read("reply", buffer, offset, length);
        }

        @Override
        public void onDirectory(final DirectoryEntry entry)
        {
            read("directory", entry.valueBuffer(), entry.valueOffset(), entry.valueLength());
        }

        private void read(final String place, final DirectBuffer buffer, final int offset, final int length)
        {
            if (place.equals(callback))
            {
                reading.accept(buffer, offset + length);
            }
        }
    }
}
