package io.escapement.codecs.sync;

import io.escapement.codecs.JsonWriter;
import io.escapement.codecs.TrunkMessages;
import io.escapement.config.ConfigException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.agrona.DirectBuffer;

/**
 * The layout of state that a room keeps and its clients copy: tables of rows with fields at fixed offsets in one
 * buffer. A table is the room's own single row, the entities of one kind, or one row for each seat. Fields and tables
 * are numbers. An application keeps them in constants:
 *
 * <pre>{@code
 *   private static final SyncSchema.Builder BUILDER = SyncSchema.named("fight");
 *   static final int ROUND = BUILDER.field("round", INT32);
 *   static final int SHIPS = BUILDER.entities("ships", 64);
 *   static final int X = BUILDER.field("x", INT16);
 *   static final int Y = BUILDER.field("y", INT16);
 *   static final SyncSchema SCHEMA = BUILDER.build();
 * }</pre>
 *
 * <p>Immutable. {@link #toJson()} is the same schema for a client in JavaScript.
 */
public final class SyncSchema
{
    /** Schema id in the header of each message of synchronised state. */
    public static final int SCHEMA_ID = 705;

    /** Version in that header. */
    public static final int VERSION = 0;

    /** Template id of a full state: the whole state. */
    public static final int FULL_STATE = 1;

    /** Template id of a difference from the state with a sequence lower by 1. */
    public static final int DIFFERENCE = 2;

    /** Bytes of a message before its records: the header of 8 bytes and the root block. */
    public static final int HEADER_LENGTH = 20;

    /** Most fields of a table: a row's mask is a long. */
    public static final int MAX_FIELDS = Long.SIZE;

    /** Bits of a row's number on the wire. The operation of its record is in the two above. */
    public static final int ROW_BITS = 14;

    /** Operation of a record: fields of a row have other values. */
    public static final int CHANGE = 0;

    /** Operation of a record: a row exists. */
    public static final int ADD = 1;

    /** Operation of a record: a row is gone. */
    public static final int REMOVE = 2;

    /** Most rows of all tables. */
    public static final int MAX_ROWS = 1 << ROW_BITS;

    /** Most tables. */
    public static final int MAX_TABLES = 32;

    /** Most bytes of a text. */
    public static final int MAX_TEXT_LENGTH = 255;

    /** Longest record of one row, so that several fit into a message. */
    public static final int MAX_RECORD_LENGTH = 2 * 1024;

    /** Longest full state: 32 messages of 8 KiB. A trunk with a few of them waiting would lose everything else. */
    public static final int MAX_FULL_STATE_LENGTH = 256 * 1024;

    /** The table of the room's own fields. Its single row is always there. */
    public static final int ROOM = 0;

    private static final int MAX_NAME_LENGTH = 64;

    /** The type of a field. Values are little-endian, in memory as on the wire. */
    public enum Type
    {
        /** True or false, in a byte. */
        BOOL(1),
        /** 8 bits with a sign. */
        INT8(1),
        /** 8 bits. */
        UINT8(1),
        /** 16 bits with a sign. */
        INT16(2),
        /** 16 bits. */
        UINT16(2),
        /** 32 bits with a sign. */
        INT32(4),
        /** 32 bits. */
        UINT32(4),
        /** 64 bits with a sign, a {@code number} in JavaScript: exact up to 2<sup>53</sup>. */
        INT64(8),
        /** 64 bits, a {@code bigint} in JavaScript. */
        ID(8),
        /** A float. */
        FLOAT(4),
        /** A double. */
        DOUBLE(8),
        /** UTF-8 after its length in a byte. */
        TEXT(1);

        private final int size;

        Type(final int size)
        {
            this.size = size;
        }
    }

    /** Which rows a table has. */
    public enum Kind
    {
        /** The single row of the room. */
        ROOM,
        /** Rows that the room adds and removes. */
        ENTITIES,
        /** The row of a seat has the seat's index, from its join until it leaves. */
        SEATS
    }

    private record Field(String name, Type type, int table, int size, boolean isSecret)
    {
    }

    private record Table(String name, Kind kind, int capacity, int firstField)
    {
    }

    /**
     * Cells of a table's rows, for views that look at a part of them.
     *
     * @param xField   with the horizontal position.
     * @param yField   with the vertical position.
     * @param cellSize in units of the positions.
     * @param columns  of cells.
     * @param rows     of cells.
     */
    public record Grid(int xField, int yField, int cellSize, int columns, int rows)
    {
    }

    private final String name;
    private final String json;
    private final int fingerprint;
    private final Table[] tables;
    private final Field[] fields;
    private final Grid[] grids;
    private final int[] firstRow;
    private final int[] firstByte;
    private final int[] rowLength;
    private final int[] maxRecordLength;
    private final int[] maskLength;
    private final long[] secrets;
    private final int[] fieldOffset;
    private final byte[] tableOfRow;
    private final int stateLength;
    private final int maxFullStateLength;

    private SyncSchema(final Builder builder)
    {
        tables = builder.tables.toArray(new Table[0]);
        fields = builder.fields.toArray(new Field[0]);
        grids = Arrays.copyOf(builder.grids.toArray(new Grid[0]), tables.length);
        firstRow = new int[tables.length + 1];
        firstByte = new int[tables.length];
        rowLength = new int[tables.length];
        maxRecordLength = new int[tables.length];
        maskLength = new int[tables.length];
        secrets = new long[tables.length];
        fieldOffset = new int[fields.length];
        long bytes = 0;
        long fullState = 0;
        for (int t = 0; t < tables.length; t++)
        {
            final Table table = tables[t];
            ConfigException.check(Kind.ROOM == table.kind || fieldCount(t) > 0, table.name, fieldCount(t) + " fields",
                "must have a field");
            for (int f = table.firstField; f < table.firstField + fieldCount(t); f++)
            {
                fieldOffset[f] = rowLength[t];
                rowLength[t] += fields[f].size;
                secrets[t] |= fields[f].isSecret ? 1L << (f - table.firstField) : 0;
            }
            maskLength[t] = (fieldCount(t) + Byte.SIZE - 1) / Byte.SIZE;
            maxRecordLength[t] = 2 + 2 + maskLength[t] + rowLength[t];
            ConfigException.check(maxRecordLength[t] <= MAX_RECORD_LENGTH, table.name,
                "rows of " + maxRecordLength[t] + " bytes", "must have at most " + MAX_RECORD_LENGTH);
            firstByte[t] = (int)bytes;
            bytes += (long)capacity(t) * rowLength[t];
            fullState += (long)capacity(t) * maxRecordLength[t];
            firstRow[t + 1] = firstRow[t] + capacity(t);
            ConfigException.check(firstRow[t + 1] <= MAX_ROWS, table.name, firstRow[t + 1] + " rows up to here",
                "all tables together must have at most " + MAX_ROWS);
        }
        // Each message but the last is full up to the longest record.
        final long messages = 1 + fullState / (TrunkMessages.MAX_MESSAGE_LENGTH - HEADER_LENGTH - MAX_RECORD_LENGTH);
        fullState += messages * HEADER_LENGTH;
        ConfigException.check(fullState <= MAX_FULL_STATE_LENGTH, builder.name,
            "a full state of up to " + fullState + " bytes",
            "must have at most " + MAX_FULL_STATE_LENGTH + ": lower a capacity or shorten a row");
        stateLength = (int)bytes;
        maxFullStateLength = (int)fullState;
        tableOfRow = new byte[rows()];
        for (int t = 0; t < tables.length; t++)
        {
            Arrays.fill(tableOfRow, firstRow[t], firstRow[t + 1], (byte)t);
        }
        name = builder.name;
        json = json();
        fingerprint = fingerprint(json);
    }

    /**
     * Begin a schema. Fields declared first are the room's own.
     *
     * @param name of the schema: letters, digits and underscores.
     */
    public static Builder named(final String name)
    {
        return new Builder(name);
    }

    /** The name at the start of its declaration. */
    public String name()
    {
        return name;
    }

    /** The schema for a client in JavaScript. Its text is the same in each run. */
    public String toJson()
    {
        return json;
    }

    /** A hash of {@link #toJson()}, which each message carries: copies of another schema refuse it. */
    public int fingerprint()
    {
        return fingerprint;
    }

    /** Number of tables, with {@link #ROOM}. */
    public int tables()
    {
        return tables.length;
    }

    /** Number of fields of all tables. */
    public int fields()
    {
        return fields.length;
    }

    /** Number of rows of all tables. */
    public int rows()
    {
        return firstRow[tables.length];
    }

    /** Bytes of the rows of all tables. */
    public int stateLength()
    {
        return stateLength;
    }

    /** Bytes of the longest full state, with its messages' headers. A room's output limit must be larger. */
    public int maxFullStateLength()
    {
        return maxFullStateLength;
    }

    /**
     * Name of a table.
     *
     * @param table its number.
     */
    public String tableName(final int table)
    {
        return tables[table].name;
    }

    /**
     * Which rows a table has.
     *
     * @param table its number.
     */
    public Kind kind(final int table)
    {
        return tables[table].kind;
    }

    /**
     * Number of rows of a table.
     *
     * @param table its number.
     */
    public int capacity(final int table)
    {
        // A room without fields has no row.
        return Kind.ROOM == tables[table].kind && 0 == fieldCount(table) ? 0 : tables[table].capacity;
    }

    /**
     * Number of a table's first row, counted through all tables.
     *
     * @param table its number.
     */
    public int firstRow(final int table)
    {
        return firstRow[table];
    }

    /**
     * The table of a row.
     *
     * @param row counted through all tables.
     */
    public int tableOfRow(final int row)
    {
        return tableOfRow[row];
    }

    /**
     * Number of fields of a table.
     *
     * @param table its number.
     */
    public int fieldCount(final int table)
    {
        return (table + 1 < tables.length ? tables[table + 1].firstField : fields.length) - tables[table].firstField;
    }

    /**
     * A table's first field. The others follow.
     *
     * @param table its number.
     */
    public int firstField(final int table)
    {
        return tables[table].firstField;
    }

    /**
     * Bytes of a row's mask.
     *
     * @param table of the row.
     */
    public int maskLength(final int table)
    {
        return maskLength[table];
    }

    /**
     * Bytes of a row's longest record.
     *
     * @param table of the row.
     */
    public int maxRecordLength(final int table)
    {
        return maxRecordLength[table];
    }

    /**
     * The secret fields of a table: bit 0 is its first field.
     *
     * @param table its number.
     */
    public long secrets(final int table)
    {
        return secrets[table];
    }

    /**
     * Bytes between two rows of a table.
     *
     * @param table its number.
     */
    public int rowLength(final int table)
    {
        return rowLength[table];
    }

    /**
     * Name of a field.
     *
     * @param field its number.
     */
    public String fieldName(final int field)
    {
        return fields[field].name;
    }

    /**
     * Type of a field.
     *
     * @param field its number.
     */
    public Type type(final int field)
    {
        return fields[field].type;
    }

    /**
     * Table of a field.
     *
     * @param field its number.
     */
    public int table(final int field)
    {
        return fields[field].table;
    }

    /**
     * Bytes of a field in its row. Of a text the longest, with its length.
     *
     * @param field its number.
     */
    public int size(final int field)
    {
        return fields[field].size;
    }

    /**
     * Offset of a field's value in the first row of its table. The next row's is {@link #rowLength} further.
     *
     * @param field its number.
     */
    public int offset(final int field)
    {
        return firstByte[fields[field].table] + fieldOffset[field];
    }

    /**
     * Offset of a row.
     *
     * @param row counted through all tables.
     */
    public int rowOffset(final int row)
    {
        final int table = tableOfRow[row];
        return firstByte[table] + (row - firstRow[table]) * rowLength[table];
    }

    /**
     * The grid of a table.
     *
     * @param table its number.
     * @return the grid, or null if the table has no grid.
     */
    public Grid grid(final int table)
    {
        return grids[table];
    }

    /**
     * Bytes of a field's value on the wire.
     *
     * @param field  its number.
     * @param buffer with the value.
     * @param offset of the value.
     */
    public int encodedLength(final int field, final DirectBuffer buffer, final int offset)
    {
        return Type.TEXT == fields[field].type ? 1 + (buffer.getByte(offset) & 0xFF) : fields[field].size;
    }

    /**
     * Read a number that is not a float or a double.
     *
     * @param field  its number.
     * @param buffer with the value.
     * @param offset of the value.
     */
    public long longAt(final int field, final DirectBuffer buffer, final int offset)
    {
        return switch (fields[field].type)
        {
            case BOOL, UINT8 -> buffer.getByte(offset) & 0xFF;
            case INT8 -> buffer.getByte(offset);
            case INT16 -> buffer.getShort(offset, ByteOrder.LITTLE_ENDIAN);
            case UINT16 -> buffer.getShort(offset, ByteOrder.LITTLE_ENDIAN) & 0xFFFF;
            case INT32 -> buffer.getInt(offset, ByteOrder.LITTLE_ENDIAN);
            case UINT32 -> buffer.getInt(offset, ByteOrder.LITTLE_ENDIAN) & 0xFFFF_FFFFL;
            case INT64, ID -> buffer.getLong(offset, ByteOrder.LITTLE_ENDIAN);
            case FLOAT, DOUBLE, TEXT -> throw new IllegalArgumentException(describe(field) + " is no integer");
        };
    }

    /**
     * Read a float or a double.
     *
     * @param field  its number.
     * @param buffer with the value.
     * @param offset of the value.
     */
    public double doubleAt(final int field, final DirectBuffer buffer, final int offset)
    {
        return switch (fields[field].type)
        {
            case FLOAT -> buffer.getFloat(offset, ByteOrder.LITTLE_ENDIAN);
            case DOUBLE -> buffer.getDouble(offset, ByteOrder.LITTLE_ENDIAN);
            default -> throw new IllegalArgumentException(describe(field) + " is no float or double");
        };
    }

    /**
     * A field with its table and type, for messages.
     *
     * @param field its number.
     */
    public String describe(final int field)
    {
        return tables[fields[field].table].name + "." + fields[field].name + " (" + fields[field].type + ")";
    }

    private String json()
    {
        final JsonWriter json = new JsonWriter().begin('{').name("name").text(name).name("tables").begin('[');
        for (int t = 0; t < tables.length; t++)
        {
            json.begin('{').name("name").text(tables[t].name).name("capacity").number(capacity(t))
                .name("fields").begin('[');
            for (int f = tables[t].firstField; f < tables[t].firstField + fieldCount(t); f++)
            {
                json.begin('[').text(fields[f].name).text(fields[f].type.toString()).number(fields[f].size).end(']');
            }
            json.end(']').end('}');
        }
        return json.end(']').end('}').toString();
    }

    /** FNV-1a of 32 bits: a few lines in any language. */
    private static int fingerprint(final String text)
    {
        int hash = 0x811C_9DC5;
        for (final byte value : text.getBytes(StandardCharsets.US_ASCII))
        {
            hash = (hash ^ value) * 0x0100_0193;
        }
        return hash;
    }

    /** Declares tables and fields in order. A field belongs to the table declared last, or to the room. */
    public static final class Builder
    {
        private final String name;
        private final List<Table> tables = new ArrayList<>();
        private final List<Field> fields = new ArrayList<>();
        private final List<Grid> grids = new ArrayList<>();
        private boolean isSecret;

        private Builder(final String name)
        {
            this.name = checkName(name);
            table("room", Kind.ROOM, 1);
        }

        /**
         * A table of entities, which the room adds and removes.
         *
         * @param table    its name.
         * @param capacity most entities at a time.
         * @return the table's number.
         */
        public int entities(final String table, final int capacity)
        {
            return table(table, Kind.ENTITIES, capacity);
        }

        /**
         * A table with a row for each seat.
         *
         * @param table its name.
         * @param seats of the room's type.
         * @return the table's number.
         */
        public int seats(final String table, final int seats)
        {
            return table(table, Kind.SEATS, seats);
        }

        /** The next field is secret: a view sees it in the rows of which it may see everything, and 0 in all others. */
        public Builder secret()
        {
            isSecret = true;
            return this;
        }

        /**
         * Let views see the rows of this table that are near: a view looks at a square, and sees the rows in the cells
         * that the square touches. Rows outside of the grid are in its border cells.
         *
         * @param xField   field of this table with the horizontal position.
         * @param yField   field of this table with the vertical position.
         * @param cellSize in units of the position.
         * @param columns  of the grid. The first starts at 0.
         * @param rows     of the grid.
         */
        public Builder grid(
            final int xField, final int yField, final int cellSize, final int columns, final int rows)
        {
            final int table = tables.size() - 1;
            checkPosition(table, xField);
            checkPosition(table, yField);
            ConfigException.check(cellSize > 0, "cellSize", cellSize, "must be above 0");
            ConfigException.check(columns > 0 && rows > 0 && (long)columns * rows <= MAX_ROWS, "grid",
                columns + " x " + rows, "must have 1 to " + MAX_ROWS + " cells");
            grids.set(table, new Grid(xField, yField, cellSize, columns, rows));
            return this;
        }

        /**
         * A field of the table declared last.
         *
         * @param field its name.
         * @param type  any but {@link Type#TEXT}.
         * @return the field's number.
         */
        public int field(final String field, final Type type)
        {
            ConfigException.check(Type.TEXT != type, field, type, "needs a length: declare it with text");
            return field(field, type, type.size);
        }

        /**
         * A field of {@link Type#TEXT}, of the table declared last.
         *
         * @param field     its name.
         * @param maxLength most bytes of UTF-8, 1 to {@value #MAX_TEXT_LENGTH}.
         * @return the field's number.
         */
        public int text(final String field, final int maxLength)
        {
            ConfigException.check(maxLength >= 1 && maxLength <= MAX_TEXT_LENGTH, field, maxLength,
                "must have 1 to " + MAX_TEXT_LENGTH + " bytes");
            return field(field, Type.TEXT, 1 + maxLength);
        }

        /** The schema. */
        public SyncSchema build()
        {
            return new SyncSchema(this);
        }

        private int table(final String table, final Kind kind, final int capacity)
        {
            checkName(table);
            for (final Table other : tables)
            {
                ConfigException.check(!other.name.equals(table), name, table, "is the name of two tables");
            }
            ConfigException.check(capacity >= 1 && capacity <= MAX_ROWS, table, capacity,
                "must have 1 to " + MAX_ROWS + " rows");
            ConfigException.check(tables.size() < MAX_TABLES, name, tables.size() + 1, "tables, at most " + MAX_TABLES);
            tables.add(new Table(table, kind, capacity, fields.size()));
            grids.add(null);
            return tables.size() - 1;
        }

        private int field(final String field, final Type type, final int size)
        {
            checkName(field);
            final int table = tables.size() - 1;
            final int first = tables.get(table).firstField;
            for (int f = first; f < fields.size(); f++)
            {
                ConfigException.check(!fields.get(f).name.equals(field), tables.get(table).name, field,
                    "is the name of two fields");
            }
            ConfigException.check(fields.size() - first < MAX_FIELDS, tables.get(table).name,
                fields.size() - first + 1, "fields, at most " + MAX_FIELDS);
            fields.add(new Field(field, type, table, size, isSecret));
            isSecret = false;
            return fields.size() - 1;
        }

        private void checkPosition(final int table, final int field)
        {
            ConfigException.check(field >= 0 && field < fields.size() && table == fields.get(field).table &&
                Type.TEXT != fields.get(field).type, "grid", field, "must be a number in the table declared last");
        }

        private static String checkName(final String name)
        {
            ConfigException.check(name.length() <= MAX_NAME_LENGTH && name.matches("[A-Za-z][A-Za-z0-9_]*"), "name",
                "'" + name + "'", "must be a letter and letters, digits or underscores, at most " + MAX_NAME_LENGTH);
            return name;
        }
    }
}
