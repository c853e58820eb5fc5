package io.escapement.examples.turns;

import io.escapement.examples.common.WebPlayer;
import io.escapement.server.LocalServer;
import io.escapement.testsupport.Tests;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A game in one process, with players on the JDK's WebSocket, that goes on after a restart. */
class TurnsTest
{
    private static final String ANN = "the key of Ann, a guest";
    private static final String BEN = "the key of Ben, a guest";
    private static final long TABLE = WebPlayer.LOBBY_ROOM_ID + 1;

    @TempDir
    private Path directory;

    @Test
    void shouldGoOnWithAGameAfterARestart()
    {
        try (LocalServer server = launch();
            WebPlayer ann = new WebPlayer(server.url(), ANN).join(WebPlayer.LOBBY_ROOM_ID, "");
            WebPlayer ben = new WebPlayer(server.url(), BEN))
        {
            assertEquals(TABLE, ann.joinOrCreate(TableRoom.TYPE_ID, "Ann's table", "Ann"));
            ann.awaitEvent(TABLE, "welcome");
            ben.join(TABLE, "Ben").awaitEvent(TABLE, "begin");
            ann.say(TABLE, "3");
            ben.awaitEvent(TABLE, "disc\t3\t0");
            ann.say(TABLE, "3");
            ann.await(("refused " + TableRoom.NOT_YOUR_TURN)::equals, "the refusal");
            server.stop();
        }
        try (LocalServer server = launch();
            WebPlayer ann = new WebPlayer(server.url(), ANN).join(TABLE, "Ann");
            WebPlayer ben = new WebPlayer(server.url(), BEN).join(TABLE, "Ben"))
        {
            assertTrue(ben.await((text) -> text.contains(":turn"), "the turn").startsWith(TABLE + ":turn\t1\t"));
            ben.say(TABLE, "3");
            ann.awaitEvent(TABLE, "disc\t10\t1");
            ann.say(TABLE, "2");
            ben.awaitEvent(TABLE, "disc\t2\t0");
            ben.say(TABLE, "2");
            ann.awaitEvent(TABLE, "disc\t9\t1");
            ann.say(TABLE, "1");
            ben.awaitEvent(TABLE, "disc\t1\t0");
            ben.say(TABLE, "1");
            ann.awaitEvent(TABLE, "disc\t8\t1");
            ann.say(TABLE, "0");
            ann.awaitEvent(TABLE, "over\t0\t" + TableRoom.FOUR);
            server.stop();
        }
    }

    private LocalServer launch()
    {
        final LocalServer server = LocalServer.launch(new TurnsGame(), 0, directory);
        Tests.await(server::isReady, "the gateway");
        return server;
    }
}
