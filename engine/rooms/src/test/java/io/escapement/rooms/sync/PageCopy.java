package io.escapement.rooms.sync;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A copy of a state, transcribed from the pseudo-code of codecs/protocol/state.md. It shares no code with ours. */
final class PageCopy
{
    private static final Pattern TABLE =
        Pattern.compile("\\{\"name\":\"(\\w+)\",\"capacity\":(\\d+),\"fields\":\\[((?:\\[[^]]*],?)*)]}");
    private static final Pattern FIELD = Pattern.compile("\\[\"(\\w+)\",\"(\\w+)\",(\\d+)]");
    private static final int FULL_STATE = 1;
    private static final int DIFFERENCE = 2;
    private static final int BODY = 20;
    private static final int CHANGE = 0;
    private static final int ADD = 1;
    private static final int REMOVE = 2;

    private enum Outcome
    {
        CHANGED, DROPPED, HELD
    }

    private record Field(String name, String type, int size)
    {
    }

    /** The place of a row: its table's name and its number there, and the table's fields. */
    private record Place(String name, List<Field> fields)
    {
    }

    private record Row(int generation, String[] values)
    {
    }

    private record Update(int row, int operation, int generation, String[] values)
    {
    }

    /** The parts of a kind of message that have arrived. */
    private static final class Parts
    {
        private final List<Update> records = new ArrayList<>();
        private int sequence;
        private int view;
        private int next;

        private boolean isContinuedBy(final int part, final int ofSequence, final int ofView)
        {
            return part == next && sequence == ofSequence && view == ofView;
        }

        private void forget()
        {
            records.clear();
            next = 0;
        }
    }

    private final int fingerprint;
    private final List<Place> places = new ArrayList<>();
    private final Map<Integer, Row> rows = new TreeMap<>();
    private final List<ByteBuffer> held = new ArrayList<>();
    private final Parts fullStates = new Parts();
    private final Parts differences = new Parts();
    private boolean hasState;
    private int sequence;
    private int view;

    PageCopy(final String schema)
    {
        int hash = 0x811c9dc5;
        for (final byte value : schema.getBytes(StandardCharsets.US_ASCII))
        {
            hash = (hash ^ value) * 0x01000193;
        }
        fingerprint = hash;
        for (final Matcher table = TABLE.matcher(schema); table.find();)
        {
            final List<Field> fields = new ArrayList<>();
            for (final Matcher field = FIELD.matcher(table.group(3)); field.find();)
            {
                fields.add(new Field(field.group(1), field.group(2), Integer.parseInt(field.group(3))));
            }
            for (int row = 0; row < Integer.parseInt(table.group(2)); row++)
            {
                places.add(new Place(table.group(1) + '[' + row + "].", fields));
            }
        }
    }

    /** Rows and values, in the form of {@link SyncTwin#held}. */
    Map<String, String> held()
    {
        final Map<String, String> texts = new TreeMap<>();
        rows.forEach((number, row) ->
        {
            final Place place = places.get(number);
            texts.put(place.name, "generation " + row.generation);
            for (int i = 0; i < place.fields.size(); i++)
            {
                texts.put(place.name + place.fields.get(i).name, row.values[i]);
            }
        });
        return texts;
    }

    void onState(final byte[] bytes)
    {
        final ByteBuffer message = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        if (bytes.length < BODY || 12 != message.getShort(0) || 705 != message.getShort(4) ||
            0 != message.getShort(6) || fingerprint != message.getInt(8))
        {
            return;
        }
        if (Outcome.HELD == take(message))
        {
            hold(message);
        }
        for (int i = 0; i < held.size(); i++)
        {
            final Outcome outcome = take(held.get(i));
            if (Outcome.HELD != outcome)
            {
                held.remove(i);
                i = Outcome.CHANGED == outcome ? -1 : i - 1;
            }
        }
    }

    void onSeatAway()
    {
        hasState = false;
        held.clear();
        fullStates.forget();
        differences.forget();
    }

    private void hold(final ByteBuffer message)
    {
        held.add(message);
        while (held.size() > 16 || held.stream().mapToInt(ByteBuffer::capacity).sum() > 64 * 1024)
        {
            held.remove(0);
        }
    }

    private Outcome take(final ByteBuffer message)
    {
        final boolean isFullState = FULL_STATE == message.getShort(2);
        final int ofSequence = message.getInt(12);
        final int ofView = message.getShort(16) & 0xffff;
        final int part = message.get(18) & 0xff;
        final int age = ofSequence - sequence;
        final Parts parts = isFullState ? fullStates : differences;
        final boolean isNext = 0 == part || parts.isContinuedBy(part, ofSequence, ofView);
        if (isFullState)
        {
            if (hasState && ofView == view && age <= 0)
            {
                return Outcome.DROPPED;
            }
            if (!isNext)
            {
                fullStates.forget();
                return Outcome.DROPPED;
            }
        }
        else if (DIFFERENCE != message.getShort(2))
        {
            return Outcome.DROPPED;
        }
        else
        {
            if (!hasState)
            {
                return Outcome.HELD;
            }
            if (ofView != view || age < 1)
            {
                return Outcome.DROPPED;
            }
            if (age > 1 || !isNext)
            {
                return age > 1 || part >= differences.next ? Outcome.HELD : Outcome.DROPPED;
            }
        }
        if (0 == part)
        {
            parts.forget();
        }
        final List<Update> records = records(message, isFullState,
            parts.records.isEmpty() ? -1 : parts.records.get(parts.records.size() - 1).row);
        if (null == records)
        {
            parts.forget();
            return Outcome.DROPPED;
        }
        parts.records.addAll(records);
        parts.sequence = ofSequence;
        parts.view = ofView;
        parts.next = part + 1;
        if (1 == message.get(19))
        {
            apply(parts.records, isFullState);
            sequence = ofSequence;
            view = ofView;
        }
        return Outcome.CHANGED;
    }

    private void apply(final List<Update> records, final boolean isFullState)
    {
        if (isFullState)
        {
            rows.clear();
        }
        for (final Update update : records)
        {
            if (REMOVE == update.operation)
            {
                rows.remove(update.row);
            }
            else
            {
                final Row before = rows.get(update.row);
                final String[] values = update.values;
                for (int i = 0; i < values.length; i++)
                {
                    values[i] = null != values[i] ? values[i] :
                        ADD == update.operation ? zero(places.get(update.row).fields.get(i).type) : before.values[i];
                }
                rows.put(update.row, new Row(ADD == update.operation ? update.generation : before.generation, values));
            }
        }
        if (isFullState)
        {
            fullStates.forget();
        }
        differences.forget();
        hasState = true;
    }

    /** Null if a record is malformed. */
    private List<Update> records(final ByteBuffer message, final boolean isFullState, final int rowBefore)
    {
        final List<Update> records = new ArrayList<>();
        final ByteBuffer in = message.duplicate().order(ByteOrder.LITTLE_ENDIAN).position(BODY);
        int last = rowBefore;
        while (in.hasRemaining())
        {
            final int head = in.getShort() & 0xffff;
            final int row = head & 0x3fff;
            final int operation = head >>> 14;
            if (row <= last || row >= places.size() || operation > REMOVE || isFullState && ADD != operation ||
                ADD != operation && !rows.containsKey(row))
            {
                return null;
            }
            last = row;
            final int generation = ADD == operation ? in.getShort() & 0xffff : 0;
            records.add(new Update(row, operation, generation,
                CHANGE == operation || ADD == operation ? values(in, places.get(row).fields) : null));
        }
        return records;
    }

    /** The values of the fields in the mask, null for others. */
    private static String[] values(final ByteBuffer in, final List<Field> fields)
    {
        final byte[] mask = new byte[(fields.size() + 7) / 8];
        in.get(mask);
        final String[] values = new String[fields.size()];
        for (int i = 0; i < values.length; i++)
        {
            values[i] = 0 == (mask[i / 8] & 1 << i % 8) ? null : value(in, fields.get(i).type);
        }
        return values;
    }

    private static String value(final ByteBuffer in, final String type)
    {
        return switch (type)
        {
            case "BOOL", "UINT8" -> Integer.toString(in.get() & 0xff);
            case "INT8" -> Byte.toString(in.get());
            case "INT16" -> Short.toString(in.getShort());
            case "UINT16" -> Integer.toString(in.getShort() & 0xffff);
            case "INT32" -> Integer.toString(in.getInt());
            case "UINT32" -> Integer.toUnsignedString(in.getInt());
            case "INT64", "ID" -> Long.toString(in.getLong());
            case "FLOAT" -> Double.toString(in.getFloat());
            case "DOUBLE" -> Double.toString(in.getDouble());
            case "TEXT" ->
            {
                final byte[] text = new byte[in.get() & 0xff];
                in.get(text);
                yield new String(text, StandardCharsets.UTF_8);
            }
            default -> throw new AssertionError(type);
        };
    }

    private static String zero(final String type)
    {
        return "TEXT".equals(type) ? "" : "FLOAT".equals(type) || "DOUBLE".equals(type) ? "0.0" : "0";
    }
}
