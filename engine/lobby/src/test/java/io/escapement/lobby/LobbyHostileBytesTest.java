package io.escapement.lobby;

import io.escapement.codecs.HostileBytesTest;
import io.escapement.codecs.TestSchema;
import io.escapement.lobby.codecs.LobbyLayout;

class LobbyHostileBytesTest extends HostileBytesTest
{
    LobbyHostileBytesTest()
    {
        super(TestSchema.of(LobbyLayout.RULES, "/io/escapement/lobby/lobby.xml"));
    }
}
