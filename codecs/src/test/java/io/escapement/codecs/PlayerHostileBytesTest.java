package io.escapement.codecs;

import org.agrona.DirectBuffer;

class PlayerHostileBytesTest extends HostileBytesTest
{
    PlayerHostileBytesTest()
    {
        super(PlayerSchema.schema());
    }

    @Override
    protected int validate(final DirectBuffer buffer, final int offset, final int length)
    {
        return PlayerMessages.RULES.validate(buffer, offset, length);
    }
}
