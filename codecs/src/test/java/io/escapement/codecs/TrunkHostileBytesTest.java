package io.escapement.codecs;

import org.agrona.DirectBuffer;

class TrunkHostileBytesTest extends HostileBytesTest
{
    TrunkHostileBytesTest()
    {
        super(TrunkSchema.schema());
    }

    @Override
    protected int validate(final DirectBuffer buffer, final int offset, final int length)
    {
        return TrunkMessages.RULES.validate(buffer, offset, length);
    }
}
