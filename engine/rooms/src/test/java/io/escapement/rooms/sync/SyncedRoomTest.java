package io.escapement.rooms.sync;

import io.escapement.codecs.sync.SyncSchema;
import io.escapement.codecs.sync.SyncedCopy;
import io.escapement.config.ConfigException;
import io.escapement.rooms.LeaveReason;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import io.escapement.rooms.bench.BenchSeat;
import io.escapement.rooms.bench.RoomBench;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static io.escapement.codecs.sync.SyncSchema.Type.INT64;
import static io.escapement.codecs.sync.SyncSchema.Type.UINT16;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** The base class passes on each callback, keeps its state in snapshots, and refuses a wrong schema. */
class SyncedRoomTest
{
    private static final SyncSchema.Builder BUILDER = SyncSchema.named("counts");
    private static final int SUM = BUILDER.field("sum", INT64);
    private static final int PLAYERS = BUILDER.seats("players", 4);
    private static final int COUNT = BUILDER.field("count", UINT16);
    private static final SyncSchema SCHEMA = BUILDER.build();

    private final List<String> moments = new ArrayList<>();
    private final RoomBench bench = RoomBench.of(type());

    private RoomType type()
    {
        return RoomType.of(1, "counts", 1, () -> new Counts(moments)).seats(4).schema(SCHEMA);
    }

    @Test
    void shouldShowEachMomentToTheGame()
    {
        final BenchSeat ann = bench.join(1);
        final BenchSeat ben = bench.join(2);
        ann.send("x");
        bench.step(1);
        ann.disconnect();
        final BenchSeat again = bench.join(1);
        ben.leave();
        bench.step(1);
        assertEquals(List.of("opened", "joined 0", "joined 1", "returned 0", "leaving 1 of 0"), moments);
        final SyncedCopy copy = copyOf(again);
        assertEquals(1, copy.longValue(COUNT, ann.index()));
        assertEquals(1, copy.longValue(SUM, 0));
        assertFalse(copy.isPresent(PLAYERS, ben.index()));
    }

    /** The sum is in {@code saving} alone, so a room that does not restore it would differ. */
    @Test
    void shouldContinueFromSnapshots()
    {
        final BenchSeat ann = bench.join(1);
        for (int i = 0; i < 40; i++)
        {
            ann.send("x");
            bench.step(1);
        }
        bench.replayAndCompare();
        bench.restoreAndCompare();
        assertEquals(List.of(), bench.failures());
    }

    @Test
    void shouldRefuseWhatCannotWork()
    {
        assertEquals("frameRate: 0: must be 1 or more",
            assertThrows(ConfigException.class, () -> new Still(0)).getMessage());
        final SyncSchema.Builder large = SyncSchema.named("large");
        large.entities("things", 16_000);
        large.field("value", INT64);
        final RoomType type = type().schema(large.build());
        assertEquals("outputLimit: 65536: must be above the longest full state of the state large, " +
            type.schema().maxFullStateLength(), assertThrows(ConfigException.class, type::freeze).getMessage());
    }

    private static SyncedCopy copyOf(final BenchSeat seat)
    {
        final SyncedCopy copy = new SyncedCopy(SCHEMA);
        for (final byte[] message : seat.received())
        {
            copy.apply(new UnsafeBuffer(message), 0, message.length);
        }
        return copy;
    }

    private static final class Counts extends SyncedRoom
    {
        private final List<String> moments;
        private long sum;

        Counts(final List<String> moments)
        {
            super(SCHEMA, 20);
            this.moments = moments;
        }

        @Override
        protected void opened(final DirectBuffer args, final int offset, final int length)
        {
            moments.add("opened");
        }

        @Override
        protected void joined(final Seat seat)
        {
            state().set(COUNT, seat.index(), 0);
            moments.add("joined " + seat.index());
        }

        @Override
        protected void returned(final Seat seat)
        {
            moments.add("returned " + seat.index());
        }

        @Override
        protected void leaving(final Seat seat, final LeaveReason reason, final int code)
        {
            moments.add("leaving " + seat.index() + " of " + state().longValue(COUNT, seat.index()));
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            sum++;
            state().set(COUNT, from.index(), sum);
        }

        @Override
        protected void frame(final long frame, final long elapsedNs)
        {
            state().set(SUM, sum);
        }

        @Override
        protected void saving(final StateWriter writer)
        {
            writer.putLong(sum);
        }

        @Override
        protected void restored(final int version, final StateReader reader)
        {
            sum = reader.getLong();
        }
    }

    private static final class Still extends SyncedRoom
    {
        Still(final int frameRate)
        {
            super(SCHEMA, frameRate);
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
        }
    }
}
