package io.escapement.rooms.sync;

import io.escapement.codecs.sync.SyncSchema;
import io.escapement.codecs.sync.SyncSchema.Type;
import io.escapement.codecs.sync.SyncedCopy;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * The state of a {@link SyncRoom} in maps: no dirty bits, no sets, no memory of what was sent. Each view's state is
 * made from scratch.
 */
final class SyncTwin
{
    /** Generation and values of a row, as texts by field. */
    private static final class Row
    {
        private final int generation;
        private final Map<Integer, String> values = new HashMap<>();
        private final SyncedState.Sight[] sights;

        private Row(final int generation, final int views)
        {
            this.generation = generation;
            sights = new SyncedState.Sight[views];
            Arrays.fill(sights, SyncedState.Sight.OPEN);
        }
    }

    private static final SyncSchema SCHEMA = SyncRoom.SCHEMA;

    private final boolean isViewPerSeat;
    private final int views;
    private final Map<String, Row> rows = new HashMap<>();
    private final Map<String, Integer> generations = new HashMap<>();
    private final long[][] eyes;

    SyncTwin(final int viewsOfRoom)
    {
        isViewPerSeat = SyncRoom.VIEW_PER_SEAT == viewsOfRoom;
        views = isViewPerSeat ? SyncRoom.SEATS : viewsOfRoom;
        eyes = new long[views][];
        add(SyncSchema.ROOM, 0);
    }

    int views()
    {
        return views;
    }

    boolean has(final int table, final int row)
    {
        return rows.containsKey(key(table, row));
    }

    void join(final int seat, final long player)
    {
        add(SyncRoom.PLAYERS, seat);
        row(SyncRoom.PLAYERS, seat).values.put(SyncRoom.PLAYER, Long.toString(player));
        if (isViewPerSeat)
        {
            rows.values().forEach((row) -> row.sights[seat] = SyncedState.Sight.OPEN);
            row(SyncRoom.PLAYERS, seat).sights[seat] = SyncedState.Sight.EVERYTHING;
            eyes[seat] = null;
        }
    }

    void leave(final int seat)
    {
        rows.remove(key(SyncRoom.PLAYERS, seat));
    }

    void apply(final Op op)
    {
        switch (op.kind())
        {
            case SET, SET_DOUBLE, SET_TEXT ->
                row(SCHEMA.table(op.a()), op.b()).values.put(op.a(), text(op));
            case ADD ->
            {
                for (int row = 0; row < SCHEMA.capacity(op.a()); row++)
                {
                    if (!has(op.a(), row))
                    {
                        add(op.a(), row);
                        return;
                    }
                }
            }
            case REMOVE -> rows.remove(key(op.a(), op.b()));
            case SEE -> row(op.a(), op.b()).sights[op.c()] = SyncedState.Sight.values()[(int)op.value()];
            case LOOK -> eyes[op.c()] = new long[]{op.a(), op.b(), op.value()};
            default ->
            {
            }
        }
    }

    /** All that a view sees, as texts by row and field. */
    Map<String, String> seen(final int view)
    {
        final Map<String, String> seen = new TreeMap<>();
        for (int table = 0; table < SCHEMA.tables(); table++)
        {
            for (int index = 0; index < SCHEMA.capacity(table); index++)
            {
                final Row row = rows.get(key(table, index));
                if (null != row && SyncedState.Sight.HIDDEN != row.sights[view] &&
                    (SyncRoom.SHIPS != table || isInSight(row, eyes[view])))
                {
                    final String name = key(table, index);
                    seen.put(name, "generation " + row.generation);
                    for (int field = SCHEMA.firstField(table);
                        field < SCHEMA.firstField(table) + SCHEMA.fieldCount(table); field++)
                    {
                        final boolean isSecret =
                            SyncRoom.GOLD == field || SyncRoom.FUEL == field || SyncRoom.KEY == field;
                        seen.put(name + SCHEMA.fieldName(field),
                            isSecret && SyncedState.Sight.EVERYTHING != row.sights[view] ? zero(field) :
                            row.values.getOrDefault(field, zero(field)));
                    }
                }
            }
        }
        return seen;
    }

    /** All that a copy has, in the form of {@link #seen}. */
    static Map<String, String> held(final SyncedCopy copy)
    {
        final Map<String, String> held = new TreeMap<>();
        for (int table = 0; table < SCHEMA.tables(); table++)
        {
            for (int row = 0; row < SCHEMA.capacity(table); row++)
            {
                if (copy.isPresent(table, row))
                {
                    final String name = key(table, row);
                    held.put(name, "generation " + copy.generation(table, row));
                    for (int field = SCHEMA.firstField(table);
                        field < SCHEMA.firstField(table) + SCHEMA.fieldCount(table); field++)
                    {
                        held.put(name + SCHEMA.fieldName(field), text(copy, field, row));
                    }
                }
            }
        }
        return held;
    }

    private static String text(final SyncedCopy copy, final int field, final int row)
    {
        return switch (SCHEMA.type(field))
        {
            case TEXT -> copy.text(field, row);
            case FLOAT, DOUBLE -> Double.toString(copy.doubleValue(field, row));
            default -> Long.toString(copy.longValue(field, row));
        };
    }

    private static String text(final Op op)
    {
        return switch (SCHEMA.type(op.a()))
        {
            case TEXT -> op.text();
            case FLOAT -> Double.toString((float)Double.longBitsToDouble(op.value()));
            case DOUBLE -> Double.toString(Double.longBitsToDouble(op.value()));
            default -> Long.toString(op.value());
        };
    }

    private static String zero(final int field)
    {
        final Type type = SCHEMA.type(field);
        return Type.TEXT == type ? "" : Type.FLOAT == type || Type.DOUBLE == type ? "0.0" : "0";
    }

    private static boolean isInSight(final Row row, final long[] eye)
    {
        if (null == eye || eye[2] < 0)
        {
            return false;
        }
        final double x = Double.parseDouble(row.values.getOrDefault(SyncRoom.X, "0"));
        final double y = Double.parseDouble(row.values.getOrDefault(SyncRoom.Y, "0"));
        return isNear(x, eye[0], eye[2], 8) && isNear(y, eye[1], eye[2], 6);
    }

    private static boolean isNear(final double position, final long eye, final long radius, final int cells)
    {
        return cell(position, cells) >= cell(eye - radius, cells) && cell(position, cells) <= cell(eye + radius, cells);
    }

    private static int cell(final double position, final int cells)
    {
        final double cell = Math.floor(position / 50);
        return cell < 0 ? 0 : cell >= cells ? cells - 1 : (int)cell;
    }

    private void add(final int table, final int row)
    {
        final int generation = (generations.getOrDefault(key(table, row), 0) + 1) & 0xFFFF;
        generations.put(key(table, row), generation);
        rows.put(key(table, row), new Row(generation, views));
    }

    private Row row(final int table, final int row)
    {
        return rows.get(key(table, row));
    }

    private static String key(final int table, final int row)
    {
        return SCHEMA.tableName(table) + '[' + row + "].";
    }
}
