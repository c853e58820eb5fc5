package io.escapement.codecs;

import io.escapement.codecs.player.PlayerLayout;

class PlayerHostileBytesTest extends HostileBytesTest
{
    PlayerHostileBytesTest()
    {
        super(TestSchema.of(PlayerLayout.RULES, "player.xml"));
    }
}
