package io.escapement.rooms.sync;

import io.escapement.codecs.sync.SyncSchema.Type;
import io.escapement.codecs.sync.SyncedCopy;
import java.util.Map;
import java.util.TreeMap;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** A copy of the state of a {@link SyncRoom}, a second one of the reports of its callbacks, and a third one. */
class ReportedCopy implements SyncedCopy.Listener
{
    final SyncedCopy copy = new SyncedCopy(SyncRoom.SCHEMA, this);
    final PageCopy page = new PageCopy(SyncRoom.SCHEMA.toJson());
    private final Map<String, String> reported = new TreeMap<>();

    @Override
    public void onAdded(final int table, final int row)
    {
        for (int field = SyncRoom.SCHEMA.firstField(table), i = 0; i < SyncRoom.SCHEMA.fieldCount(table); i++)
        {
            onChanged(field + i, row);
        }
        reported.put(name(table, row), "there");
    }

    @Override
    public void onChanged(final int field, final int row)
    {
        final String name = name(SyncRoom.SCHEMA.table(field), row) + SyncRoom.SCHEMA.fieldName(field);
        final Type type = SyncRoom.SCHEMA.type(field);
        reported.put(name, Type.TEXT == type ? copy.text(field, row) :
            Type.FLOAT == type || Type.DOUBLE == type ? Double.toString(copy.doubleValue(field, row)) :
            Long.toString(copy.longValue(field, row)));
    }

    @Override
    public void onRemoved(final int table, final int row)
    {
        reported.keySet().removeIf((name) -> name.startsWith(name(table, row)));
    }

    /** The callbacks reported the state that the copy has. */
    void assertReported(final Map<String, String> held, final Object message)
    {
        final Map<String, String> expected = new TreeMap<>(held);
        expected.replaceAll((name, value) -> name.endsWith(".") ? "there" : value);
        assertEquals(expected, reported, message::toString);
    }

    /** The copy of the protocol page takes the message, and has the same state. */
    void assertPage(final byte[] message, final Object text)
    {
        page.onState(message);
        assertEquals(SyncTwin.held(copy), page.held(), text::toString);
    }

    private static String name(final int table, final int row)
    {
        return SyncRoom.SCHEMA.tableName(table) + '[' + row + "].";
    }
}
