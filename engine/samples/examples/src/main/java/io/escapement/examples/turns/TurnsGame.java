package io.escapement.examples.turns;

import io.escapement.engine.Engine;
import io.escapement.lobby.Lobby;
import io.escapement.rooms.RoomType;
import io.escapement.server.Game;
import java.util.List;

/**
 * The server finds this class through {@code META-INF/services}. Players open the tables in a lobby, the first room.
 */
public final class TurnsGame implements Game
{
    private static final int LOBBY = 1;
    private static final int MAX_TABLES = 64;

    @Override
    public String page()
    {
        return "examples/turns/index.html";
    }

    @Override
    public List<RoomType> roomTypes()
    {
        return List.of(
            Lobby.type(LOBBY, new Lobby.Context().opens(TableRoom.type(), MAX_TABLES)), TableRoom.type());
    }

    @Override
    public void openRooms(final Engine engine)
    {
        engine.openRoomOnce(LOBBY);
    }
}
