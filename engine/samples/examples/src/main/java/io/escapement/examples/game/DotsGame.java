package io.escapement.examples.game;

import io.escapement.engine.Engine;
import io.escapement.rooms.RoomType;
import io.escapement.server.Game;
import java.util.List;

/** The server finds this class through {@code META-INF/services}. The page knows the id of its only room. */
public final class DotsGame implements Game
{
    @Override
    public String page()
    {
        return "examples/game/index.html";
    }

    @Override
    public List<RoomType> roomTypes()
    {
        return List.of(DotsRoom.type());
    }

    @Override
    public void openRooms(final Engine engine)
    {
        engine.openRoomOnce(DotsRoom.TYPE_ID);
    }
}
