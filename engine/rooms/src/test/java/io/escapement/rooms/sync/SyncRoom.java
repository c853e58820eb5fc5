package io.escapement.rooms.sync;

import io.escapement.codecs.sync.SyncSchema;
import io.escapement.codecs.sync.SyncSchema.Type;
import io.escapement.rooms.LeaveReason;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import org.agrona.DirectBuffer;

/** A room that does to its state what the signals say, and publishes it each frame. */
final class SyncRoom implements RoomLogic
{
    static final int RATE_HZ = 100;
    static final int SEATS = 5;
    static final int VIEWS = 3;
    /** In place of a number of views. */
    static final int VIEW_PER_SEAT = 0;

    private static final SyncSchema.Builder BUILDER = SyncSchema.named("world");
    static final int ROUND = BUILDER.field("round", Type.INT32);
    static final int IS_OVER = BUILDER.field("isOver", Type.BOOL);
    static final int TITLE = BUILDER.text("title", 20);
    static final int PLAYERS = BUILDER.seats("players", SEATS);
    static final int PLAYER = BUILDER.field("player", Type.ID);
    static final int SCORE = BUILDER.field("score", Type.UINT32);
    static final int GOLD = BUILDER.secret().field("gold", Type.INT64);
    static final int SHIPS = BUILDER.entities("ships", 70);
    static final int X = BUILDER.field("x", Type.INT16);
    static final int Y = BUILDER.field("y", Type.FLOAT);
    static final int HEALTH = BUILDER.field("health", Type.UINT8);
    static final int TURN = BUILDER.field("turn", Type.INT8);
    static final int FUEL = BUILDER.secret().field("fuel", Type.UINT16);
    static final int NOTES = BUILDER.grid(X, Y, 50, 8, 6).entities("notes", 90);
    static final int BODY = BUILDER.text("body", 200);
    static final int HEAT = BUILDER.field("heat", Type.DOUBLE);
    static final int KEY = BUILDER.secret().text("key", 9);
    static final SyncSchema SCHEMA = BUILDER.build();

    private final int views;
    private Room room;
    private SyncedState state;

    private SyncRoom(final int views)
    {
        this.views = views;
    }

    static RoomType type(final int views, final int outputLimit)
    {
        return RoomType.of(1, "sync", 1, () -> new SyncRoom(views)).seats(SEATS).outputLimit(outputLimit)
            .flush(RoomType.Flush.FRAME);
    }

    @Override
    public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
    {
        room = opened;
        room.frameRate(RATE_HZ);
        // A state finds its group whatever its index.
        room.newGroup();
        state = VIEW_PER_SEAT == views ? SyncedState.openWithViewPerSeat(room, SCHEMA) :
            SyncedState.open(room, SCHEMA, views);
    }

    @Override
    public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
    {
        throw new IllegalStateException("players of this room say nothing");
    }

    @Override
    public void onSignal(final long from, final DirectBuffer buffer, final int offset, final int length)
    {
        final Op op = Op.decode(buffer, offset, length);
        switch (op.kind())
        {
            case SET -> state.set(op.a(), op.b(), op.value());
            case SET_DOUBLE -> state.setDouble(op.a(), op.b(), Double.longBitsToDouble(op.value()));
            case SET_TEXT -> state.setText(op.a(), op.b(), op.text());
            case ADD -> state.add(op.a());
            case REMOVE -> state.remove(op.a(), op.b());
            case SEE -> state.see(op.c(), op.a(), op.b(), SyncedState.Sight.values()[(int)op.value()]);
            case LOOK -> state.look(op.c(), SHIPS, op.a(), op.b(), op.value());
            case ASSIGN -> state.assign(room.seat(op.a()), op.b());
            default -> state.requestFullState(room.seat(op.a()));
        }
    }

    @Override
    public void onJoin(final Seat seat)
    {
        state.onJoin(seat);
        state.set(PLAYER, seat.index(), seat.playerId());
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

    @Override
    public void onFrame(final long frame, final long elapsedNs)
    {
        state.publish();
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
        state = SyncedState.restore(room, SCHEMA, reader);
    }
}
