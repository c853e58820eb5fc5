package io.escapement.engine;

import io.escapement.client.ClientSeat;
import io.escapement.client.SendStatus;
import io.escapement.client.TrunkListener;
import io.escapement.config.ConfigException;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.replay.ProposalException;
import io.escapement.rooms.replay.Replay;
import io.escapement.rules.RuledRoom;
import io.escapement.testsupport.SourceJar;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A newer version of a room, compiled while the engine runs, is loaded from a jar. */
class RoomTypeJarTest
{
    private static final Path SOURCES = Path.of("src/test/java");
    private static final String RULES = "io.escapement.rules";
    private static final String RULE = "io/escapement/rules/Rule.java";

    @TempDir
    Path directory;

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[8]);
    private long lastSum;

    @Test
    void shouldReloadRoomsWithTheClassesOfOneJarAfterAnother() throws Exception
    {
        final Path second = rules("second.jar", 2, "10 * number");
        final Path third = rules("third.jar", 3, "-number");
        final Path jar = directory.resolve("rules.jar");
        final Path recording = Files.createDirectory(directory.resolve("recording"));
        try (TestEngine engine = new TestEngine(context().recordTo(recording)); TestTrunk trunk = trunk(engine))
        {
            final long roomId = engine.engine().openRoom(RuledRoom.TYPE).roomId();
            final ClientSeat seat = trunk.join(engine, roomId, 7);
            assertEquals(10, sum(engine, trunk, seat));
            Files.copy(second, jar);
            final RoomType loaded = reload(engine, trunk, jar, 1);
            assertEquals(110, sum(engine, trunk, seat));
            assertEquals(RuledRoom.class.getName(), loaded.newLogic().getClass().getName());
            assertNotEquals(RuledRoom.class, loaded.newLogic().getClass(), "the jar's class comes first");
            Files.copy(third, jar, StandardCopyOption.REPLACE_EXISTING);
            reload(engine, trunk, jar, 2);
            assertEquals(100, sum(engine, trunk, seat));
            assertEquals(List.of(), trunk.left);
            assertEquals(List.of(), engine.errors());
        }
        final EngineContext all = context();
        EngineOperator.load(second).forEach(all::roomType);
        EngineOperator.load(third).forEach(all::roomType);
        final Replay replay = Recordings.replay(all, recording, 0);
        assertTrue(replay.isSame(), replay.difference());
        assertTrue(assertThrows(ProposalException.class,
            () -> Recordings.replay(context(), recording, 0)).getMessage().contains("to 2, which is not registered"));
    }

    @Test
    void shouldNameAJarThatCannotBeLoaded() throws IOException
    {
        final Path none = directory.resolve("none.jar");
        assertTrue(refusal(none).contains("none.jar: its room types cannot be loaded"));
        final Path text = Files.writeString(directory.resolve("text.jar"), "not a jar");
        assertTrue(refusal(text).startsWith("jar: " + text));
        final Path empty = new SourceJar().writeTo(directory.resolve("empty.jar"));
        assertEquals("jar: " + empty + ": no class of it is named in META-INF/services/" +
            "io.escapement.rooms.RoomType$Provider", refusal(empty));
        final Path wrong = new SourceJar().provider(RoomType.Provider.class.getName(), "no.such.Class")
            .writeTo(directory.resolve("wrong.jar"));
        assertTrue(refusal(wrong).contains("no.such.Class"), refusal(wrong));
    }

    /** It is code. */
    @Test
    void shouldRefuseAJarThatOthersMayChange() throws IOException
    {
        final Path jar = rules("writable.jar", 2, "number");
        Files.setPosixFilePermissions(jar, PosixFilePermissions.fromString("rw-rw-r--"));
        assertTrue(assertThrows(ConfigException.class, () -> EngineOperator.load(jar)).getMessage()
            .startsWith("jar: " + jar + ": others may change it"));
        Files.setPosixFilePermissions(jar, PosixFilePermissions.fromString("rw-r--r--"));
        EngineOperator.load(jar);
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertTrue(assertThrows(ConfigException.class, () -> EngineOperator.load(jar)).getMessage()
            .startsWith("jar: " + directory + ": others may change it"));
    }

    private static String refusal(final Path jar)
    {
        return assertThrows(ConfigException.class, () -> EngineOperator.load(jar)).getMessage();
    }

    private Path rules(final String name, final int version, final String rule)
    {
        return new SourceJar().sources(SOURCES, RULES)
            .replace(RULE, "VERSION = 1;", "VERSION = " + version + ";")
            .replace(RULE, "return number;", "return " + rule + ";")
            .provider(RoomType.Provider.class.getName(), RuledRoom.Provider.class.getName())
            .writeTo(directory.resolve(name));
    }

    private static RoomType reload(final TestEngine engine, final TestTrunk trunk, final Path jar, final int from)
        throws Exception
    {
        final EngineOperator operator = engine.engine().operator();
        final List<RoomType> types = EngineOperator.load(jar);
        assertEquals(1, types.size());
        operator.register(types.get(0));
        final CompletableFuture<EngineOperator.Reload> result =
            operator.reload(RuledRoom.TYPE, from, types.get(0).version());
        engine.await("the reload", trunk, result::isDone);
        assertEquals(new EngineOperator.Reload(1, 0, null), result.get());
        return types.get(0);
    }

    private long sum(final TestEngine engine, final TestTrunk trunk, final ClientSeat seat)
    {
        message.putLong(0, 10);
        lastSum = -1;
        engine.await("the message", trunk,
            () -> SendStatus.SENT == trunk.client().send(seat, message, 0, Long.BYTES));
        engine.await("the sum", trunk, () -> -1 != lastSum);
        return lastSum;
    }

    private TestTrunk trunk(final TestEngine engine)
    {
        return TestTrunk.over(engine).forwardTo(new TrunkListener()
        {
            @Override
            public void onEvent(final ClientSeat seat, final DirectBuffer buffer, final int offset, final int length)
            {
                lastSum = buffer.getLong(offset);
            }
        });
    }

    private static EngineContext context()
    {
        return new EngineContext().roomType(RuledRoom.type()).loops(1);
    }
}
