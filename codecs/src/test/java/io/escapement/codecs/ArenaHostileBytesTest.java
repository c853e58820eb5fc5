package io.escapement.codecs;

import org.agrona.DirectBuffer;

class ArenaHostileBytesTest extends HostileBytesTest
{
    ArenaHostileBytesTest()
    {
        super(ArenaSchema.schema());
    }

    @Override
    int validate(final DirectBuffer buffer, final int offset, final int length)
    {
        return ArenaMessages.RULES.validate(buffer, offset, length);
    }
}
