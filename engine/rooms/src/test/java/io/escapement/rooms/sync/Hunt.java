package io.escapement.rooms.sync;

import io.escapement.codecs.sync.SyncSchema;
import io.escapement.rooms.Seat;
import org.agrona.DirectBuffer;
import static io.escapement.codecs.sync.SyncSchema.Type.INT32;

/** The grid of engine/guide/state.md: each player sees the animals that are near. */
final class Hunt extends SyncedRoom
{
    private static final SyncSchema.Builder BUILDER = SyncSchema.named("hunt");
    static final int ANIMALS = BUILDER.entities("animals", 256);
    static final int X = BUILDER.field("x", INT32);
    static final int Y = BUILDER.field("y", INT32);
    static final SyncSchema SCHEMA = BUILDER.grid(X, Y, 100, 40, 40).build();

    Hunt()
    {
        super(SCHEMA, 20, SyncedState::openWithViewPerSeat);
    }

    @Override
    protected void joined(final Seat seat)
    {
        state().look(seat.index(), ANIMALS, 2_000, 2_000, 500);
    }

    @Override
    protected void opened(final DirectBuffer args, final int offset, final int length)
    {
        state().add(ANIMALS);
    }

    /** The player moves the animal. */
    @Override
    public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
    {
        state().set(X, 0, buffer.getInt(offset));
        state().set(Y, 0, buffer.getInt(offset + Integer.BYTES));
    }
}
