package io.escapement.lobby;

import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.bench.RoomBench;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The Java of the guide's section about the lobby, which this file has line by line. */
class LobbyGuideTest
{
    private static final Path SOURCE = Path.of("src/test/java/io/escapement/lobby/LobbyGuideTest.java");

    private final List<String> begun = new ArrayList<>();

    @Test
    void shouldHaveTheJavaOfTheGuide() throws IOException
    {
        final String source = stripped(Files.readString(SOURCE));
        final String page = Files.readString(Path.of("../guide/rooms-together.md"));
        final int start = page.indexOf("\n## A lobby\n");
        final String[] parts = page.substring(start, page.indexOf("\n## ", start + 1)).split("```java\n");
        for (int i = 1; i < parts.length; i++)
        {
            final String block = stripped(parts[i].substring(0, parts[i].indexOf("```")));
            assertTrue(source.contains(block), block);
        }
        assertEquals(3, parts.length);
    }

    @Test
    void shouldOpenARoomOfTheGuide()
    {
        final RoomType chat = RoomType.of(2, "chat", 1, Chat::new).seats(32);
        final RoomType auction = RoomType.of(3, "auction", 1, Auction::new);
        final RoomType lobby = Lobby.type(1, new Lobby.Context()
            .opens(chat, 64)
            .shows(auction)
            .roomsPerPlayer(2)
            .labels(2, 24));
        final RoomBench bench = RoomBench.of(lobby, chat, auction);
        final UnsafeBuffer args = Lobby.openArgs(Map.of(0, "general"), "Ann".getBytes(StandardCharsets.UTF_8));
        bench.open(chat, args, 0, args.capacity());
        assertEquals(List.of("Ann"), begun);
        assertEquals(List.of(), bench.failures());
    }

    private static String stripped(final String text)
    {
        return String.join("\n", text.lines().map(String::strip).filter((line) -> !line.isEmpty()).toList());
    }

    private final class Chat implements RoomLogic
    {
        @Override
        public void onOpen(final Room room, final DirectBuffer args, final int offset, final int length)
        {
            final int labelsLength = Lobby.publishLabels(room, args, offset, length);
            begin(args, offset + labelsLength, length - labelsLength);
        }

        private void begin(final DirectBuffer args, final int offset, final int length)
        {
            begun.add(args.getStringWithoutLengthUtf8(offset, length));
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer message, final int offset, final int length)
        {
            throw new IllegalStateException("nobody is here");
        }
    }

    private static final class Auction implements RoomLogic
    {
        @Override
        public void onOpen(final Room room, final DirectBuffer args, final int offset, final int length)
        {
            throw new IllegalStateException("no auction opens");
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer message, final int offset, final int length)
        {
            throw new IllegalStateException("nobody is here");
        }
    }
}
