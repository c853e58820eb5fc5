package io.escapement.rooms.sync;

import io.escapement.codecs.sync.SyncSchema;
import io.escapement.rooms.Audience;
import io.escapement.rooms.Room;
import java.nio.ByteOrder;
import org.agrona.MutableDirectBuffer;

/** Writes full states and differences of views into the output of their room, each in as many messages as it takes. */
final class FrameEncoder
{
    private static final int BLOCK_LENGTH = SyncSchema.HEADER_LENGTH - 8;
    private static final int IS_LAST = 19;

    private final Room room;
    private final StateRows rows;
    private final SyncSchema schema;
    private StateView view;
    private Audience audience;
    private int template;
    private int sequence;
    private MutableDirectBuffer buffer;
    private int limit;
    private int position;
    private int part;
    /** Most bytes of the remaining records. */
    private int remaining;
    private int sent;

    FrameEncoder(final Room room, final StateRows rows)
    {
        this.room = room;
        this.rows = rows;
        schema = rows.schema;
    }

    /** Send the changes of a view since its last commit, as the state that follows. Returns whether there are any. */
    boolean difference(final StateView of, final Audience to)
    {
        remaining = 0;
        for (int word = 0; word < rows.words; word++)
        {
            remaining += lengthLimit(word, of.changed(word));
        }
        begin(of, to, SyncSchema.DIFFERENCE, of.sequence() + 1);
        for (int word = 0; word < rows.words; word++)
        {
            final long visible = of.visible(word);
            long rest = of.changed(word);
            while (0 != rest)
            {
                final int row = word * Long.SIZE + Long.numberOfTrailingZeros(rest);
                change(row, 0 != (visible & rest & -rest));
                rest &= rest - 1;
            }
        }
        final boolean isSent = 0 != part || position > SyncSchema.HEADER_LENGTH;
        if (isSent)
        {
            commit(true);
        }
        else
        {
            // Fields changed that the view does not see.
            room.commit(0);
        }
        return isSent;
    }

    /** Send all that a view sees. Returns the number of bytes. */
    int fullState(final StateView of, final Audience to)
    {
        remaining = 0;
        for (int word = 0; word < rows.words; word++)
        {
            remaining += lengthLimit(word, of.visible(word));
        }
        begin(of, to, SyncSchema.FULL_STATE, of.sequence());
        for (int word = 0; word < rows.words; word++)
        {
            long rest = of.visible(word);
            while (0 != rest)
            {
                add(word * Long.SIZE + Long.numberOfTrailingZeros(rest));
                rest &= rest - 1;
            }
        }
        commit(true);
        return sent;
    }

    private void change(final int row, final boolean isVisible)
    {
        if (!isVisible)
        {
            head(row, SyncSchema.REMOVE);
            return;
        }
        if (!StateRows.contains(view.known, row) || StateRows.contains(rows.added, row))
        {
            add(row);
            return;
        }
        final long secrets = schema.secrets(schema.tableOfRow(row));
        final boolean isSeen = StateRows.contains(view.secretsGranted, row);
        final boolean wasSeen = StateRows.contains(view.secretsKnown, row);
        long mask = rows.dirty[row];
        if (isSeen != wasSeen)
        {
            mask |= secrets;
        }
        else if (!isSeen)
        {
            mask &= ~secrets;
        }
        if (0 != mask)
        {
            head(row, SyncSchema.CHANGE);
            values(row, mask, isSeen ? 0 : secrets);
        }
    }

    private void add(final int row)
    {
        head(row, SyncSchema.ADD);
        buffer.putShort(position, (short)rows.generation(row), ByteOrder.LITTLE_ENDIAN);
        position += Short.BYTES;
        final int table = schema.tableOfRow(row);
        long mask = 0;
        for (int i = 0, field = schema.firstField(table), count = schema.fieldCount(table); i < count; i++)
        {
            mask |= isZero(row, field + i) ? 0 : 1L << i;
        }
        values(row, StateRows.contains(view.secretsGranted, row) ? mask : mask & ~schema.secrets(table), 0);
    }

    /** Start a record. In a new message, if it may not fit into this message. */
    private void head(final int row, final int operation)
    {
        final int length = schema.maxRecordLength(schema.tableOfRow(row));
        if (position + length > limit)
        {
            commit(false);
            claim(part + 1);
        }
        remaining -= length;
        buffer.putShort(position, (short)(row | operation << SyncSchema.ROW_BITS), ByteOrder.LITTLE_ENDIAN);
        position += Short.BYTES;
    }

    private void values(final int row, final long mask, final long hidden)
    {
        final int table = schema.tableOfRow(row);
        for (int i = 0, bytes = schema.maskLength(table); i < bytes; i++)
        {
            buffer.putByte(position++, (byte)(mask >>> (Byte.SIZE * i)));
        }
        long rest = mask;
        while (0 != rest)
        {
            final int i = Long.numberOfTrailingZeros(rest);
            final int field = schema.firstField(table) + i;
            if (0 != (hidden & 1L << i))
            {
                // The claim is zeroed.
                position += SyncSchema.Type.TEXT == schema.type(field) ? 1 : schema.size(field);
            }
            else
            {
                final int at = offset(row, field);
                final int length = schema.encodedLength(field, rows.values, at);
                buffer.putBytes(position, rows.values, at, length);
                position += length;
            }
            rest &= rest - 1;
        }
    }

    private boolean isZero(final int row, final int field)
    {
        final int at = offset(row, field);
        // The bytes of a text are 0 if its length is.
        final int length = SyncSchema.Type.TEXT == schema.type(field) ? 1 : schema.size(field);
        for (int i = 0; i < length; i++)
        {
            if (0 != rows.values.getByte(at + i))
            {
                return false;
            }
        }
        return true;
    }

    private int offset(final int row, final int field)
    {
        final int table = schema.table(field);
        return schema.offset(field) + (row - schema.firstRow(table)) * schema.rowLength(table);
    }

    private int lengthLimit(final int word, final long set)
    {
        int length = 0;
        long rest = set;
        while (0 != rest)
        {
            length += schema.maxRecordLength(
                schema.tableOfRow(word * Long.SIZE + Long.numberOfTrailingZeros(rest)));
            rest &= rest - 1;
        }
        return length;
    }

    private void begin(final StateView of, final Audience to, final int newTemplate, final int newSequence)
    {
        view = of;
        audience = to;
        template = newTemplate;
        sequence = newSequence;
        sent = 0;
        claim(0);
    }

    private void claim(final int number)
    {
        part = number;
        limit = Math.min(Room.MAX_MESSAGE_LENGTH, SyncSchema.HEADER_LENGTH + remaining);
        buffer = room.claimState(audience, limit);
        buffer.putShort(0, (short)BLOCK_LENGTH, ByteOrder.LITTLE_ENDIAN);
        buffer.putShort(2, (short)template, ByteOrder.LITTLE_ENDIAN);
        buffer.putShort(4, (short)SyncSchema.SCHEMA_ID, ByteOrder.LITTLE_ENDIAN);
        buffer.putShort(6, (short)SyncSchema.VERSION, ByteOrder.LITTLE_ENDIAN);
        buffer.putInt(8, schema.fingerprint(), ByteOrder.LITTLE_ENDIAN);
        buffer.putInt(12, sequence, ByteOrder.LITTLE_ENDIAN);
        buffer.putShort(16, (short)view.number, ByteOrder.LITTLE_ENDIAN);
        buffer.putByte(18, (byte)part);
        position = SyncSchema.HEADER_LENGTH;
    }

    private void commit(final boolean isLast)
    {
        buffer.putByte(IS_LAST, (byte)(isLast ? 1 : 0));
        room.commit(position);
        sent += position;
    }
}
