package io.escapement.rooms.sync;

import io.escapement.codecs.sync.SyncSchema;
import io.escapement.rooms.Seat;
import org.agrona.DirectBuffer;
import static io.escapement.codecs.sync.SyncSchema.Type.INT16;
import static io.escapement.codecs.sync.SyncSchema.Type.INT32;
import static io.escapement.codecs.sync.SyncSchema.Type.UINT16;

/** The example of engine/guide/state.md. */
final class Race extends SyncedRoom
{
    private static final SyncSchema.Builder BUILDER = SyncSchema.named("race");
    static final int LAP = BUILDER.field("lap", INT32);
    static final int CARS = BUILDER.seats("cars", 8);
    static final int X = BUILDER.field("x", INT16);
    static final int FUEL = BUILDER.secret().field("fuel", UINT16);
    static final SyncSchema SCHEMA = BUILDER.build();

    Race()
    {
        super(SCHEMA, 60, SyncedState::openWithViewPerSeat);
    }

    @Override
    public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
    {
        state().set(X, from.index(), buffer.getShort(offset));
        state().set(FUEL, from.index(), 100);
    }

    @Override
    protected void frame(final long frame, final long elapsedNs)
    {
        state().set(LAP, frame / 600);
    }
}
