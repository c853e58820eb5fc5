package io.escapement.matchmaking;

import io.escapement.codecs.HostileBytesTest;
import io.escapement.codecs.TestSchema;
import io.escapement.matchmaking.codecs.MatchmakingLayout;

class MatchmakingHostileBytesTest extends HostileBytesTest
{
    MatchmakingHostileBytesTest()
    {
        super(TestSchema.of(MatchmakingLayout.RULES, "/io/escapement/matchmaking/matchmaking.xml"));
    }
}
