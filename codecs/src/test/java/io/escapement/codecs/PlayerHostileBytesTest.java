package io.escapement.codecs;

import org.agrona.DirectBuffer;

class PlayerHostileBytesTest extends HostileBytesTest
{
    private static final TestSchema SCHEMA = PlayerSchema.schema();

    PlayerHostileBytesTest()
    {
        super(SCHEMA);
    }

    @Override
    protected int validate(final DirectBuffer buffer, final int offset, final int length)
    {
        return PlayerMessages.RULES.validate(buffer, offset, length);
    }
}
