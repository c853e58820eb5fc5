package io.escapement.server;

import io.escapement.rooms.RoomType;
import io.escapement.testsupport.SourceJar;
import java.nio.file.Path;

/** Jars with a small game, which this class path does not have. */
final class GameJar
{
    static final String PAGE = "<!DOCTYPE html><title>snake</title>";

    /** Of its pages, which the game sets in the options of a gateway. */
    static final String POLICY = "default-src 'none'";

    private static final String ROOM = """
        package game;

        final class PlainRoom implements io.escapement.rooms.RoomLogic
        {
            @Override
            public void onOpen(final io.escapement.rooms.Room room, final org.agrona.DirectBuffer args,
                final int offset, final int length)
            {
            }

            @Override
            public void onMessage(final io.escapement.rooms.Seat from, final org.agrona.DirectBuffer buffer,
                final int offset, final int length)
            {
            }
        }
        """;
    private static final String TYPES = """
            @Override
            public java.util.List<io.escapement.rooms.RoomType> roomTypes()
            {
                return java.util.List.of(io.escapement.rooms.RoomType.of(1, "TYPE", VERSION, PlainRoom::new));
            }
        """;
    private static final String GAME = """
        package game;

        public final class GameClass implements io.escapement.server.Game
        {
        TYPES
            @Override
            public String name()
            {
                return "GameClass " + VERSION;
            }

            @Override
            public String page()
            {
                return "snake/index.html";
            }

            @Override
            public void configure(final io.escapement.gateway.GatewayContext context)
            {
                context.contentSecurityPolicy("POLICY");
            }

            @Override
            public void openRooms(final io.escapement.engine.Engine engine)
            {
                engine.openRoomOnce(1);
            }
        }
        """;
    private static final String PROVIDER = """
        package game;

        public final class Plain implements io.escapement.rooms.RoomType.Provider
        {
        TYPES
        }
        """;

    private GameJar()
    {
    }

    /** A jar with a game. */
    static Path game(final Path jar, final String className, final int version)
    {
        return jar(className, GAME.replace("TYPES", TYPES).replace("TYPE", "snake").replace("GameClass", className)
            .replace("POLICY", POLICY)
            .replace("VERSION", Integer.toString(version)))
            .resource("META-INF/resources/snake/index.html", PAGE).writeTo(jar);
    }

    /** A jar with a room type and no game. */
    static Path plain(final Path jar, final String typeName, final int version)
    {
        return jar("Plain", PROVIDER.replace("TYPES", TYPES).replace("TYPE", typeName)
            .replace("VERSION", Integer.toString(version))).writeTo(jar);
    }

    private static SourceJar jar(final String className, final String source)
    {
        return new SourceJar().source("game/PlainRoom.java", ROOM).source("game/" + className + ".java", source)
            .provider(RoomType.Provider.class.getName(), "game." + className);
    }
}
