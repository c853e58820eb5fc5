package io.escapement.codecs;

import io.escapement.codecs.layout.SchemaRules;
import io.escapement.codecs.room.RefusalCode;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * A naive twin of {@link SchemaRules}, derived from the schema's text. Caps are given: they are
 * those of the schema, written a second time. A part is a field of data, or a group with its count and its data.
 */
public final class NaiveRules
{
    public final Shapes shapes;
    private final Map<Integer, int[]> capsByTemplate = new HashMap<>();

    public NaiveRules(final String schema)
    {
        shapes = new Shapes(schema);
    }

    public NaiveRules caps(final int template, final int... caps)
    {
        capsByTemplate.put(template, caps);
        return this;
    }

    int cap(final int template, final int part)
    {
        return capsByTemplate.get(template)[part];
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
        return parts(in, shape, capsByTemplate.get(template));
    }

    private static int parts(final ByteBuffer in, final Shapes.Block shape, final int[] caps)
    {
        int cap = 0;
        for (final Object part : shape.parts)
        {
            if (Shapes.DATA == part)
            {
                final int code = data(in, caps[cap++]);
                if (0 != code)
                {
                    return code;
                }
                continue;
            }

            final Shapes.Block group = (Shapes.Block)part;
            if (in.remaining() < 2 * group.numberLength)
            {
                return RefusalCode.TOO_SHORT.value();
            }
            final int block = number(in, group.numberLength);
            final int count = number(in, group.numberLength);
            if (block != group.length)
            {
                return RefusalCode.BAD_GROUP_BLOCK.value();
            }
            if (count > caps[cap++])
            {
                return RefusalCode.BAD_GROUP_COUNT.value();
            }
            final int code = entries(in, block, count, Arrays.copyOfRange(caps, cap, cap + group.parts.size()));
            cap += group.parts.size();
            if (0 != code)
            {
                return code;
            }
        }
        return in.hasRemaining() ? RefusalCode.TRAILING_BYTES.value() : 0;
    }

    private static int number(final ByteBuffer in, final int length)
    {
        return Byte.BYTES == length ? in.get() & 0xFF : in.getShort() & 0xFFFF;
    }

    private static int entries(final ByteBuffer in, final int block, final int count, final int[] dataCaps)
    {
        for (int i = 0; i < count; i++)
        {
            if (in.remaining() < block)
            {
                return RefusalCode.TOO_SHORT.value();
            }
            in.position(in.position() + block);
            for (final int dataCap : dataCaps)
            {
                final int code = data(in, dataCap);
                if (0 != code)
                {
                    return code;
                }
            }
        }
        return 0;
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
