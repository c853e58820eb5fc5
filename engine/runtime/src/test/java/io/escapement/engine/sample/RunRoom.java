package io.escapement.engine.sample;

import io.escapement.codecs.sync.SyncSchema;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.sync.SyncedRoom;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import static io.escapement.codecs.sync.SyncSchema.Type.INT32;
import static io.escapement.codecs.sync.SyncSchema.Type.INT64;
import static io.escapement.codecs.sync.SyncSchema.Type.UINT32;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

/** Runners on a line, which the guide shows. A page predicts its own runner with the same step. */
final class RunRoom extends SyncedRoom
{
    static final int BAD_INPUT = FIRST_APPLICATION_CODE;
    static final int BURST = 6;

    private static final SyncSchema.Builder BUILDER = SyncSchema.named("run");
    static final int TIME_MS = BUILDER.field("timeMs", INT64);
    static final int RUNNERS = BUILDER.seats("runners", 16);
    static final int X = BUILDER.field("x", INT32);
    static final int INPUT = BUILDER.field("input", UINT32);
    static final SyncSchema SCHEMA = BUILDER.build();

    private static final long STEP_NS = 1_000_000_000L / 30;
    private static final int SPEED = 8;
    private static final int TRACK = 4_000;
    private static final int INPUT_LENGTH = Integer.BYTES + Byte.BYTES;

    RunRoom()
    {
        super(SCHEMA, 30);
    }

    static RoomType type()
    {
        return RoomType.of(1, "run", 1, RunRoom::new).seats(16).seatData(Long.BYTES).schema(SCHEMA);
    }

    @Override
    public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
    {
        final long nowNs = room().nowNs();
        final MutableDirectBuffer data = room().data(from);
        final long fullAtNs = Math.max(nowNs, data.getLong(0, LITTLE_ENDIAN)) + STEP_NS;
        if (INPUT_LENGTH != length || fullAtNs - nowNs > BURST * STEP_NS)
        {
            room().refuse(from, BAD_INPUT);
            return;
        }
        data.putLong(0, fullAtNs, LITTLE_ENDIAN);
        final int runner = from.index();
        final int direction = Integer.signum(buffer.getByte(offset + Integer.BYTES));
        state().set(X, runner, step((int)state().longValue(X, runner), direction));
        state().set(INPUT, runner, Integer.toUnsignedLong(buffer.getInt(offset, LITTLE_ENDIAN)));
    }

    private static int step(final int x, final int direction)
    {
        return Math.max(0, Math.min(TRACK, x + direction * SPEED));
    }

    @Override
    protected void frame(final long frame, final long elapsedNs)
    {
        state().set(TIME_MS, room().nowNs() / 1_000_000);
    }
}
