package io.escapement.codecs;

import io.escapement.codecs.trunk.TrunkLayout;

class TrunkHostileBytesTest extends HostileBytesTest
{
    TrunkHostileBytesTest()
    {
        super(TestSchema.of(TrunkLayout.RULES, "trunk.xml"));
    }
}
