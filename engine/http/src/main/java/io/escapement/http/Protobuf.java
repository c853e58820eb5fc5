package io.escapement.http;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Writes the fields of one message of Protocol Buffers. */
final class Protobuf
{
    private static final int VARINT = 0;
    private static final int FIXED = 1;
    private static final int LENGTH = 2;
    private static final int BITS = 7;
    private static final int MORE = 0x80;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    Protobuf integer(final int field, final long value)
    {
        return varint((long)field << 3 | VARINT).varint(value);
    }

    Protobuf fixed(final int field, final long value)
    {
        return varint((long)field << 3 | FIXED).fixed(value);
    }

    Protobuf number(final int field, final double value)
    {
        return fixed(field, Double.doubleToRawLongBits(value));
    }

    Protobuf text(final int field, final String value)
    {
        return bytes(field, value.getBytes(StandardCharsets.UTF_8));
    }

    Protobuf message(final int field, final Protobuf value)
    {
        return bytes(field, value.bytes());
    }

    /** Also an element of the packed field of another message. */
    Protobuf fixed(final long value)
    {
        for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE)
        {
            out.write((int)(value >>> shift));
        }
        return this;
    }

    byte[] bytes()
    {
        return out.toByteArray();
    }

    private Protobuf bytes(final int field, final byte[] value)
    {
        varint((long)field << 3 | LENGTH).varint(value.length);
        out.writeBytes(value);
        return this;
    }

    private Protobuf varint(final long value)
    {
        long rest = value;
        while (rest >>> BITS != 0)
        {
            out.write((int)rest | MORE);
            rest >>>= BITS;
        }
        out.write((int)rest);
        return this;
    }
}
