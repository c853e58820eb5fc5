package io.escapement.codecs;

import io.escapement.codecs.trunk.TrunkLayout;
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
        return TrunkLayout.RULES.validate(buffer, offset, length);
    }
}
