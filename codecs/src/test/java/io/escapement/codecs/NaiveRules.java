package io.escapement.codecs;

import io.escapement.codecs.layout.SchemaRules;
import io.escapement.codecs.room.RefusalCode;
import java.nio.ByteBuffer;

/** A naive twin of {@link SchemaRules}, derived from the schema's text. */
public final class NaiveRules
{
    public final Shapes shapes;

    public NaiveRules(final String schema)
    {
        shapes = new Shapes(schema);
    }

    int validate(final ByteBuffer in)
    {
        final int length = in.remaining();
        if (length < 8)
        {
            return RefusalCode.TOO_SHORT.value();
        }
        final int block = in.getShort() & 0xFFFF;
        final int template = in.getShort() & 0xFFFF;
        final int schema = in.getShort() & 0xFFFF;
        final int version = in.getShort() & 0xFFFF;
        if (shapes.schemaId != schema)
        {
            return RefusalCode.WRONG_SCHEMA.value();
        }
        if (version != shapes.version)
        {
            return RefusalCode.UNKNOWN_VERSION.value();
        }
        final Shapes.Block shape = shapes.byTemplate.get(template);
        if (null == shape)
        {
            return RefusalCode.UNKNOWN_TEMPLATE.value();
        }
        if (block != shape.length)
        {
            return RefusalCode.BAD_BLOCK_LENGTH.value();
        }
        if (in.remaining() < block)
        {
            return RefusalCode.TOO_SHORT.value();
        }
        in.position(in.position() + block);
        final int code = parts(in, shape);
        return 0 == code && in.hasRemaining() ? RefusalCode.TRAILING_BYTES.value() : code;
    }

    private static int parts(final ByteBuffer in, final Shapes.Block shape)
    {
        int code = 0;
        for (int i = 0; i < shape.parts.size() && 0 == code; i++)
        {
            final int limit = shape.limits.get(i);
            code = Shapes.DATA == shape.parts.get(i) ?
                data(in, limit) : group(in, (Shapes.Block)shape.parts.get(i), limit);
        }
        return code;
    }

    private static int group(final ByteBuffer in, final Shapes.Block group, final int limit)
    {
        if (in.remaining() < 2 * group.numberLength)
        {
            return RefusalCode.TOO_SHORT.value();
        }
        if (number(in, group.numberLength) != group.length)
        {
            return RefusalCode.BAD_GROUP_BLOCK.value();
        }
        final int count = number(in, group.numberLength);
        int code = count > limit ? RefusalCode.BAD_GROUP_COUNT.value() : 0;
        for (int i = 0; i < count && 0 == code; i++)
        {
            if (in.remaining() < group.length)
            {
                return RefusalCode.TOO_SHORT.value();
            }
            in.position(in.position() + group.length);
            code = parts(in, group);
        }
        return code;
    }

    private static int number(final ByteBuffer in, final int length)
    {
        return Byte.BYTES == length ? in.get() & 0xFF : in.getShort() & 0xFFFF;
    }

    private static int data(final ByteBuffer in, final int cap)
    {
        if (in.remaining() < 2)
        {
            return RefusalCode.TOO_SHORT.value();
        }
        final int length = in.getShort() & 0xFFFF;
        if (length > cap)
        {
            return RefusalCode.DATA_TOO_LONG.value();
        }
        if (length > in.remaining())
        {
            return RefusalCode.TOO_SHORT.value();
        }
        in.position(in.position() + length);
        return 0;
    }
}
