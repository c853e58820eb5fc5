package io.escapement.rooms.sync;

import io.escapement.codecs.sync.SyncSchema;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The rows of a state: values, which rows exist, and changes since {@link #clearChanges()}. Rows are counted through
 * all tables. 64 rows are a word of a set.
 */
final class StateRows
{
    final SyncSchema schema;
    final int words;
    /** Values as {@link SyncSchema} lays them out, then the generation of each row in 16 bits. */
    final UnsafeBuffer values;
    final long[] present;
    /** Rows with any change. */
    final long[] touched;
    /** Rows that were added. One of them may have replaced another. */
    final long[] added;
    /** Changed fields of a row: bit 0 is the first field of its table. */
    final long[] dirty;
    private final SyncSchema.Type[] types;
    private final int[] table;
    private final int[] offset;
    private final int[] rowLength;
    private final int[] firstRow;
    private final int[] capacity;
    private final long[] bit;
    private boolean isChanged;

    StateRows(final SyncSchema schema)
    {
        this.schema = schema;
        final int fields = schema.fields();
        words = (schema.rows() + Long.SIZE - 1) / Long.SIZE;
        values = new UnsafeBuffer(new byte[schema.stateLength() + schema.rows() * Short.BYTES]);
        present = new long[words];
        touched = new long[words];
        added = new long[words];
        dirty = new long[schema.rows()];
        types = new SyncSchema.Type[fields];
        table = new int[fields];
        offset = new int[fields];
        rowLength = new int[fields];
        firstRow = new int[fields];
        capacity = new int[fields];
        bit = new long[fields];
        for (int field = 0; field < fields; field++)
        {
            types[field] = schema.type(field);
            table[field] = schema.table(field);
            offset[field] = schema.offset(field);
            rowLength[field] = schema.rowLength(table[field]);
            firstRow[field] = schema.firstRow(table[field]);
            capacity[field] = schema.capacity(table[field]);
            bit[field] = 1L << (field - schema.firstField(table[field]));
        }
    }

    static boolean contains(final long[] set, final int row)
    {
        return 0 != (set[row >>> 6] & 1L << row);
    }

    static void include(final long[] set, final int row)
    {
        set[row >>> 6] |= 1L << row;
    }

    static void exclude(final long[] set, final int row)
    {
        set[row >>> 6] &= ~(1L << row);
    }

    /** Number of a row through all tables. Throws unless the table has it. */
    int row(final int inTable, final int row)
    {
        if (row < 0 || row >= schema.capacity(inTable))
        {
            throw new IndexOutOfBoundsException("row " + row + " of " + schema.tableName(inTable) + ", which has " +
                schema.capacity(inTable));
        }
        return schema.firstRow(inTable) + row;
    }

    boolean isChanged()
    {
        return isChanged;
    }

    /** First existing row of a table at or after a row, or -1. */
    int next(final int inTable, final int fromRow)
    {
        for (int row = Math.max(0, fromRow); row < schema.capacity(inTable); row++)
        {
            if (contains(present, schema.firstRow(inTable) + row))
            {
                return row;
            }
        }
        return SyncedState.NO_ROW;
    }

    /** First row of a table that is free, or -1. */
    int firstFree(final int inTable)
    {
        for (int row = 0; row < schema.capacity(inTable); row++)
        {
            if (!contains(present, schema.firstRow(inTable) + row))
            {
                return row;
            }
        }
        return SyncedState.NO_ROW;
    }

    void add(final int row)
    {
        if (contains(present, row))
        {
            throw new IllegalStateException(name(row) + " is there already");
        }
        include(present, row);
        include(added, row);
        values.putShort(generationAt(row), (short)(generation(row) + 1), ByteOrder.LITTLE_ENDIAN);
        touch(row);
    }

    void remove(final int row)
    {
        if (!contains(present, row))
        {
            throw new IllegalStateException(name(row) + " is not there");
        }
        exclude(present, row);
        exclude(added, row);
        dirty[row] = 0;
        values.setMemory(schema.rowOffset(row), schema.rowLength(schema.tableOfRow(row)), (byte)0);
        touch(row);
    }

    int generation(final int row)
    {
        return values.getShort(generationAt(row), ByteOrder.LITTLE_ENDIAN) & 0xFFFF;
    }

    long longValue(final int field, final int row)
    {
        return schema.longAt(field, values, at(field, row));
    }

    double doubleValue(final int field, final int row)
    {
        return schema.doubleAt(field, values, at(field, row));
    }

    int textLength(final int field, final int row)
    {
        return schema.encodedLength(field, values, at(field, row)) - 1;
    }

    /** Set a number or bool. An equal value is no change. */
    void set(final int field, final int row, final long value)
    {
        final int at = at(field, row);
        if (schema.longAt(field, values, at) == value)
        {
            return;
        }
        switch (types[field])
        {
            case BOOL -> values.putByte(at, (byte)inRange(field, value, 0, 1));
            case INT8 -> values.putByte(at, (byte)inRange(field, value, Byte.MIN_VALUE, Byte.MAX_VALUE));
            case UINT8 -> values.putByte(at, (byte)inRange(field, value, 0, 0xFF));
            case INT16 -> values.putShort(
                at, (short)inRange(field, value, Short.MIN_VALUE, Short.MAX_VALUE), ByteOrder.LITTLE_ENDIAN);
            case UINT16 -> values.putShort(at, (short)inRange(field, value, 0, 0xFFFF), ByteOrder.LITTLE_ENDIAN);
            case INT32 -> values.putInt(
                at, (int)inRange(field, value, Integer.MIN_VALUE, Integer.MAX_VALUE), ByteOrder.LITTLE_ENDIAN);
            case UINT32 -> values.putInt(at, (int)inRange(field, value, 0, 0xFFFF_FFFFL), ByteOrder.LITTLE_ENDIAN);
            default -> values.putLong(at, value, ByteOrder.LITTLE_ENDIAN);
        }
        markDirty(field, row);
    }

    /** Set a float or a double. Every NaN has the same bits, because they depend on the machine otherwise. */
    void set(final int field, final int row, final double value)
    {
        final int at = at(field, row);
        switch (types[field])
        {
            case FLOAT ->
            {
                final int bits = Float.floatToIntBits((float)value);
                if (bits != values.getInt(at, ByteOrder.LITTLE_ENDIAN))
                {
                    values.putInt(at, bits, ByteOrder.LITTLE_ENDIAN);
                    markDirty(field, row);
                }
            }
            case DOUBLE ->
            {
                final long bits = Double.doubleToLongBits(value);
                if (bits != values.getLong(at, ByteOrder.LITTLE_ENDIAN))
                {
                    values.putLong(at, bits, ByteOrder.LITTLE_ENDIAN);
                    markDirty(field, row);
                }
            }
            default -> throw new IllegalArgumentException(schema.describe(field) + " is no float or double");
        }
    }

    /** Set a text from its UTF-8. */
    void setText(final int field, final int row, final DirectBuffer source, final int from, final int length)
    {
        final int at = at(field, row);
        final int size = schema.size(field);
        if (SyncSchema.Type.TEXT != types[field] || length < 0 || length >= size)
        {
            throw new IllegalArgumentException(schema.describe(field) + " takes no text of " + length + " bytes");
        }
        boolean isChange = (values.getByte(at) & 0xFF) != length;
        values.putByte(at, (byte)length);
        // The bytes after the text stay zero. Equal states must have equal bytes.
        for (int i = 0; i < size - 1; i++)
        {
            final byte value = i < length ? source.getByte(from + i) : 0;
            isChange |= value != values.getByte(at + 1 + i);
            values.putByte(at + 1 + i, value);
        }
        if (isChange)
        {
            markDirty(field, row);
        }
    }

    int at(final int field, final int row)
    {
        if (row < 0 || row >= capacity[field] || !contains(present, firstRow[field] + row))
        {
            throw new IndexOutOfBoundsException(schema.describe(field) + " has no row " + row);
        }
        return offset[field] + row * rowLength[field];
    }

    /** Everything that has changed so far has been sent, or need not be. */
    void clearChanges()
    {
        if (!isChanged)
        {
            return;
        }
        for (int word = 0; word < words; word++)
        {
            long rest = touched[word];
            while (0 != rest)
            {
                dirty[word * Long.SIZE + Long.numberOfTrailingZeros(rest)] = 0;
                rest &= rest - 1;
            }
        }
        Arrays.fill(touched, 0);
        Arrays.fill(added, 0);
        isChanged = false;
    }

    void write(final StateWriter writer)
    {
        writer.putBytes(values, 0, values.capacity());
        write(writer, present);
        write(writer, touched);
        write(writer, added);
        for (int row = 0; row < dirty.length; row++)
        {
            if (contains(touched, row))
            {
                writer.putLong(dirty[row]);
            }
        }
    }

    void read(final StateReader reader)
    {
        reader.getBytes(values, 0);
        read(reader, present);
        read(reader, touched);
        read(reader, added);
        for (int row = 0; row < dirty.length; row++)
        {
            if (contains(touched, row))
            {
                dirty[row] = reader.getLong();
                isChanged = true;
            }
        }
    }

    static void write(final StateWriter writer, final long[] set)
    {
        for (final long word : set)
        {
            writer.putLong(word);
        }
    }

    static void read(final StateReader reader, final long[] set)
    {
        for (int word = 0; word < set.length; word++)
        {
            set[word] = reader.getLong();
        }
    }

    private void markDirty(final int field, final int inTable)
    {
        final int row = firstRow[field] + inTable;
        dirty[row] |= bit[field];
        touch(row);
    }

    private void touch(final int row)
    {
        include(touched, row);
        isChanged = true;
    }

    private int generationAt(final int row)
    {
        return schema.stateLength() + row * Short.BYTES;
    }

    private String name(final int row)
    {
        final int inTable = schema.tableOfRow(row);
        return "row " + (row - schema.firstRow(inTable)) + " of " + schema.tableName(inTable);
    }

    private long inRange(final int field, final long value, final long least, final long most)
    {
        if (value < least || value > most)
        {
            throw new IllegalArgumentException(schema.describe(field) + " cannot hold " + value);
        }
        return value;
    }
}
