package io.escapement.rooms.sync;

import io.escapement.codecs.sync.SyncSchema;
import io.escapement.config.ConfigException;
import io.escapement.rooms.LeaveReason;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomDescription;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import java.util.function.BiFunction;
import org.agrona.DirectBuffer;

/**
 * A room with clients that copy its state. It opens the {@link SyncedState}, passes every callback on to it, publishes
 * it after each frame, and keeps it in snapshots. A game overrides {@link #opened}, {@link #joined} and so on instead
 * of the callbacks of {@link RoomLogic} with a similar name, and keeps as much as it can in the state. A value outside
 * the state must be written in {@link #saving} and read in {@link #restored}.
 */
public abstract class SyncedRoom implements RoomLogic
{
    private final SyncSchema schema;
    private final int frameRate;
    private final BiFunction<Room, SyncSchema, SyncedState> opening;
    private Room room;
    private SyncedState state;

    /**
     * Make the logic of a room if all its seats see the same.
     *
     * @param schema    of the state.
     * @param frameRate in frames per second. Each frame publishes the changes.
     */
    protected SyncedRoom(final SyncSchema schema, final int frameRate)
    {
        this(schema, frameRate, SyncedState::open);
    }

    /**
     * Make the logic of a room.
     *
     * @param schema    of the state.
     * @param frameRate in frames per second. Each frame publishes the changes.
     * @param opening   opens the state, such as {@code SyncedState::openWithViewPerSeat}.
     */
    protected SyncedRoom(
        final SyncSchema schema, final int frameRate, final BiFunction<Room, SyncSchema, SyncedState> opening)
    {
        ConfigException.check(frameRate > 0, "frameRate", frameRate, "must be 1 or more");
        this.schema = schema;
        this.frameRate = frameRate;
        this.opening = opening;
    }

    /** The room, from {@link #opened} or {@link #restored} on. */
    protected final Room room()
    {
        return room;
    }

    /** The state, from {@link #opened} or {@link #restored} on. */
    protected final SyncedState state()
    {
        return state;
    }

    /** The room has opened, and its state is empty. Buffer and range are the arguments of {@link #onOpen}. */
    protected void opened(final DirectBuffer args, final int offset, final int length)
    {
    }

    /** A player has taken a seat. It has its row in each table of seats. */
    protected void joined(final Seat seat)
    {
    }

    /** A player has returned to its seat. */
    protected void returned(final Seat seat)
    {
    }

    /** A seat is about to be freed. Its rows are still there. Codes are as in {@link #onLeave}. */
    protected void leaving(final Seat seat, final LeaveReason reason, final int code)
    {
    }

    /** A frame, before its changes are published. Arguments are as in {@link #onFrame}. */
    protected void frame(final long frame, final long elapsedNs)
    {
    }

    /** Write the values that are not in the state. */
    protected void saving(final StateWriter writer)
    {
    }

    /**
     * The room and its state have been restored: read what {@link #saving} wrote.
     *
     * @param version of the type that wrote it.
     * @param reader  of the values.
     */
    protected void restored(final int version, final StateReader reader)
    {
    }

    /** Name the values that are not in the state, as in {@link #onDescribe}. */
    protected void describing(final RoomDescription description)
    {
    }

    @Override
    public final void onOpen(final Room newRoom, final DirectBuffer args, final int offset, final int length)
    {
        room = newRoom;
        state = opening.apply(room, schema);
        room.frameRate(frameRate);
        opened(args, offset, length);
    }

    @Override
    public final void onJoin(final Seat seat)
    {
        state.onJoin(seat);
        joined(seat);
    }

    @Override
    public final void onBack(final Seat seat)
    {
        state.onBack(seat);
        returned(seat);
    }

    @Override
    public final void onLeave(final Seat seat, final LeaveReason reason, final int code)
    {
        leaving(seat, reason, code);
        state.onLeave(seat);
    }

    @Override
    public final void onStateLost(final Seat seat)
    {
        state.onStateLost(seat);
    }

    @Override
    public final void onFrame(final long frame, final long elapsedNs)
    {
        frame(frame, elapsedNs);
        state.publish();
    }

    @Override
    public final void onSnapshot(final StateWriter writer)
    {
        state.write(writer);
        saving(writer);
    }

    @Override
    public final void onRestore(final Room newRoom, final int version, final StateReader reader)
    {
        room = newRoom;
        state = SyncedState.restore(room, schema, reader);
        restored(version, reader);
    }

    @Override
    public final void onDescribe(final RoomDescription description)
    {
        state.describe(description);
        describing(description);
    }
}
