package io.escapement.examples.game;

import io.escapement.codecs.sync.SyncedCopy;
import io.escapement.examples.common.WebPlayer;
import io.escapement.rooms.RoomType;
import io.escapement.server.Escapement;
import io.escapement.testsupport.ChildJvm;
import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.SourceJar;
import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A new project is served with {@code --watch}, and its room is edited while a player is in it. */
@RealTime("other processes, and files that change")
class WatchTest
{
    private static final long ROOM_ID = 1;
    private static final List<String> FLAGS = List.of("--add-opens", "java.base/sun.nio.ch=ALL-UNNAMED", "-Xmx512m");

    @TempDir
    private Path directory;
    private final SyncedCopy state = new SyncedCopy(DotsRoom.SCHEMA);
    private int statesSeen;

    @Test
    void shouldReloadAnEditedRoomWhileAPlayerStays() throws IOException
    {
        final Path project = project();
        final Path room = project.resolve("src/main/java/game/DotsRoom.java");
        final String source = Files.readString(room);
        assertTrue(source.contains("SCORE, dot) + 1,"));
        Tests.writeSecret(directory.resolve("secret"), "a secret of the trunks of a game");
        final int port = Tests.freePorts(2);
        try (ChildJvm server = new ChildJvm(Escapement.class, FLAGS, List.of("serve", "--types", "dots.jar", "--watch",
            project.toString(), "--secret-file", "secret", "--web-port", "0", "--listen", "127.0.0.1:" + port,
            "--respond", "127.0.0.1:" + (port + 1)), directory))
        {
            await(server, "watch build 1: rooms reloaded: 1");
            try (WebPlayer ann = new WebPlayer(server.valueOf("web "), "the key of Ann, a guest").join(ROOM_ID, ""))
            {
                assertEquals(1, scoreAfterACoin(ann));

                Files.writeString(room, source.replace("SCORE, dot) + 1,", "SCORE, dot) + 100,"));
                await(server, "watch build 2: rooms reloaded: 1");
                assertEquals(101, scoreAfterACoin(ann));

                Files.writeString(room, source.replace("SCORE, dot) + 1,", "SCORE, dot) + oops,"));
                await(server, "watch not built, the rooms stay as they are: " + room + ":");
                assertEquals(201, scoreAfterACoin(ann));

                Files.writeString(room, source);
                await(server, "watch build 3: rooms reloaded: 1");
                assertEquals(202, scoreAfterACoin(ann));
                assertEquals(List.of("welcome", "loggedIn 0", "joined " + ROOM_ID), ann.received());
            }
            server.terminate();
            assertEquals(0, server.exitStatus(), () -> server.lines().toString());
            assertFalse(Files.exists(directory.resolve("escapement-data")), "rooms are in memory");
        }
    }

    /** A project, and its first package. */
    private Path project() throws IOException
    {
        final Path repository = directory.resolve("repository");
        try (ChildJvm version = new ChildJvm(Escapement.class, FLAGS, List.of("--version")))
        {
            assertEquals(0, version.exitStatus());
            final String number = version.lines().get(0).replaceAll(".* ", "");
            final Path installed = repository.resolve(
                "io/escapement/escapement-server/" + number + "/escapement-server-" + number + ".jar");
            Files.createDirectories(installed.getParent());
            Files.createFile(installed);
            // Newer than each source, so nothing is installed.
            Files.setLastModifiedTime(installed, FileTime.from(Long.MAX_VALUE / 2, TimeUnit.NANOSECONDS));
        }
        final Path project = directory.resolve("my-dots");
        try (ChildJvm create = new ChildJvm(Escapement.class,
            List.of("-Descapement.home=" + Path.of("..", "..", "..").toAbsolutePath().normalize()),
            List.of("new", project.toString(), "--repository", repository.toString())))
        {
            assertEquals(0, create.exitStatus(), () -> create.lines().toString());
        }
        new SourceJar().sources(project.resolve("src/main/java"), "game")
            .provider(RoomType.Provider.class.getName(), "game.DotsGame")
            .resource("META-INF/resources/index.html", "<!DOCTYPE html><title>dots</title>")
            .writeTo(directory.resolve("dots.jar"));
        return project;
    }

    private static void await(final ChildJvm server, final String line)
    {
        Tests.await(() -> server.lines().stream().anyMatch((text) -> text.startsWith(line)) || !server.isAlive(),
            () -> line + ", but " + server.lines());
        assertTrue(server.isAlive(), () -> server.lines().toString());
    }

    /** Move to the coin. Returns the player's score then. */
    private long scoreAfterACoin(final WebPlayer player)
    {
        Tests.await(() -> isCurrent(player), "a state");
        final long before = state.longValue(DotsRoom.SCORE, 0);
        final byte[] move = ByteBuffer.allocate(DotsRoom.MOVE_LENGTH).order(ByteOrder.LITTLE_ENDIAN)
            .putShort((short)state.longValue(DotsRoom.COIN_X, 0)).putShort((short)state.longValue(DotsRoom.COIN_Y, 0))
            .array();
        player.say(ROOM_ID, move);
        Tests.await(() -> isCurrent(player) && before != state.longValue(DotsRoom.SCORE, 0), "a score");
        return state.longValue(DotsRoom.SCORE, 0);
    }

    private boolean isCurrent(final WebPlayer player)
    {
        final List<byte[]> payloads = player.payloads();
        for (; statesSeen < payloads.size(); statesSeen++)
        {
            final byte[] payload = payloads.get(statesSeen);
            state.apply(new UnsafeBuffer(payload), 0, payload.length);
        }
        return state.isCurrent();
    }
}
