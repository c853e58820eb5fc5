package io.escapement.arena.protocol;

import io.escapement.arena.codecs.ArenaLayout;
import io.escapement.codecs.HostileBytesTest;
import io.escapement.codecs.TestSchema;

class ArenaHostileBytesTest extends HostileBytesTest
{
    ArenaHostileBytesTest()
    {
        super(TestSchema.of(ArenaLayout.RULES, "/io/escapement/arena/protocol/arena.xml"));
    }
}
