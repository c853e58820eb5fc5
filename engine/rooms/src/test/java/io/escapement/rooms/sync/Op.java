package io.escapement.rooms.sync;

import java.nio.charset.StandardCharsets;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/** A change of a state, as a signal to its room. */
record Op(Kind kind, int a, int b, int c, long value, String text)
{
    enum Kind
    {
        SET, SET_DOUBLE, SET_TEXT, ADD, REMOVE, SEE, LOOK, ASSIGN, REQUEST
    }

    private static final int TEXT = 24;

    static Op of(final Kind kind, final int a, final int b, final int c, final long value)
    {
        return new Op(kind, a, b, c, value, "");
    }

    int encode(final MutableDirectBuffer buffer)
    {
        buffer.putInt(0, kind.ordinal());
        buffer.putInt(4, a);
        buffer.putInt(8, b);
        buffer.putInt(12, c);
        buffer.putLong(16, value);
        final byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        buffer.putBytes(TEXT, bytes);
        return TEXT + bytes.length;
    }

    static Op decode(final DirectBuffer buffer, final int offset, final int length)
    {
        final byte[] bytes = new byte[length - TEXT];
        buffer.getBytes(offset + TEXT, bytes);
        return new Op(Kind.values()[buffer.getInt(offset)], buffer.getInt(offset + 4), buffer.getInt(offset + 8),
            buffer.getInt(offset + 12), buffer.getLong(offset + 16), new String(bytes, StandardCharsets.UTF_8));
    }
}
