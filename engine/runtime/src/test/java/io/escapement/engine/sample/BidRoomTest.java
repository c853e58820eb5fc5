package io.escapement.engine.sample;

import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateWriter;
import io.escapement.rooms.bench.BenchSeat;
import io.escapement.rooms.bench.RoomBench;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The rooms of the guide's pages about timers and new versions. */
class BidRoomTest
{
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    @Test
    void shouldCloseLaterAfterALateBid()
    {
        final RoomBench bench = RoomBench.of(RoomType.of(9, "bid", 2, BidRoom::new));
        final BenchSeat ann = bench.join(1);
        bench.runFor(28 * SECOND_NS);
        assertEquals(0, ann.send("5"));
        bench.runFor(4 * SECOND_NS);
        assertTrue(ann.isPresent());
        bench.runFor(2 * SECOND_NS);
        assertFalse(ann.isPresent());
        assertEquals(BidRoom.SOLD, ann.leaveCode());
        assertEquals(List.of("bids: 0", "bids: 0", "bids: 1"), ann.texts());
        bench.replayAndCompare();
        bench.restoreAndCompare();
    }

    @Test
    void shouldTakeOverAnOlderRoom()
    {
        final RoomType next = RoomType.of(9, "bid", 2, BidRoom::new);
        final RoomBench bench = RoomBench.of(RoomType.of(9, "bid", 1, OldBidRoom::new), next);
        final BenchSeat ann = bench.join(1);
        assertEquals(0, bench.reload(next));
        assertTrue(ann.isPresent());
        bench.runFor(31 * SECOND_NS);
        assertEquals(BidRoom.SOLD, ann.leaveCode());
        bench.replayAndCompare();
    }

    /** Version 1, which counts no bids and has only the timer at the end. */
    private static final class OldBidRoom implements RoomLogic
    {
        private long closing;

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            closing = opened.after(30 * SECOND_NS, 1, 0);
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
        }

        @Override
        public void onSnapshot(final StateWriter writer)
        {
            writer.putLong(closing);
        }
    }
}
