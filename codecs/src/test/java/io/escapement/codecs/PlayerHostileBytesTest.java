package io.escapement.codecs;

import io.escapement.codecs.player.PlayerLayout;
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
        return PlayerLayout.RULES.validate(buffer, offset, length);
    }
}
