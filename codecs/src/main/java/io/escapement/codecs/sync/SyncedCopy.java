package io.escapement.codecs.sync;

import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A client's copy of the state of a room, as its view shows it. Pass each STATE of the room to {@link #apply} if
 * {@link #isSync} recognises it. The copy changes by whole frames of the room. A malformed message, or a message that
 * does not follow the last message, does not change the copy.
 *
 * <p>A copy follows from a full state until a message is missing, and resumes with the next full state. The room sends
 * a full state to each seat that joins, returns or lost a state. No request is needed. Call {@link #reset} when the
 * seat goes away.
 *
 * <p>Differences may arrive before the full state or the difference that they apply to. The copy holds up to
 * {@value #MAX_HELD_MESSAGES} such messages of together {@value #MAX_HELD_LENGTH} bytes, drops the oldest first, and
 * applies them in order as soon as they fit.
 *
 * <p>Not thread-safe. It allocates only for its first frames in several messages and for the first messages that it
 * holds.
 */
public final class SyncedCopy
{
    /**
     * Receives the changes of a frame, by row, after all of them have been applied. A callback must not apply a
     * message.
     */
    public interface Listener
    {
        /**
         * A row is new, or has replaced another.
         *
         * @param table of the row.
         * @param row   in the table.
         */
        default void onAdded(final int table, final int row)
        {
        }

        /**
         * A field of a row has another value.
         *
         * @param field that changed.
         * @param row   in the field's table.
         */
        default void onChanged(final int field, final int row)
        {
        }

        /**
         * A row is gone, or out of sight. Its values are not readable any more.
         *
         * @param table of the row.
         * @param row   in the table.
         */
        default void onRemoved(final int table, final int row)
        {
        }

        /** All changes of a frame have been reported. */
        default void onFrame()
        {
        }
    }

    /** The effect of a message. */
    public enum Result
    {
        /** The copy has changed to the state of the completed message, and by the messages that were held for it. */
        APPLIED,
        /** The message is a part of a frame. The copy will change with the last part. */
        INCOMPLETE,
        /** A message before this message is missing. The copy will change when the missing message arrives. */
        HELD,
        /** The message is not newer than the copy, or a part before it is lost. The copy has not changed. */
        IGNORED,
        /** Not a message of this schema. The copy has not changed. */
        MALFORMED
    }

    /** Most messages that a copy holds: for 250 ms of a room with 60 frames per second. */
    public static final int MAX_HELD_MESSAGES = 16;

    /** Most bytes of messages that a copy holds: a process may have thousands of copies. */
    public static final int MAX_HELD_LENGTH = 64 * 1024;

    private static final int ROW_MASK = SyncSchema.MAX_ROWS - 1;
    private static final int BLOCK_LENGTH = SyncSchema.HEADER_LENGTH - 8;
    private static final int BAD = -2;
    private static final Listener SILENT = new Listener()
    {
    };

    private final SyncSchema schema;
    private final Listener listener;
    private final UnsafeBuffer values;
    private final boolean[] present;
    private final char[] generations;
    private final boolean[] added;
    private final boolean[] removed;
    private final boolean[] named;
    private final long[] changed;
    /** Parts of a full state, and of the difference that the copy applies next. They may arrive mixed. */
    private final FrameParts fullState;
    private final FrameParts difference;
    private final HeldMessages held = new HeldMessages();
    private boolean isCurrent;
    private int sequence;
    private int view;
    private long malformedCount;

    /**
     * An empty copy.
     *
     * @param schema   of the state.
     * @param listener receives the changes.
     */
    public SyncedCopy(final SyncSchema schema, final Listener listener)
    {
        this.schema = schema;
        this.listener = listener;
        values = new UnsafeBuffer(new byte[schema.stateLength()]);
        present = new boolean[schema.rows()];
        generations = new char[schema.rows()];
        added = new boolean[schema.rows()];
        removed = new boolean[schema.rows()];
        named = new boolean[schema.rows()];
        changed = new long[schema.rows()];
        fullState = new FrameParts(schema.maxFullStateLength());
        difference = new FrameParts(schema.maxFullStateLength());
    }

    /**
     * An empty copy without a listener.
     *
     * @param schema of the state.
     */
    public SyncedCopy(final SyncSchema schema)
    {
        this(schema, SILENT);
    }

    /**
     * Whether a message has synchronised state.
     *
     * @param buffer with the message.
     * @param offset of the message.
     * @param length of the message in bytes.
     */
    public static boolean isSync(final DirectBuffer buffer, final int offset, final int length)
    {
        return length >= 8 &&
            SyncSchema.SCHEMA_ID == (buffer.getShort(offset + 4, ByteOrder.LITTLE_ENDIAN) & 0xFFFF);
    }

    /** The schema of the state. */
    public SyncSchema schema()
    {
        return schema;
    }

    /**
     * Whether the copy has the state of its last message. False until the first full state, and after {@link #reset}.
     */
    public boolean isCurrent()
    {
        return isCurrent;
    }

    /**
     * Whether a held message shows that the copy misses an earlier state. It is so for a short time whenever messages
     * overtake each other, and while a full state is on its way.
     *
     * <p>A gateway or a trunk client reports each message that was lost on the way, and the room answers with a full
     * state within {@code SyncedState.FULL_STATE_SPREAD_MS}. Ask for a full state, with a message for which the room
     * calls {@code SyncedState.requestFullState}, only if the copy lags for 1 s or more. Then no message was lost on
     * the way, but the copy dropped held messages at its limits.
     */
    public boolean isBehind()
    {
        return 0 != held.count();
    }

    /**
     * Number of messages with the result {@link Result#MALFORMED}, or found to be malformed when they were no longer
     * held.
     */
    public long malformedCount()
    {
        return malformedCount;
    }

    /** Number of the state that the copy has. */
    public int sequence()
    {
        return sequence;
    }

    /** The view that the copy is of. */
    public int view()
    {
        return view;
    }

    /**
     * Whether a row exists.
     *
     * @param table of the row.
     * @param row   in the table.
     */
    public boolean isPresent(final int table, final int row)
    {
        return present[rowOf(table, row)];
    }

    /**
     * Number of the entity in a row. It changes when the row has been given to another entity.
     *
     * @param table of the row.
     * @param row   in the table.
     */
    public int generation(final int table, final int row)
    {
        return generations[rowOf(table, row)];
    }

    /**
     * The value of a field that is a number without a fraction, or a bool: 1 or 0.
     *
     * @param field to read.
     * @param row   in the field's table.
     */
    public long longValue(final int field, final int row)
    {
        return schema.longAt(field, values, at(field, row));
    }

    /**
     * The value of a float or a double.
     *
     * @param field to read.
     * @param row   in the field's table.
     */
    public double doubleValue(final int field, final int row)
    {
        return schema.doubleAt(field, values, at(field, row));
    }

    /**
     * The value of a text. Allocates the string. Malformed UTF-8 becomes U+FFFD.
     *
     * @param field to read.
     * @param row   in the field's table.
     */
    public String text(final int field, final int row)
    {
        final int at = at(field, row);
        final byte[] bytes = new byte[schema.encodedLength(field, values, at) - 1];
        values.getBytes(at + 1, bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /**
     * The seat is away, or changes its room: only the next full state continues the copy. Held messages are dropped.
     */
    public void reset()
    {
        isCurrent = false;
        fullState.clear();
        difference.clear();
        held.clear();
    }

    /**
     * Apply a message, and the held messages that follow it.
     *
     * @param buffer with the message.
     * @param offset of the message.
     * @param length of the message in bytes.
     * @return its effect.
     */
    public Result apply(final DirectBuffer buffer, final int offset, final int length)
    {
        if (!isHeaderOfSchema(buffer, offset, length))
        {
            malformedCount++;
            return Result.MALFORMED;
        }
        Result result = accept(buffer, offset, length);
        if (Result.HELD == result && !held.add(buffer, offset, length))
        {
            result = Result.IGNORED;
        }
        return applyHeld() ? Result.APPLIED : result;
    }

    /** Apply the held messages that fit, and drop the old messages. Returns whether the copy has changed. */
    private boolean applyHeld()
    {
        boolean isApplied = false;
        int i = 0;
        while (i < held.count())
        {
            final Result result = accept(held.buffer(), held.offset(i), held.length(i));
            if (Result.HELD == result)
            {
                i++;
            }
            else
            {
                held.remove(i);
                isApplied |= Result.APPLIED == result;
                // The message that follows may have arrived before this one.
                i = Result.APPLIED == result || Result.INCOMPLETE == result ? 0 : i;
            }
        }
        return isApplied;
    }

    /** Take a message with a valid header. {@link Result#HELD} if a message before it is missing. */
    private Result accept(final DirectBuffer buffer, final int offset, final int length)
    {
        final boolean isFullState = SyncSchema.FULL_STATE == shortAt(buffer, offset + 2);
        final int newSequence = buffer.getInt(offset + 12, ByteOrder.LITTLE_ENDIAN);
        final int newView = shortAt(buffer, offset + 16);
        final int part = buffer.getByte(offset + 18) & 0xFF;
        final boolean isLast = 1 == buffer.getByte(offset + 19);
        final Result obstacle = isFullState ? obstacleOfFullState(newSequence, newView, part) :
            obstacleOfDifference(newSequence, newView, part);
        if (null != obstacle)
        {
            return obstacle;
        }
        final FrameParts parts = isFullState ? fullState : difference;
        if (0 == part)
        {
            parts.begin(newSequence, newView);
        }
        final int body = offset + SyncSchema.HEADER_LENGTH;
        final int bodyLength = length - SyncSchema.HEADER_LENGTH;
        final int lastRow = check(buffer, body, bodyLength, isFullState, parts.lastRow());
        if (BAD == lastRow || !parts.hasSpace(bodyLength))
        {
            parts.clear();
            malformedCount++;
            return Result.MALFORMED;
        }
        if (isLast && 0 == part)
        {
            applyFrame(buffer, body, bodyLength, isFullState, newSequence, newView);
            return Result.APPLIED;
        }
        parts.add(buffer, body, bodyLength, lastRow);
        if (isLast)
        {
            applyFrame(parts.records(), 0, parts.length(), isFullState, newSequence, newView);
            return Result.APPLIED;
        }
        return Result.INCOMPLETE;
    }

    /** The reason not to take a part of a full state, or null. */
    private Result obstacleOfFullState(final int newSequence, final int newView, final int part)
    {
        if (isCurrent && newView == view && newSequence - sequence <= 0)
        {
            // The differences after it have been applied, and will not arrive again.
            return Result.IGNORED;
        }
        if (fullState.isNext(newSequence, newView, part))
        {
            return null;
        }
        fullState.clear();
        return Result.IGNORED;
    }

    /** The reason not to take a part of a difference, or null. */
    private Result obstacleOfDifference(final int newSequence, final int newView, final int part)
    {
        if (!isCurrent)
        {
            return Result.HELD;
        }
        final int ahead = newSequence - (sequence + 1);
        if (newView != view || ahead < 0)
        {
            return Result.IGNORED;
        }
        if (difference.isNext(newSequence, newView, part) && 0 == ahead)
        {
            return null;
        }
        return 0 == ahead && part < difference.next() ? Result.IGNORED : Result.HELD;
    }

    private boolean isHeaderOfSchema(final DirectBuffer buffer, final int offset, final int length)
    {
        if (offset < 0 || length < SyncSchema.HEADER_LENGTH || offset > buffer.capacity() - length)
        {
            return false;
        }
        final int template = shortAt(buffer, offset + 2);
        return BLOCK_LENGTH == shortAt(buffer, offset) &&
            (SyncSchema.FULL_STATE == template || SyncSchema.DIFFERENCE == template) &&
            SyncSchema.SCHEMA_ID == shortAt(buffer, offset + 4) && SyncSchema.VERSION == shortAt(buffer, offset + 6) &&
            schema.fingerprint() == buffer.getInt(offset + 8, ByteOrder.LITTLE_ENDIAN) &&
            (buffer.getByte(offset + 19) & ~1) == 0;
    }

    /** The last row of a body with only valid records for this copy, or {@link #BAD}. */
    private int check(
        final DirectBuffer buffer, final int offset, final int length, final boolean isFullState, final int rowBefore)
    {
        final int end = offset + length;
        int lastRow = rowBefore;
        int at = offset;
        while (at < end)
        {
            if (end - at < 2)
            {
                return BAD;
            }
            final int head = shortAt(buffer, at);
            final int row = head & ROW_MASK;
            final int operation = head >>> SyncSchema.ROW_BITS;
            if (row <= lastRow || row >= present.length || isFullState && SyncSchema.ADD != operation ||
                SyncSchema.ADD != operation && !present[row] || operation > SyncSchema.REMOVE)
            {
                return BAD;
            }
            lastRow = row;
            at += 2 + (SyncSchema.ADD == operation ? 2 : 0);
            at = SyncSchema.REMOVE == operation ? at : checkValues(buffer, at, end, row);
            if (at < 0)
            {
                return BAD;
            }
        }
        return at == end ? lastRow : BAD;
    }

    /** The end of a record's mask and values, or {@link #BAD}. */
    private int checkValues(final DirectBuffer buffer, final int offset, final int end, final int row)
    {
        final int table = schema.tableOfRow(row);
        int at = offset + schema.maskLength(table);
        if (at > end)
        {
            return BAD;
        }
        long rest = mask(buffer, offset, table);
        if (schema.fieldCount(table) < Long.SIZE && 0 != rest >>> schema.fieldCount(table))
        {
            return BAD;
        }
        while (0 != rest)
        {
            final int field = schema.firstField(table) + Long.numberOfTrailingZeros(rest);
            final SyncSchema.Type type = schema.type(field);
            if (at >= end || SyncSchema.Type.BOOL == type && 0 != (buffer.getByte(at) & ~1))
            {
                return BAD;
            }
            final int length = schema.encodedLength(field, buffer, at);
            if (length > schema.size(field) || length > end - at)
            {
                return BAD;
            }
            at += length;
            rest &= rest - 1;
        }
        return at;
    }

    private void applyFrame(
        final DirectBuffer buffer,
        final int offset,
        final int length,
        final boolean isFullState,
        final int newSequence,
        final int newView)
    {
        int at = offset;
        while (at < offset + length)
        {
            final int head = shortAt(buffer, at);
            at = applyRecord(buffer, at + 2, head & ROW_MASK, head >>> SyncSchema.ROW_BITS);
        }
        if (isFullState)
        {
            for (int row = 0; row < present.length; row++)
            {
                if (present[row] && !named[row])
                {
                    remove(row);
                }
            }
            fullState.clear();
        }
        difference.clear();
        Arrays.fill(named, false);
        isCurrent = true;
        sequence = newSequence;
        view = newView;
        report();
    }

    private int applyRecord(final DirectBuffer buffer, final int offset, final int row, final int operation)
    {
        named[row] = true;
        if (SyncSchema.REMOVE == operation)
        {
            remove(row);
            return offset;
        }
        int at = offset;
        final boolean isAdd = SyncSchema.ADD == operation;
        if (isAdd)
        {
            add(row, (char)shortAt(buffer, at));
            at += 2;
        }
        final int table = schema.tableOfRow(row);
        final int base = schema.rowOffset(row) - schema.offset(schema.firstField(table));
        final long mask = mask(buffer, at, table);
        at += schema.maskLength(table);
        for (int i = 0; i < schema.fieldCount(table); i++)
        {
            final int field = schema.firstField(table) + i;
            final int target = base + schema.offset(field);
            if (0 != (mask & 1L << i))
            {
                final int length = schema.encodedLength(field, buffer, at);
                changed[row] |= put(target, schema.size(field), buffer, at, length) ? 1L << i : 0;
                at += length;
            }
            else if (isAdd)
            {
                changed[row] |= put(target, schema.size(field), buffer, at, 0) ? 1L << i : 0;
            }
        }
        return at;
    }

    private void add(final int row, final char generation)
    {
        if (!present[row] || generations[row] != generation)
        {
            removed[row] |= present[row];
            added[row] = true;
            present[row] = true;
            generations[row] = generation;
        }
    }

    private void remove(final int row)
    {
        present[row] = false;
        removed[row] = true;
        values.setMemory(schema.rowOffset(row), schema.rowLength(schema.tableOfRow(row)), (byte)0);
    }

    /** Write a value, and zeros after it. Returns whether that changed any byte. */
    private boolean put(
        final int target, final int size, final DirectBuffer buffer, final int offset, final int length)
    {
        boolean isChange = false;
        for (int i = 0; i < size; i++)
        {
            final byte value = i < length ? buffer.getByte(offset + i) : 0;
            isChange |= value != values.getByte(target + i);
            values.putByte(target + i, value);
        }
        return isChange;
    }

    private void report()
    {
        for (int row = 0; row < present.length; row++)
        {
            final long mask = changed[row];
            final boolean isAdded = added[row];
            final boolean isRemoved = removed[row];
            if (0 != mask || isAdded || isRemoved)
            {
                changed[row] = 0;
                added[row] = false;
                removed[row] = false;
                report(row, mask, isAdded, isRemoved);
            }
        }
        listener.onFrame();
    }

    private void report(final int row, final long mask, final boolean isAdded, final boolean isRemoved)
    {
        final int table = schema.tableOfRow(row);
        final int inTable = row - schema.firstRow(table);
        if (isRemoved)
        {
            listener.onRemoved(table, inTable);
        }
        if (isAdded)
        {
            listener.onAdded(table, inTable);
        }
        long rest = isAdded || isRemoved ? 0 : mask;
        while (0 != rest)
        {
            listener.onChanged(schema.firstField(table) + Long.numberOfTrailingZeros(rest), inTable);
            rest &= rest - 1;
        }
    }

    private long mask(final DirectBuffer buffer, final int offset, final int table)
    {
        long mask = 0;
        for (int i = 0; i < schema.maskLength(table); i++)
        {
            mask |= (buffer.getByte(offset + i) & 0xFFL) << (Byte.SIZE * i);
        }
        return mask;
    }

    private int rowOf(final int table, final int row)
    {
        if (row < 0 || row >= schema.capacity(table))
        {
            throw new IndexOutOfBoundsException("row " + row + " of " + schema.tableName(table));
        }
        return schema.firstRow(table) + row;
    }

    private int at(final int field, final int row)
    {
        final int table = schema.table(field);
        rowOf(table, row);
        return schema.offset(field) + row * schema.rowLength(table);
    }

    private static int shortAt(final DirectBuffer buffer, final int offset)
    {
        return buffer.getShort(offset, ByteOrder.LITTLE_ENDIAN) & 0xFFFF;
    }
}
