package io.escapement.examples.chat;

import io.escapement.examples.common.WebPlayer;
import io.escapement.server.LocalServer;
import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The whole chat in one process, with players on the JDK's WebSocket. */
class ChatTest
{
    private static final long GENERAL = WebPlayer.LOBBY_ROOM_ID + 1;
    private static final String ANN = "the key of Ann, a guest";
    private static final String BEN = "the key of Ben, a guest";
    private static final String EVE = "the key of Eve, a guest";

    @TempDir
    private Path directory;

    @Test
    void shouldChatAndOpenRooms() throws IOException, InterruptedException
    {
        try (LocalServer server = launch(null);
            WebPlayer ann = new WebPlayer(server.url(), ANN).join(WebPlayer.LOBBY_ROOM_ID, "");
            WebPlayer ben = new WebPlayer(server.url(), BEN).join(WebPlayer.LOBBY_ROOM_ID, ""))
        {
            assertEquals(GENERAL, ann.joinOrCreate(ChatRoom.TYPE_ID, "general", "Ann"));
            ben.askToJoin(GENERAL, "Ann");
            ben.await(("refused " + ChatRoom.NAME_TAKEN)::equals, "the refusal");
            ben.join(GENERAL, "Ben");
            ann.say(GENERAL, "hello");
            ben.awaitEvent(GENERAL, "\tAnn\thello");

            final long roomId = ben.joinOrCreate(ChatRoom.TYPE_ID, "Ben's", "Ben");
            assertEquals(roomId, ann.joinOrCreate(ChatRoom.TYPE_ID, "Ben's", "Ann"));
            ann.say(roomId, "in another room");
            ben.awaitEvent(roomId, "\tAnn\tin another room");
            assertServesThePage(server.url());
            assertTrue(server.stop().contains("clean"));
        }
    }

    @Test
    void shouldKeepTheRoomsInAJournal()
    {
        try (LocalServer server = launch(directory);
            WebPlayer ann = new WebPlayer(server.url(), ANN).join(GENERAL, "Ann"))
        {
            ann.say(GENERAL, "before the restart");
            ann.awaitEvent(GENERAL, "before the restart");
            server.stop();
        }
        try (LocalServer server = launch(directory);
            WebPlayer ann = new WebPlayer(server.url(), ANN).join(GENERAL, "another name, and the same seat");
            WebPlayer ben = new WebPlayer(server.url(), BEN).join(GENERAL, "Ben");
            WebPlayer eve = new WebPlayer(server.url(), EVE))
        {
            ben.awaitEvent(GENERAL, "here\t0\tAnn");
            ben.awaitEvent(GENERAL, "\tAnn\tbefore the restart");
            ann.say(GENERAL, "after it");
            ben.awaitEvent(GENERAL, "\tAnn\tafter it");
            eve.join(WebPlayer.LOBBY_ROOM_ID, "");
            assertEquals(GENERAL, eve.joinOrCreate(ChatRoom.TYPE_ID, "general", "Eve"));
            server.stop();
        }
    }

    private static LocalServer launch(final Path journal)
    {
        final LocalServer server = LocalServer.launch(new ChatGame(), 0, journal);
        Tests.await(server::isReady, "the gateway");
        return server;
    }

    private static void assertServesThePage(final String url) throws IOException, InterruptedException
    {
        final HttpClient http = HttpClient.newHttpClient();
        for (final String path : List.of("", "examples/chat/chat.js", "examples/chat/chat.css", "examples/common.js",
            "examples/examples.css", "examples/icon.svg", "escapement/client.js", "escapement/messages/player.js",
            "escapement/lobby.js", "escapement/messages/lobby.js"))
        {
            final HttpResponse<String> answer = http.send(
                HttpRequest.newBuilder(URI.create(url + path)).build(), HttpResponse.BodyHandlers.ofString());
            assertEquals(200, answer.statusCode(), path);
            assertTrue(answer.headers().firstValue("Content-Security-Policy").orElse("")
                .startsWith("default-src 'self';"), path);
        }
    }
}
