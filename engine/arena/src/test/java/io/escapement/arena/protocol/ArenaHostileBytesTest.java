package io.escapement.arena.protocol;

import io.escapement.codecs.HostileBytesTest;
import org.agrona.DirectBuffer;

class ArenaHostileBytesTest extends HostileBytesTest
{
    ArenaHostileBytesTest()
    {
        super(ArenaSchema.schema());
    }

    @Override
    protected int validate(final DirectBuffer buffer, final int offset, final int length)
    {
        return ArenaMessages.RULES.validate(buffer, offset, length);
    }
}
