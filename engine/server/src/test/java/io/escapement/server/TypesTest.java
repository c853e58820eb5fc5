package io.escapement.server;

import io.escapement.rooms.RoomType;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Games and room types of jars, in a server whose class path has none. */
class TypesTest
{
    @TempDir
    Path directory;

    @Test
    void shouldRefuseToServeNothing()
    {
        assertEquals("--types: none: name a jar with rooms, or put one on the class path", complaint("serve"));
    }

    @Test
    void shouldHaveTheGameOfAJarWithItsPage() throws IOException
    {
        final Types types = new Types(List.of(GameJar.game(directory.resolve("snake.jar"), "Snake", 1)));
        assertEquals("Snake 1", types.game().name());
        assertEquals(List.of(1), versions(types));
        assertTrue(WebOptions.hasPage(types.game()));
        try (var page = types.game().getClass().getResourceAsStream("/META-INF/resources/snake/index.html"))
        {
            assertEquals(GameJar.PAGE, new String(page.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    @Test
    void shouldTakeTheNewestVersionOfAGameInADirectory()
    {
        GameJar.game(directory.resolve("a.jar"), "Snake", 1);
        GameJar.plain(directory.resolve("b.jar"), "snake", 2);
        GameJar.game(directory.resolve("c.jar"), "Snake", 3);
        final Types types = new Types(List.of(directory));
        assertEquals("Snake 3", types.game().name());
        assertEquals(List.of(1, 2, 3), versions(types));
    }

    @Test
    void shouldServeRoomsWithoutAGame()
    {
        final Types types = new Types(List.of(GameJar.plain(directory.resolve("plain.jar"), "chat", 4)));
        assertEquals(List.of(4), versions(types));
        assertEquals("rooms", types.game().name());
        assertEquals("--types: rooms: has no bots",
            complaint("bots", "--types", directory.resolve("plain.jar").toString()));
    }

    @Test
    void shouldRefuseTwoGamesByName()
    {
        final Path snake = GameJar.game(directory.resolve("a.jar"), "Snake", 1);
        final Path tetris = GameJar.game(directory.resolve("b.jar"), "Tetris", 2);
        assertEquals("--types: " + tetris + ": its game Tetris 2 is a second one, next to Snake 1: serve each by its " +
            "own server", complaint("serve", "--types", snake + "," + tetris));
    }

    @Test
    void shouldRefuseAnotherRoomOfTheSameId()
    {
        final Path snake = GameJar.game(directory.resolve("a.jar"), "Snake", 1);
        final Path other = GameJar.plain(directory.resolve("b.jar"), "chat", 2);
        final String refusal = complaint("serve", "--types", snake + "," + other);
        assertTrue(refusal.startsWith("--types: " + other + ": ") && refusal.contains(" has the id of "), refusal);
    }

    @Test
    void shouldNameAPathThatIsNone()
    {
        final Path none = directory.resolve("none.jar");
        assertEquals("--types: " + none + ": no such file or directory",
            complaint("serve", "--types", none.toString()));
    }

    @Test
    void shouldRefuseALogInThatTheGameDoesNotHave() throws IOException
    {
        final String jar = GameJar.game(directory.resolve("snake.jar"), "Snake", 1).toString();
        assertEquals("--log-in: game: Snake 1 has no log-in: use accounts or guests",
            complaint("serve", "--types", jar, "--log-in", "game"));
        assertEquals("--database: jdbc:h2:mem:x: players have no accounts: remove it, or use --log-in accounts",
            complaint("serve", "--types", jar, "--database", "jdbc:h2:mem:x"));
        assertTrue(Files.exists(Path.of(jar)));
    }

    private static List<Integer> versions(final Types types)
    {
        return types.types().stream().map(RoomType::version).toList();
    }

    /** The only line of a command with wrong usage. */
    private static String complaint(final String... arguments)
    {
        final StringWriter err = new StringWriter();
        assertEquals(2, Escapement.commandLine().setErr(new PrintWriter(err)).execute(arguments), err::toString);
        assertEquals(1, err.toString().lines().count(), err::toString);
        assertTrue(err.toString().startsWith("escapement: "), err::toString);
        return err.toString().substring("escapement: ".length()).strip();
    }
}
