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
import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.host.RoomHost;
import io.escapement.rooms.output.ByteSink;
import io.escapement.rooms.output.NoOutputs;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Spectators have full states and differences of a synchronised state, without rows and without secrets. */
class SpectatorStateTest
{
    private static final SyncSchema.Builder BUILDER = SyncSchema.named("watched");
    private static final int ROUND = BUILDER.field("round", SyncSchema.Type.INT32);
    private static final int CARS = BUILDER.seats("cars", 2);
    private static final int X = BUILDER.field("x", SyncSchema.Type.INT16);
    private static final int FUEL = BUILDER.secret().field("fuel", SyncSchema.Type.UINT16);
    private static final SyncSchema SCHEMA = BUILDER.build();

    private final UnsafeBuffer value = new UnsafeBuffer(new byte[8]);

    private RoomType type(final boolean isViewPerSeat)
    {
        return RoomType.of(1, "watched", 1, () -> new Watched(isViewPerSeat)).seats(2).spectators(2);
    }

    private void drive(final BenchSeat player, final int x)
    {
        value.putInt(0, x);
        assertEquals(0, player.send(value, 0, 4));
    }

    private static SyncedCopy copy(final BenchSeat seat)
    {
        final SyncedCopy copy = new SyncedCopy(SCHEMA);
        for (final byte[] message : seat.received())
        {
            assertNotEquals(SyncedCopy.Result.MALFORMED, copy.apply(new UnsafeBuffer(message), 0, message.length));
        }
        return copy;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldSendFullStatesAndDifferences(final boolean isViewPerSeat)
    {
        final RoomBench bench = RoomBench.of(type(isViewPerSeat));
        final BenchSeat early = bench.watch(8);
        bench.step(1);
        final BenchSeat player = bench.join(1);
        bench.step(1);
        final BenchSeat late = bench.watch(9);
        for (int i = 1; i <= 5; i++)
        {
            drive(player, 10 * i);
            bench.step(1);
        }
        for (final BenchSeat spectator : new BenchSeat[]{early, late})
        {
            final SyncedCopy copy = copy(spectator);
            assertEquals(50, copy.longValue(X, 0));
            assertFalse(copy.isPresent(CARS, 1), "a spectator has no rows");
            assertEquals(0, copy.longValue(FUEL, 0), "a secret");
            assertTrue(copy.longValue(ROUND, 0) > 0);
        }
        if (isViewPerSeat)
        {
            assertEquals(150, copy(player).longValue(FUEL, 0));
        }
        early.disconnect();
        player.leave();
        bench.step(2);
        assertFalse(copy(late).isPresent(CARS, 0));
        assertTrue(bench.watch(8).isPresent());
        bench.step(1);
        assertEquals(0, bench.failures().size(), bench.failures()::toString);
        bench.replayAndCompare();
    }

    /** With spectators alone the state still goes to everyone. */
    @Test
    void shouldSendToSpectatorsAlone()
    {
        final RoomBench bench = RoomBench.of(type(false));
        final BenchSeat spectator = bench.watch(8);
        bench.step(4);
        assertEquals(4, copy(spectator).longValue(ROUND, 0));
        assertEquals(4, spectator.received().size());
    }

    @Test
    void shouldGoOnAfterARestore()
    {
        final RoomBench bench = RoomBench.of(type(true));
        bench.watch(8);
        bench.join(1);
        bench.step(3);
        final ByteSink sink = new ByteSink();
        bench.host().snapshot(sink);
        final RoomHost restored = RoomHost.restore(new HostContext().roomLimit(1_024).seatLimit(1 << 16)
            .timerLimit(1 << 16).linkLimit(16_384).build("bench").outputs(NoOutputs.NONE).roomType(type(true)),
            sink.buffer(), 0, sink.length());
        assertEquals(bench.host().stateHash(bench.roomId()), restored.stateHash(bench.roomId()));
    }

    private static final class Watched implements RoomLogic
    {
        private final boolean isViewPerSeat;
        private Room room;
        private SyncedState state;

        Watched(final boolean isViewPerSeat)
        {
            this.isViewPerSeat = isViewPerSeat;
        }

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            room = opened;
            state = isViewPerSeat ?
                SyncedState.openWithViewPerSeat(opened, SCHEMA) : SyncedState.open(opened, SCHEMA);
            room.frameRate(60);
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            state.set(X, from.index(), buffer.getInt(offset));
            state.set(FUEL, from.index(), buffer.getInt(offset) + 100);
        }

        @Override
        public void onFrame(final long frame, final long elapsedNs)
        {
            state.set(ROUND, frame);
            state.publish();
        }

        @Override
        public void onJoin(final Seat seat)
        {
            state.onJoin(seat);
        }

        @Override
        public void onBack(final Seat seat)
        {
            state.onBack(seat);
        }

        @Override
        public void onStateLost(final Seat seat)
        {
            state.onStateLost(seat);
        }

        @Override
        public void onLeave(final Seat seat, final LeaveReason reason)
        {
            state.onLeave(seat);
        }

        @Override
        public void onSnapshot(final StateWriter writer)
        {
            state.write(writer);
        }

        @Override
        public void onRestore(final Room restored, final int version, final StateReader reader)
        {
            room = restored;
            state = SyncedState.restore(restored, SCHEMA, reader);
        }
    }
}
