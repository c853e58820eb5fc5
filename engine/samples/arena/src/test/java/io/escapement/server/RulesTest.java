package io.escapement.server;

import io.aeron.Aeron;
import io.aeron.driver.MediaDriver;
import io.escapement.arena.ArenaGame;
import io.escapement.arena.codecs.ArenaCode;
import io.escapement.arena.codecs.CharacterCreatedDecoder;
import io.escapement.arena.codecs.ChatDecoder;
import io.escapement.arena.codecs.RefusedDecoder;
import io.escapement.arena.codecs.RoomCreatedDecoder;
import io.escapement.arena.codecs.SeatReservedDecoder;
import io.escapement.arena.lobby.LobbyRoom;
import io.escapement.arena.room.ArenaRoom;
import io.escapement.driver.DriverDirectory;
import io.escapement.rooms.RoomType;
import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.SourceJar;
import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.agrona.sbe.MessageDecoderFlyweight;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** A server takes newer rules from jars at SIGHUP, while a player is in an arena. */
@RealTime("a process that gets signals, and its files")
class RulesTest
{
    private static final long LOBBY = LobbyRoom.ROOM_ID;
    private static final String ROOM = "io/escapement/arena/room/ArenaRoom.java";
    private static final int NEXT = ArenaRoom.VERSION + 1;
    private static final String THROWN = " from version " + NEXT + " to " + (NEXT + 1) + ": RELOAD_FAILED: unlucky";
    private static final int CHATS = 10;
    /** Messages that a newcomer may send at once; one a second follows. */
    private static final int BURST = 4;

    @TempDir
    Path directory;

    private final String listen = Program.freeEndpoint();
    private final String respond = Program.freeEndpoint();
    private MediaDriver driver;
    private Aeron aeron;
    private TestPlayer player;

    @Test
    void shouldPlayOnByNewRulesAndRefuseBadOnes() throws IOException
    {
        assumeTrue(isHangupReceived(), "the build runs with nohup, so that its processes ignore SIGHUP");
        final Path rules = Files.createDirectory(directory.resolve("rules"));
        // Before there is a player, whose trunk nobody polls during that time.
        final Path good = jar(NEXT).replace(ROOM, "CHAT_BURST = " + BURST, "CHAT_BURST = 10_000")
            .writeTo(directory.resolve("good.jar"));
        final Path throwing = jar(NEXT + 1).replace(ROOM, "settings.read(state);", "if (0 == closing)\n        {\n" +
            "throw new IllegalStateException(\"unlucky\");\n        }").writeTo(directory.resolve("throwing.jar"));
        try (Program server = serve(rules))
        {
            assertEquals("types no new jar: rooms reloaded: 0", server.line("types "));
            final long arenaId;
            try (MediaDriver ofPlayer = driver(); Aeron client = connect(ofPlayer); TestPlayer ann = player(client))
            {
                arenaId = enter(ann);
                assertEquals(BURST, chats(ann));

                Files.move(good, rules.resolve("b-good.jar"));
                // The lobby and the sizes that nobody has opened have no rooms.
                assertEquals("types b-good.jar: rooms reloaded: 1", reload(server));
                assertEquals(CHATS, chats(ann));

                Files.writeString(rules.resolve("a-broken.jar"), "not a jar");
                Files.move(throwing, rules.resolve("c-throws.jar"));
                final String refused = reload(server);
                assertTrue(refused.startsWith("types c-throws.jar: rooms reloaded: 0; refused: jar: " +
                    rules.resolve("a-broken.jar") + ": "), refused);
                assertTrue(refused.endsWith("; 1 rooms, first room " + arenaId +
                    " of arena-4" + THROWN), refused);
                assertEquals(CHATS, chats(ann), "the game goes on by the rules that it had");
                assertEquals(List.of(), ann.seatEvents, "no player has left");
                assertEquals(List.of(), ann.refusals);
            }
            server.kill();
        }
        final String journal = directory.resolve("escapement-data").toString();
        final String complaint = Program.complaint(1, "recover", "--run", journal);
        assertTrue(complaint.contains(
            " to " + NEXT + ", which is not registered"), complaint);
        Files.delete(rules.resolve("a-broken.jar"));
        Program.complaint(0, "recover", "--run", "--types", rules.toString(), journal);
        try (Program server = serve(rules))
        {
            assertTrue(server.line("journal ").contains(": 5 rooms of the last server; "), server.lines::toString);
            final String refused = server.line("types ");
            assertTrue(refused.startsWith("types no new jar: rooms reloaded: 0; refused: 1 rooms, first room ") &&
                refused.endsWith(THROWN), refused);
            assertEquals(0, server.end(), server.lines::toString);
        }
    }

    @Test
    void shouldNameADirectoryThatIsNone()
    {
        final Path none = directory.resolve("none");
        final String complaint = Program.complaint(
            2, "recover", "--run", "--types", none.toString(), directory.toString());
        assertTrue(complaint.startsWith("escapement: --types: " + none + ": no such file or directory"), complaint);
    }

    /** Whether a child of this process receives SIGHUP, which is the lowest bit. */
    static boolean isHangupReceived() throws IOException
    {
        return Files.readAllLines(Path.of("/proc/self/status")).stream().filter((line) -> line.startsWith("SigIgn:"))
            .noneMatch((line) -> 0 != (1 & Character.digit(line.charAt(line.length() - 1), 16)));
    }

    /** The arenas of the program in another version. */
    static SourceJar jar(final int version)
    {
        final Path sources = Path.of("src/main/java");
        return new SourceJar()
            .sources(sources, "io.escapement.arena.room")
            .sources(sources, "io.escapement.arena")
            .replace(ROOM, "VERSION = " + ArenaRoom.VERSION + ";", "VERSION = " + version + ";")
            .provider(RoomType.Provider.class.getName(), ArenaGame.class.getName());
    }

    private Program serve(final Path rules)
    {
        final Program server = Program.in(directory, "serve", "--demo-accounts", "--trunk-limit", "4", "--listen",
            listen, "--respond", respond, "--database", "jdbc:h2:mem:rules", "--types", rules.toString());
        server.awaitLine("ready ");
        return server;
    }

    private String reload(final Program server)
    {
        final long before = typesLines(server);
        server.signal("HUP");
        await("the reload", () -> typesLines(server) > before);
        assertTrue(server.isAlive());
        return server.line("types ");
    }

    static long typesLines(final Program server)
    {
        return server.lines.stream().filter((line) -> line.startsWith("types ")).count();
    }

    private TestPlayer player(final Aeron client)
    {
        player = new TestPlayer(client, listen, respond, ServerOptions.secret(null, true));
        await("a trunk", player::isUp);
        return player;
    }

    private long enter(final TestPlayer ann)
    {
        ann.signUp("ann");
        await("a token", () -> 1 == ann.logIns());
        join(ann, LOBBY);
        ann.to(LOBBY).createCharacter(1, "Knight");
        final long characterId = receive(ann, new CharacterCreatedDecoder()).characterId();
        ann.to(LOBBY).createRoom(2, "The Pit", 4, "courtyard", "");
        final long arenaId = receive(ann, new RoomCreatedDecoder()).roomId();
        ann.to(LOBBY).enterRoom(3, arenaId, characterId, "");
        receive(ann, new SeatReservedDecoder());
        join(ann, arenaId);
        return arenaId;
    }

    private void join(final TestPlayer ann, final long roomId)
    {
        await("the request to be sent", () -> ann.join(roomId));
        await("a seat in " + roomId, () -> ann.isIn(roomId));
    }

    /** Send several at once to the arena. Returns the number of those that everybody got. */
    private int chats(final TestPlayer ann)
    {
        final long arenaId = ann.seatByRoomMap.keySet().stream().filter((roomId) -> LOBBY != roomId).findAny().get();
        for (int i = 0; i < CHATS; i++)
        {
            ann.to(arenaId).roomChat("chat " + i);
        }
        final int[] answers = new int[2];
        await("an answer to each", () ->
        {
            final RefusedDecoder refused = new RefusedDecoder();
            answers[0] += null == ann.take(new ChatDecoder()) ? 0 : 1;
            if (null != ann.take(refused))
            {
                assertEquals(ArenaCode.CHAT_FLOOD, refused.code());
                answers[1]++;
            }
            return CHATS == answers[0] + answers[1];
        });
        return answers[0];
    }

    private <D extends MessageDecoderFlyweight> D receive(final TestPlayer ann, final D decoder)
    {
        await("a " + decoder.getClass().getSimpleName(), () -> null != ann.take(decoder));
        return decoder;
    }

    private MediaDriver driver()
    {
        driver = MediaDriver.launch(new MediaDriver.Context()
            .aeronDirectoryName(DriverDirectory.temporary())
            .threadingMode(io.aeron.driver.ThreadingMode.INVOKER)
            .termBufferSparseFile(true)
            .publicationTermBufferLength(64 * 1_024)
            .dirDeleteOnStart(true)
            .dirDeleteOnShutdown(true));
        return driver;
    }

    private Aeron connect(final MediaDriver ofPlayer)
    {
        aeron = Aeron.connect(new Aeron.Context()
            .aeronDirectoryName(ofPlayer.aeronDirectoryName())
            .useConductorAgentInvoker(true)
            .driverAgentInvoker(ofPlayer.sharedAgentInvoker()));
        return aeron;
    }

    private void await(final String what, final BooleanSupplier condition)
    {
        Tests.await(() ->
        {
            driver.sharedAgentInvoker().invoke();
            aeron.conductorAgentInvoker().invoke();
            player.poll();
            return condition.getAsBoolean();
        }, what);
    }
}
