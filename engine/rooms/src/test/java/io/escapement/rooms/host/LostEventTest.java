package io.escapement.rooms.host;

import io.escapement.rooms.LeaveReason;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.bench.BenchSeat;
import io.escapement.rooms.bench.RoomBench;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A seat receives its events without a gap until it goes away, whatever the logic sends after one was lost. */
class LostEventTest
{
    private static final int LONG = 300;
    private static final int SHORT = 8;

    private final List<String> happened = new ArrayList<>();

    @ParameterizedTest
    @ValueSource(strings = {"flood", "flood, then short", "flood, then kick"})
    void shouldSendNothingBehindALostEvent(final String what)
    {
        final RoomBench bench = RoomBench.of(RoomType.of(1, "flooding", 1, Flooding::new).outputLimit(1_024));
        final List<BenchSeat> seats = List.of(bench.join(1), bench.join(2), bench.join(3));
        seats.get(1).send(what);
        for (final BenchSeat seat : seats)
        {
            final List<byte[]> received = seat.received();
            assertTrue(received.size() >= 3, () -> what + ": " + received.size());
            for (int i = 0; i < received.size(); i++)
            {
                assertEquals(i + number(received.get(0)), number(received.get(i)), what);
            }
        }
        assertEquals("flood, then kick".equals(what) ?
            List.of("leave 0", "away 1", "away 2") : List.of("away 0", "away 1", "away 2"), happened);
    }

    @Test
    void shouldTakePlayersBack()
    {
        final RoomBench bench = RoomBench.of(RoomType.of(1, "flooding", 1, Flooding::new).outputLimit(1_024));
        final BenchSeat seat = bench.join(1);
        seat.send("flood");
        assertEquals(List.of("away 0"), happened);
        final BenchSeat back = bench.join(1);
        assertEquals(seat.index(), back.index());
        assertEquals(1, back.received().size());
    }

    private static int number(final byte[] message)
    {
        return new UnsafeBuffer(message).getInt(0, ByteOrder.LITTLE_ENDIAN);
    }

    private final class Flooding implements RoomLogic
    {
        private final UnsafeBuffer out = new UnsafeBuffer(new byte[LONG]);
        private Room room;
        private int sent;

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            room = opened;
        }

        @Override
        public void onBack(final Seat seat)
        {
            send(SHORT);
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            final String what = buffer.getStringWithoutLengthUtf8(offset, length);
            for (int i = 0; i < 10; i++)
            {
                send(LONG);
            }
            if (what.endsWith("short"))
            {
                send(SHORT);
                final MutableDirectBuffer claim = room.claimEvent(room.everyone(), SHORT);
                claim.putInt(0, ++sent, ByteOrder.LITTLE_ENDIAN);
                room.commit(SHORT);
            }
            if (what.endsWith("kick"))
            {
                room.kick(room.seat(0));
            }
        }

        @Override
        public void onAway(final Seat seat)
        {
            happened.add("away " + seat.index());
            send(SHORT);
        }

        @Override
        public void onLeave(final Seat seat, final LeaveReason reason)
        {
            happened.add("leave " + seat.index());
            send(SHORT);
        }

        private void send(final int length)
        {
            out.putInt(0, ++sent, ByteOrder.LITTLE_ENDIAN);
            room.sendEvent(room.everyone(), out, 0, length);
        }
    }
}
