package io.escapement.rooms.sync;

import io.escapement.codecs.sync.SyncSchema;
import io.escapement.codecs.sync.SyncedCopy;
import io.escapement.rooms.LeaveReason;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A state whose callback threw halfway, in a room that goes on: the copies are right with the next publish. */
class SyncedErrorTest
{
    private static final SyncSchema.Builder BUILDER = SyncSchema.named("halfway");
    private static final int TURN = BUILDER.field("turn", SyncSchema.Type.INT32);
    private static final int PLAYERS = BUILDER.seats("players", 2);
    private static final int SCORE = BUILDER.field("score", SyncSchema.Type.INT64);
    private static final int THINGS = BUILDER.entities("things", 50);
    private static final int SIZE = BUILDER.field("size", SyncSchema.Type.UINT16);
    private static final SyncSchema SCHEMA = BUILDER.build();

    private final List<Halfway> logics = new ArrayList<>();

    @ParameterizedTest
    @ValueSource(strings = {"join", "frame", "wrong row", "published", "leave"})
    void shouldSynchroniseAfterAThrow(final String where)
    {
        final byte[] args = where.getBytes();
        final RoomBench bench = RoomBench.of(new UnsafeBuffer(args), 0, args.length,
            RoomType.of(1, "halfway", 1, this::make).seats(2));
        final BenchSeat ann = bench.join(1);
        bench.step(3);
        BenchSeat bob = bench.join(2);
        bench.step(3);
        assertCopies(ann, bob);
        bob.leave();
        bench.step(3);
        bob = bench.join(3);
        bench.step(3);
        assertCopies(ann, bob);
        assertEquals(1, bench.failures().size(), () -> where + ": " + bench.failures());
        bench.replayAndCompare();
    }

    private void assertCopies(final BenchSeat... seats)
    {
        final SyncedState state = logics.get(0).state;
        for (final BenchSeat seat : seats)
        {
            final SyncedCopy copy = new SyncedCopy(SCHEMA, new SyncedCopy.Listener()
            {
            });
            seat.states().forEach((bytes) -> copy.apply(new UnsafeBuffer(bytes), 0, bytes.length));
            assertTrue(seat.isPresent());
            assertEquals(state.longValue(TURN, 0), copy.longValue(TURN, 0));
            for (final BenchSeat other : seats)
            {
                assertEquals(state.longValue(SCORE, other.index()), copy.longValue(SCORE, other.index()));
            }
            for (int row = 0; row < 50; row++)
            {
                assertEquals(state.isPresent(THINGS, row), copy.isPresent(THINGS, row), "thing " + row);
                if (state.isPresent(THINGS, row))
                {
                    assertEquals(state.longValue(SIZE, row), copy.longValue(SIZE, row));
                }
            }
        }
    }

    private RoomLogic make()
    {
        final Halfway logic = new Halfway();
        logics.add(logic);
        return logic;
    }

    private static final class Halfway implements RoomLogic
    {
        private SyncedState state;
        private Room room;
        private String throwing;

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            room = opened;
            throwing = args.getStringWithoutLengthAscii(offset, length);
            state = SyncedState.openWithViewPerSeat(room, SCHEMA);
            room.frameRate(60);
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            throw new IllegalStateException("nobody sends");
        }

        @Override
        public void onJoin(final Seat seat)
        {
            state.onJoin(seat);
            throwIf("join");
            state.set(SCORE, seat.index(), seat.playerId());
        }

        @Override
        public void onLeave(final Seat seat, final LeaveReason reason)
        {
            state.onLeave(seat);
            throwIf("leave");
        }

        @Override
        public void onFrame(final long frame, final long elapsedNs)
        {
            state.set(TURN, frame);
            final int row = state.add(THINGS);
            throwIf("frame");
            state.set(SIZE, row, frame & 0xFFFF);
            if ("wrong row".equals(throwing) && 2 == frame)
            {
                throwing = "";
                state.set(SCORE, 1, 1_000);
                state.set(SIZE, 49, 1);
            }
            state.publish();
            throwIf("published");
        }

        @Override
        public AfterError onError(final Throwable thrown, final Seat seat)
        {
            return AfterError.CONTINUE;
        }

        @Override
        public void onSnapshot(final StateWriter writer)
        {
            writer.putInt(throwing.length());
            state.write(writer);
        }

        @Override
        public void onRestore(final Room restored, final int version, final StateReader reader)
        {
            room = restored;
            throwing = 0 == reader.getInt() ? "" : "unused";
            state = SyncedState.restore(room, SCHEMA, reader);
        }

        private void throwIf(final String where)
        {
            if (where.equals(throwing))
            {
                throwing = "";
                throw new IllegalStateException(where);
            }
        }
    }
}
