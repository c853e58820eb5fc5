package io.escapement.arena.protocol;

import io.escapement.arena.codecs.ArenaLayout;
import io.escapement.codecs.HostileBytesTest;
import io.escapement.codecs.TestSchema;
import org.agrona.DirectBuffer;

class ArenaHostileBytesTest extends HostileBytesTest
{
    private static final TestSchema SCHEMA = ArenaSchema.schema();

    ArenaHostileBytesTest()
    {
        super(SCHEMA);
    }

    @Override
    protected int validate(final DirectBuffer buffer, final int offset, final int length)
    {
        return ArenaLayout.RULES.validate(buffer, offset, length);
    }
}
