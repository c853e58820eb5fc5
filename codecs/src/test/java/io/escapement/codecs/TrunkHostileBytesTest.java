package io.escapement.codecs;

import org.agrona.DirectBuffer;

class TrunkHostileBytesTest extends HostileBytesTest
{
    private static final TestSchema SCHEMA = TrunkSchema.schema();

    TrunkHostileBytesTest()
    {
        super(SCHEMA);
    }

    @Override
    protected int validate(final DirectBuffer buffer, final int offset, final int length)
    {
        return TrunkMessages.RULES.validate(buffer, offset, length);
    }
}
