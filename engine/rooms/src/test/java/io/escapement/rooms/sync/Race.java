package io.escapement.rooms.sync;

import io.escapement.codecs.sync.SyncSchema;
import io.escapement.rooms.LeaveReason;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.Seat;
import org.agrona.DirectBuffer;
import static io.escapement.codecs.sync.SyncSchema.Type.INT16;
import static io.escapement.codecs.sync.SyncSchema.Type.INT32;
import static io.escapement.codecs.sync.SyncSchema.Type.UINT16;

/** The example of engine/rooms/README.md. */
final class Race implements RoomLogic
{
    private static final SyncSchema.Builder BUILDER = SyncSchema.named("race");
    static final int LAP = BUILDER.field("lap", INT32);
    static final int CARS = BUILDER.seats("cars", 8);
    static final int X = BUILDER.field("x", INT16);
    static final int FUEL = BUILDER.secret().field("fuel", UINT16);
    static final SyncSchema SCHEMA = BUILDER.build();

    private SyncedState state;

    @Override
    public void onOpen(final Room room, final DirectBuffer args, final int offset, final int length)
    {
        state = SyncedState.openWithViewPerSeat(room, SCHEMA);
        room.frameRate(60);
    }

    @Override
    public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
    {
        state.set(X, from.index(), buffer.getShort(offset));
        state.set(FUEL, from.index(), 100);
    }

    @Override
    public void onFrame(final long frame, final long elapsedNs)
    {
        state.set(LAP, frame / 600);
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
    public void onLeave(final Seat seat, final LeaveReason reason)
    {
        state.onLeave(seat);
    }

    @Override
    public void onStateLost(final Seat seat)
    {
        state.onStateLost(seat);
    }
}
