package io.escapement.rooms.sync;

import io.escapement.codecs.sync.SyncSchema;
import io.escapement.config.ConfigException;
import io.escapement.rooms.Audience;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomDescription;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import java.nio.charset.StandardCharsets;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * State of a room that its clients copy. The room's logic sets fields, adds and removes rows, and calls
 * {@link #publish()} at the end of each frame: the differences since the last call leave as STATE, and seats that
 * joined, returned or lost a state receive a full state. Setting a field to the value that it has is no change.
 *
 * <p>{@link SyncedRoom} does what follows for its room: the logic passes on the callbacks {@link #onJoin},
 * {@link #onBack}, {@link #onLeave} and {@link #onStateLost}, and calls {@link #write} in onSnapshot and
 * {@link #restore} in onRestore.
 *
 * <p><b>Views.</b> The seats of a view see the same, in the same messages. A state has one view, several views that
 * seats are assigned to ({@link #assign}), or one view for each seat. A view sees all rows with their fields that are
 * not secret, unless {@link #see} limits it. Of a table with a grid it sees the rows near the point that it looks at
 * ({@link #look}). A copy has the value 0 of each field that its view does not see, and no other rows. The differences
 * of a state with one view go to {@link Room#everyone()}, even while a seat waits for its full state.
 *
 * <p><b>Limits.</b> A frame takes as many messages as it needs. A client applies them together.
 * {@link io.escapement.rooms.RoomType#outputLimit(int)} must be larger than {@link SyncSchema#maxFullStateLength()}, or
 * a full state may never arrive. A call of publish sends full states until they exceed {@value #FULL_STATES_LENGTH}
 * bytes. The other seats receive theirs in later calls. Open one state of a schema per room, and only once: its copies
 * ignore the full states of a second state with lower numbers.
 *
 * <p>No allocation after it is open. Use it in callbacks of its room only.
 */
public final class SyncedState
{
    /** Instead of a row: no row exists. */
    public static final int NO_ROW = -1;

    /** Most views of a state: each has five bits for every row. */
    public static final int MAX_VIEWS = 1_024;

    /**
     * Length of full states in one call of publish after which the others wait: half of a room's default output limit.
     */
    public static final int FULL_STATES_LENGTH = 32 * 1024;

    /**
     * Seats that lost a state wait a random part of this time for a full state. A slow trunk loses states of hundreds
     * of rooms at once. If each answered at once, the trunk would lose states once more.
     */
    public static final int FULL_STATE_SPREAD_MS = 250;

    /** Positions beyond are the border, so that no sum overflows. */
    private static final long MAX_POSITION = 1L << 60;

    /** How much of a row a view sees. */
    public enum Sight
    {
        /** Hidden: for the view the row does not exist. */
        HIDDEN,
        /** All fields but the secret ones. */
        OPEN,
        /** All fields. */
        EVERYTHING
    }

    private final Room room;
    private final SyncSchema schema;
    private final boolean isViewPerSeat;
    private final StateRows rows;
    private final SightGrid[] grids;
    private final boolean[] isGridMoved;
    private final StateView[] views;
    private final FrameEncoder encoder;
    private final Receivers receivers;
    /** The view with the next full state, so that each has its turn. */
    private int nextFullState;
    /** Whether a view may see other rows than at the last publish, without a change of any. */
    private boolean isSightChanged = true;

    private SyncedState(
        final Room room,
        final SyncSchema schema,
        final int viewCount,
        final boolean isViewPerSeat,
        final Receivers receivers)
    {
        this.room = room;
        this.schema = schema;
        this.isViewPerSeat = isViewPerSeat;
        this.receivers = receivers;
        rows = new StateRows(schema);
        int gridCount = 0;
        for (int table = 0; table < schema.tables(); table++)
        {
            gridCount += null != schema.grid(table) ? 1 : 0;
        }
        grids = new SightGrid[gridCount];
        isGridMoved = new boolean[gridCount];
        for (int table = schema.tables() - 1; table >= 0; table--)
        {
            if (null != schema.grid(table))
            {
                grids[--gridCount] = new SightGrid(rows, table);
            }
        }
        views = new StateView[viewCount];
        for (int view = 0; view < viewCount; view++)
        {
            views[view] = new StateView(view, rows, grids);
        }
        encoder = new FrameEncoder(room, rows);
    }

    /**
     * Open a state with one view, in onOpen. Creates a group of the room.
     *
     * @param room   of the state.
     * @param schema of the state.
     */
    public static SyncedState open(final Room room, final SyncSchema schema)
    {
        return open(room, schema, 1);
    }

    /**
     * Open a state with several views, in onOpen. Creates a group of the room. Seats join view 0.
     *
     * @param room   of the state.
     * @param schema of the state.
     * @param views  1 to {@value #MAX_VIEWS}.
     */
    public static SyncedState open(final Room room, final SyncSchema schema, final int views)
    {
        return open(room, schema, views, false);
    }

    /**
     * Open a state with a view for each seat, in onOpen: the view with the seat's index. It sees the secrets in the
     * rows of its seat. Spectators share a further view, {@link Room#seatLimit()}. It sees no secrets. Creates a group
     * of the room.
     *
     * @param room   of the state, with up to {@value #MAX_VIEWS} seats, less one if it has spectators.
     * @param schema of the state.
     */
    public static SyncedState openWithViewPerSeat(final Room room, final SyncSchema schema)
    {
        return open(room, schema, room.seatLimit() + (0 == room.spectatorLimit() ? 0 : 1), true);
    }

    private static SyncedState open(
        final Room room, final SyncSchema schema, final int views, final boolean isViewPerSeat)
    {
        ConfigException.check(views >= 1 && views <= MAX_VIEWS, "views", views, "must be 1 to " + MAX_VIEWS);
        for (int table = 0; table < schema.tables(); table++)
        {
            ConfigException.check(
                SyncSchema.Kind.SEATS != schema.kind(table) || schema.capacity(table) >= room.seatLimit(),
                schema.tableName(table), schema.capacity(table) + " rows",
                "must have one for each of the room's " + room.seatLimit() + " seats");
        }
        final SyncedState state = new SyncedState(room, schema, views, isViewPerSeat, Receivers.open(room, views));
        if (0 != schema.capacity(SyncSchema.ROOM))
        {
            state.rows.add(0);
        }
        return state;
    }

    /**
     * Continue a state from a snapshot, in onRestore.
     *
     * @param room   of the state.
     * @param schema with which it was written.
     * @param reader of the values that {@link #write} wrote.
     */
    public static SyncedState restore(final Room room, final SyncSchema schema, final StateReader reader)
    {
        final int fingerprint = reader.getInt();
        if (schema.fingerprint() != fingerprint)
        {
            throw new IllegalArgumentException("the state was written with another schema than " + schema.toJson());
        }
        final int viewCount = reader.getInt();
        final boolean isViewPerSeat = reader.getBoolean();
        final int nextFullState = reader.getInt();
        final SyncedState state = new SyncedState(
            room, schema, viewCount, isViewPerSeat, Receivers.restore(room, viewCount, reader));
        state.nextFullState = nextFullState;
        state.rows.read(reader);
        for (final StateView view : state.views)
        {
            view.read(reader);
        }
        for (final SightGrid grid : state.grids)
        {
            grid.update(state.rows.present);
        }
        return state;
    }

    /**
     * Write the state, in onSnapshot.
     *
     * @param writer to write to.
     */
    public void write(final StateWriter writer)
    {
        writer.putInt(schema.fingerprint());
        writer.putInt(views.length);
        writer.putBoolean(isViewPerSeat);
        writer.putInt(nextFullState);
        receivers.write(writer);
        rows.write(writer);
        for (final StateView view : views)
        {
            view.write(writer);
        }
    }

    /** The schema of the state. */
    public SyncSchema schema()
    {
        return schema;
    }

    /**
     * Set a field of the room.
     *
     * @param field of {@link SyncSchema#ROOM}.
     * @param value which the field's type can hold; 1 or 0 for a bool.
     */
    public void set(final int field, final long value)
    {
        rows.set(field, 0, value);
    }

    /**
     * Set a field of a row.
     *
     * @param field to set.
     * @param row   in the field's table.
     * @param value which the field's type can hold; 1 or 0 for a bool.
     */
    public void set(final int field, final int row, final long value)
    {
        rows.set(field, row, value);
    }

    /**
     * Set a field that is a float or a double.
     *
     * @param field to set.
     * @param row   in the field's table; 0 for the room.
     * @param value of the field.
     */
    public void setDouble(final int field, final int row, final double value)
    {
        rows.set(field, row, value);
    }

    /**
     * Set a field that is a text.
     *
     * @param field  to set.
     * @param row    in the field's table; 0 for the room.
     * @param buffer with the text as UTF-8.
     * @param offset of the text.
     * @param length of the text in bytes, up to the length of the field.
     */
    public void setText(
        final int field, final int row, final DirectBuffer buffer, final int offset, final int length)
    {
        rows.setText(field, row, buffer, offset, length);
    }

    /**
     * Set a field that is a text. Allocates. {@link #setText(int, int, DirectBuffer, int, int)} does not.
     *
     * @param field to set.
     * @param row   in the field's table; 0 for the room.
     * @param text  with UTF-8 that fits into the field.
     */
    public void setText(final int field, final int row, final String text)
    {
        final byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        rows.setText(field, row, new UnsafeBuffer(bytes), 0, bytes.length);
    }

    /**
     * The value of a field that is an integer or a bool.
     *
     * @param field to read.
     * @param row   in the field's table; 0 for the room.
     */
    public long longValue(final int field, final int row)
    {
        return rows.longValue(field, row);
    }

    /**
     * The value of a field that is a float or a double.
     *
     * @param field to read.
     * @param row   in the field's table; 0 for the room.
     */
    public double doubleValue(final int field, final int row)
    {
        return rows.doubleValue(field, row);
    }

    /**
     * Copy the value of a field that is a text.
     *
     * @param field       to read.
     * @param row         in the field's table; 0 for the room.
     * @param destination for the text as UTF-8.
     * @param offset      in the destination.
     * @return the number of bytes.
     */
    public int text(final int field, final int row, final MutableDirectBuffer destination, final int offset)
    {
        final int length = rows.textLength(field, row);
        destination.putBytes(offset, rows.values, rows.at(field, row) + 1, length);
        return length;
    }

    /**
     * Name all values for people, also secret ones: {@code field} of the room, {@code table[row].field} of a table.
     *
     * @param description to put the values into.
     */
    public void describe(final RoomDescription description)
    {
        for (int table = 0; table < schema.tables(); table++)
        {
            for (int row = rows.next(table, 0); NO_ROW != row; row = rows.next(table, row + 1))
            {
                final String prefix = SyncSchema.ROOM == table ? "" : schema.tableName(table) + "[" + row + "].";
                for (int i = 0; i < schema.fieldCount(table); i++)
                {
                    final int field = schema.firstField(table) + i;
                    describe(description, prefix + schema.fieldName(field), field, row);
                }
            }
        }
    }

    private void describe(final RoomDescription description, final String name, final int field, final int row)
    {
        switch (schema.type(field))
        {
            case FLOAT, DOUBLE -> description.put(name, rows.doubleValue(field, row));
            case TEXT -> description.put(name, rows.values.getStringWithoutLengthUtf8(
                rows.at(field, row) + 1, rows.textLength(field, row)));
            default -> description.put(name, rows.longValue(field, row));
        }
    }

    /**
     * Add an entity. Its fields are 0.
     *
     * @param table of entities.
     * @return its row: the first free row, or {@link #NO_ROW} when the table is full.
     */
    public int add(final int table)
    {
        checkEntities(table);
        final int row = rows.firstFree(table);
        if (NO_ROW != row)
        {
            rows.add(rows.row(table, row));
        }
        return row;
    }

    /**
     * Remove an entity. Its row is free for another.
     *
     * @param table of entities.
     * @param row   of the entity.
     */
    public void remove(final int table, final int row)
    {
        checkEntities(table);
        removeRow(rows.row(table, row));
    }

    /**
     * Whether a row exists.
     *
     * @param table of the row.
     * @param row   in the table.
     */
    public boolean isPresent(final int table, final int row)
    {
        return StateRows.contains(rows.present, rows.row(table, row));
    }

    /**
     * The first existing row at or after a row.
     *
     * @param table   of the row.
     * @param fromRow 0, or the row after the last.
     * @return the row, or {@link #NO_ROW}.
     */
    public int next(final int table, final int fromRow)
    {
        return rows.next(table, fromRow);
    }

    /**
     * Number of the entity in a row: the next entity in the same row has another.
     *
     * @param table of the row.
     * @param row   in the table.
     */
    public int generation(final int table, final int row)
    {
        return rows.generation(rows.row(table, row));
    }

    /**
     * A player joined: its rows are added, and it receives a full state with the next publish. A spectator has no rows.
     *
     * @param seat of the player.
     */
    public void onJoin(final Seat seat)
    {
        if (seat.isSpectator())
        {
            receivers.await(seat, isViewPerSeat ? room.seatLimit() : 0);
            return;
        }
        final int view = isViewPerSeat ? seat.index() : 0;
        if (isViewPerSeat)
        {
            views[view].reset();
            isSightChanged = true;
        }
        for (int table = 0; table < schema.tables(); table++)
        {
            if (SyncSchema.Kind.SEATS == schema.kind(table))
            {
                final int row = rows.row(table, seat.index());
                rows.add(row);
                if (isViewPerSeat)
                {
                    StateRows.include(views[view].secretsGranted, row);
                }
            }
        }
        receivers.await(seat, view);
    }

    /**
     * A player returned to its seat, and receives a full state with the next publish.
     *
     * @param seat of the player.
     */
    public void onBack(final Seat seat)
    {
        requestFullState(seat);
    }

    /**
     * A seat is freed, and its rows with it.
     *
     * @param seat of the player.
     */
    public void onLeave(final Seat seat)
    {
        receivers.leave(seat);
        for (int table = 0; table < schema.tables() && !seat.isSpectator(); table++)
        {
            if (SyncSchema.Kind.SEATS == schema.kind(table))
            {
                removeRow(rows.row(table, seat.index()));
            }
        }
    }

    /**
     * State to a seat was dropped. It receives a full state within 250 ms. Its copy applies no differences until then.
     * If the state has several views, the seat is sent no differences until then.
     *
     * @param seat that lost it.
     */
    public void onStateLost(final Seat seat)
    {
        receivers.onLost(seat);
    }

    /**
     * Send a seat a full state with the next publish.
     *
     * @param seat that has joined.
     */
    public void requestFullState(final Seat seat)
    {
        checkJoined(seat);
        receivers.await(seat, receivers.viewOf(seat));
    }

    /** Whether a seat waits for a full state. Then a room without frames must publish once more. */
    public boolean isFullStateDue()
    {
        return receivers.isWaiting();
    }

    /**
     * Assign a seat to a view. It receives a full state with the next publish.
     *
     * @param seat that has joined.
     * @param view 0 up to the number of views, exclusive.
     */
    public void assign(final Seat seat, final int view)
    {
        checkJoined(seat);
        receivers.await(seat, checkView(view));
    }

    /**
     * Decide how much of a row each view sees, until the row is removed. All rows are {@link Sight#OPEN} at first.
     *
     * @param view  that sees.
     * @param table of the row.
     * @param row   in the table.
     * @param sight how much.
     */
    public void see(final int view, final int table, final int row, final Sight sight)
    {
        final int number = rows.row(table, row);
        if (!StateRows.contains(rows.present, number))
        {
            throw new IllegalArgumentException(schema.tableName(table) + " has no row " + row);
        }
        views[checkView(view)].grant(number, Sight.HIDDEN != sight, Sight.EVERYTHING == sight);
        isSightChanged = true;
    }

    /**
     * Have a view look at a square of a table's grid. Without it, the view sees no row of that table.
     *
     * @param view   that looks.
     * @param table  with a grid.
     * @param x      of the middle, in units of the rows' positions.
     * @param y      of the middle.
     * @param radius half of the side. Negative to see no rows.
     */
    public void look(final int view, final int table, final long x, final long y, final long radius)
    {
        for (int grid = 0; grid < grids.length; grid++)
        {
            if (table == grids[grid].table())
            {
                views[checkView(view)].look(grid, clamp(x), clamp(y), clamp(radius));
                isSightChanged = true;
                return;
            }
        }
        throw new IllegalArgumentException(schema.tableName(table) + " has no grid");
    }

    /** Send what changed, and the full states that are due. Call it at the end of each frame. */
    public void publish()
    {
        if (rows.isChanged() || isSightChanged)
        {
            publishDifferences();
        }
        if (receivers.isWaiting())
        {
            publishFullStates();
        }
    }

    private void publishDifferences()
    {
        for (int grid = 0; grid < grids.length; grid++)
        {
            isGridMoved[grid] = grids[grid].update(rows.touched);
        }
        for (final StateView view : views)
        {
            view.updateSight(isGridMoved);
            if (view.isChanged())
            {
                final Audience audience = receivers.current(view.number);
                // Without a receiver the state also has a number. A client with an older state must not take it for the
                // base of the next.
                if (null == audience || encoder.difference(view, audience))
                {
                    view.countState();
                }
                view.commit();
            }
        }
        rows.clearChanges();
        isSightChanged = false;
    }

    private void publishFullStates()
    {
        int length = 0;
        for (int i = 0, view = nextFullState; i < views.length && length < FULL_STATES_LENGTH; i++)
        {
            final Audience audience = receivers.isWaiting(view) ? receivers.due(view) : null;
            final int next = view + 1 < views.length ? view + 1 : 0;
            if (null != audience)
            {
                length += encoder.fullState(views[view], audience);
                receivers.sent(view);
                nextFullState = next;
            }
            view = next;
        }
    }

    private void removeRow(final int row)
    {
        rows.remove(row);
        for (final StateView view : views)
        {
            view.grant(row, true, false);
        }
    }

    private void checkEntities(final int table)
    {
        if (SyncSchema.Kind.ENTITIES != schema.kind(table))
        {
            throw new IllegalArgumentException(schema.tableName(table) + " has no entities");
        }
    }

    private void checkJoined(final Seat seat)
    {
        if (Receivers.NO_VIEW == receivers.viewOf(seat))
        {
            throw new IllegalArgumentException("seat " + seat.index() + " was not passed to onJoin");
        }
    }

    private int checkView(final int view)
    {
        if (view < 0 || view >= views.length)
        {
            throw new IllegalArgumentException("view " + view + " of " + views.length);
        }
        return view;
    }

    private static long clamp(final long position)
    {
        return Math.max(-MAX_POSITION, Math.min(MAX_POSITION, position));
    }
}
