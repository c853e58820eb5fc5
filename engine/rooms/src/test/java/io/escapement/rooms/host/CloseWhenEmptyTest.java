package io.escapement.rooms.host;

import io.escapement.codecs.room.RoomEncoder;
import io.escapement.rooms.CloseReason;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.bench.BenchSeat;
import io.escapement.rooms.bench.RoomBench;
import io.escapement.rooms.output.ByteSink;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A room decides whether it closes when nobody is in it, beside its type. */
class CloseWhenEmptyTest
{
    private static final long SECOND_NS = 1_000_000_000L;

    private final List<String> events = new ArrayList<>();
    private final UnsafeBuffer args = new UnsafeBuffer(new byte[8]);

    private RoomType type()
    {
        return RoomType.of(1, "hut", 1, Hut::new).seats(2);
    }

    /** A room whose logic sets a delay when it opens. */
    private long open(final RoomBench bench, final RoomType type, final long delayNs)
    {
        args.putLong(0, delayNs);
        return bench.open(type, args, 0, 8);
    }

    @Test
    void shouldCloseARoomOfATypeThatStaysOpen()
    {
        final RoomType type = type();
        final RoomBench bench = RoomBench.of(type);
        final long roomId = open(bench, type, SECOND_NS);
        bench.runFor(SECOND_NS / 2);
        assertTrue(bench.host().isOpen(roomId));
        bench.runFor(SECOND_NS);
        assertFalse(bench.host().isOpen(roomId));
        assertEquals(List.of("closed EMPTY"), events);
        assertTrue(bench.host().isOpen(bench.roomId()), "another of the type");
        bench.replayAndCompare();
    }

    @Test
    void shouldChangeItsDelayAndBeginAgain()
    {
        final RoomType type = type().closeWhenEmptyNs(SECOND_NS);
        final RoomBench bench = RoomBench.of(type);
        final BenchSeat player = bench.join(1);
        set(player, RoomType.NEVER);
        player.leave();
        bench.runFor(5 * SECOND_NS);
        assertTrue(bench.host().isOpen(bench.roomId()), "not any more");
        final BenchSeat again = bench.join(1);
        set(again, 3 * SECOND_NS);
        bench.runFor(5 * SECOND_NS);
        again.leave();
        bench.runFor(2 * SECOND_NS);
        assertTrue(bench.host().isOpen(bench.roomId()));
        final byte[] signal = new byte[8];
        new UnsafeBuffer(signal).putLong(0, 2 * SECOND_NS);
        final UnsafeBuffer command = new UnsafeBuffer(new byte[128]);
        bench.command(command, 0, new RoomEncoder()
            .signal(command, 0, bench.roomId(), 0, 0, new UnsafeBuffer(signal), 0, 8));
        bench.runFor(SECOND_NS + SECOND_NS / 2);
        assertTrue(bench.host().isOpen(bench.roomId()), "the time has begun again");
        bench.runFor(SECOND_NS);
        assertFalse(bench.host().isOpen(bench.roomId()));
        bench.replayAndCompare();
    }

    @Test
    void shouldRefuseADelayOfNothing()
    {
        final RoomType type = type();
        final RoomBench bench = RoomBench.of(type);
        open(bench, type, 0);
        assertEquals(1, bench.failures().size());
        assertEquals("delayNs must be above 0, or NEVER: 0", bench.failures().get(0).getMessage());
    }

    /** The delay is state: a restored room closes at the same time, and a hash has it only if the logic set it. */
    @Test
    void shouldRestoreIt()
    {
        final HostRig rig = new HostRig(type());
        rig.turn(1, () ->
        {
            for (int i = 1; i <= 2; i++)
            {
                rig.payload.putLong(0, 1 == i ? RoomType.NEVER : SECOND_NS);
                rig.command(rig.encoder.openRoom(rig.buffer, 0, i, 7, 0, 0, 1, rig.payload, 0, 8));
            }
        });
        final ByteSink sink = new ByteSink();
        rig.host.snapshot(sink);
        final RoomHost restored = RoomHost.restore(rig.context(), sink.buffer(), 0, sink.length());
        assertEquals(rig.host.stateHash(), restored.stateHash());
        assertEquals(1, restored.pendingTimers());
        for (final RecordedHost each : List.of(rig.recorded, new RecordedHost(restored)))
        {
            each.turn(SECOND_NS / 2, rig.buffer, 0);
            assertEquals(2, each.host.openRooms());
            each.turn(2 * SECOND_NS, rig.buffer, 0);
            assertEquals(1, each.host.openRooms());
            assertTrue(each.host.isOpen(1));
        }
        assertNotEquals(0, rig.host.stateHash(1));
        rig.assertReplays();
    }

    private void set(final BenchSeat seat, final long delayNs)
    {
        args.putLong(0, delayNs);
        assertEquals(0, seat.send(args, 0, 8));
    }

    private final class Hut extends Quiet
    {
        @Override
        public void onOpen(final Room opened, final DirectBuffer buffer, final int offset, final int length)
        {
            room = opened;
            if (length > 0)
            {
                room.closeWhenEmpty(buffer.getLong(offset));
            }
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            room.closeWhenEmpty(buffer.getLong(offset));
        }

        @Override
        public void onSignal(final long from, final DirectBuffer buffer, final int offset, final int length)
        {
            room.closeWhenEmpty(buffer.getLong(offset));
        }

        @Override
        public void onClose(final CloseReason reason)
        {
            events.add("closed " + reason);
        }
    }
}
