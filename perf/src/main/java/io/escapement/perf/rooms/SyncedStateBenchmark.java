package io.escapement.perf.rooms;

import io.escapement.codecs.sync.SyncSchema;
import io.escapement.codecs.sync.SyncSchema.Type;
import io.escapement.codecs.sync.SyncedCopy;
import io.escapement.perf.JvmFlags;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.output.NoOutputs;
import io.escapement.rooms.sync.SyncedState;
import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Frames of a room of 16 players with 64 entities of five fields: a number of fields changes, or a full state is sent.
 * The cost of a changed field is the difference of the scores with and without changes, divided by their number. A copy
 * applies the message of such a frame.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 3, jvmArgsAppend = JvmFlags.ADD_OPENS)
public class SyncedStateBenchmark
{
    private static final int RATE_HZ = 100;
    private static final long PERIOD_NS = 1_000_000_000L / RATE_HZ;
    private static final int PLAYERS = 16;
    private static final int ENTITIES = 64;
    private static final int SEQUENCE = 12;

    private static final SyncSchema.Builder BUILDER = SyncSchema.named("arena");
    private static final int UNITS = BUILDER.entities("units", ENTITIES);
    private static final int X = BUILDER.field("x", Type.INT16);
    static final int Y = BUILDER.field("y", Type.INT16);
    static final int SCORE = BUILDER.field("score", Type.INT32);
    private static final int HEALTH = BUILDER.field("health", Type.UINT8);
    private static final int FACING = BUILDER.field("facing", Type.FLOAT);
    private static final SyncSchema SCHEMA = BUILDER.build();

    /** A room with a frame that changes fields, and a copy with the message of a frame. */
    @State(Scope.Thread)
    public static class Rooms
    {
        @Param({"none", "same64", "1", "64", "320", "full state"})
        private String change;

        private BenchedHost benched;
        private UnsafeBuffer message;
        private SyncedCopy copy;
        private long nowNs;

        /** Open the room, and keep its last message. */
        @Setup(Level.Trial)
        public void setUp()
        {
            final RoomType type = RoomType.of(1, "synced", 1, () -> new Units(change)).seats(PLAYERS);
            benched = new BenchedHost(type, 1, PLAYERS);
            copy = new SyncedCopy(SCHEMA);
            for (int i = 0; i < 10; i++)
            {
                turn(this);
                benched.outputs.forEach(new Receiver(this));
                benched.outputs.reset();
            }
            if (!copy.isCurrent())
            {
                throw new IllegalStateException("no full state");
            }
            if (null != message)
            {
                System.err.println("bytes of a frame with " + change + ": " + message.capacity());
            }
        }
    }

    /** One frame of the room. */
    @Benchmark
    public int frame(final Rooms state)
    {
        turn(state);
        final int length = state.benched.outputs.length();
        state.benched.outputs.reset();
        return length;
    }

    /** A client applies a message. Without changes no message exists. */
    @Benchmark
    public SyncedCopy.Result apply(final Rooms state)
    {
        if (null == state.message)
        {
            return SyncedCopy.Result.IGNORED;
        }
        state.message.putInt(SEQUENCE, state.copy.sequence() + 1, ByteOrder.LITTLE_ENDIAN);
        final SyncedCopy.Result result = state.copy.apply(state.message, 0, state.message.capacity());
        if (SyncedCopy.Result.APPLIED != result)
        {
            throw new IllegalStateException("a message was " + result);
        }
        return result;
    }

    private static void turn(final Rooms state)
    {
        state.nowNs += PERIOD_NS;
        state.benched.host.beginTurn(state.nowNs);
        state.benched.host.endTurn();
    }

    private static final class Receiver extends NoOutputs
    {
        private final Rooms state;

        Receiver(final Rooms state)
        {
            this.state = state;
        }

        @Override
        public void message(
            final int link,
            final long roomId,
            final int outputClass,
            final int audience,
            final long selector,
            final DirectBuffer buffer,
            final int offset,
            final int length)
        {
            final boolean isFullState = SyncSchema.FULL_STATE == buffer.getShort(offset + 2, ByteOrder.LITTLE_ENDIAN);
            state.copy.apply(buffer, offset, length);
            if (!isFullState || "full state".equals(state.change))
            {
                state.message = new UnsafeBuffer(new byte[length]);
                state.message.putBytes(0, buffer, offset, length);
            }
        }
    }

    private static final class Units implements RoomLogic
    {
        private final String change;
        private final boolean isSame;
        private final int changes;
        private Room room;
        private SyncedState state;

        Units(final String change)
        {
            this.change = change;
            isSame = change.startsWith("same");
            final String number = change.replaceAll("[a-z]+", "");
            changes = number.isEmpty() ? 0 : Integer.parseInt(number);
        }

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            room = opened;
            state = SyncedState.open(room, SCHEMA);
            for (int unit = 0; unit < ENTITIES; unit++)
            {
                state.add(UNITS);
                for (int field = X; field <= HEALTH; field++)
                {
                    state.set(field, unit, 100);
                }
                state.setDouble(FACING, unit, 100);
            }
            room.frameRate(RATE_HZ);
        }

        @Override
        public void onJoin(final Seat seat)
        {
            state.onJoin(seat);
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            throw new IllegalStateException("players of this room say nothing");
        }

        @Override
        public void onFrame(final long frame, final long elapsedNs)
        {
            final long value = isSame ? 100 : 1 + frame % 100;
            for (int i = 0; i < changes; i++)
            {
                // The x of all units first.
                final int field = X + i / ENTITIES;
                final int unit = i % ENTITIES;
                if (FACING == field)
                {
                    state.setDouble(field, unit, value);
                }
                else
                {
                    state.set(field, unit, value);
                }
            }
            if ("full state".equals(change))
            {
                state.requestFullState(room.seat(0));
            }
            state.publish();
        }
    }
}
