package io.escapement.examples.chat;

import io.escapement.engine.Engine;
import io.escapement.lobby.Lobby;
import io.escapement.rooms.RoomType;
import io.escapement.server.Game;
import java.util.List;
import java.util.Map;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The server finds this class through {@code META-INF/services}. Pages know the lobby's id, because it is the first
 * room.
 */
public final class ChatGame implements Game
{
    static final int LOBBY = 1;
    /** The label with the name of a room. */
    static final int NAME_LABEL = 0;

    private static final int MAX_ROOMS = 64;
    private static final int MAX_NAME_LENGTH = 32;
    private static final List<String> NAMES = List.of("general", "help", "random");

    @Override
    public String page()
    {
        return "examples/chat/index.html";
    }

    @Override
    public List<RoomType> roomTypes()
    {
        return List.of(lobby(), ChatRoom.type());
    }

    static RoomType lobby()
    {
        return Lobby.type(LOBBY, new Lobby.Context().opens(ChatRoom.type(), MAX_ROOMS).labels(1, MAX_NAME_LENGTH));
    }

    @Override
    public void openRooms(final Engine engine)
    {
        final boolean isNew = engine.recoveredRooms(LOBBY).isEmpty();
        engine.openRoomOnce(LOBBY);
        for (final String name : isNew ? NAMES : List.<String>of())
        {
            final UnsafeBuffer args = Lobby.openArgs(Map.of(NAME_LABEL, name), new byte[0]);
            engine.openRoom(ChatRoom.TYPE_ID, args, 0, args.capacity());
        }
    }
}
