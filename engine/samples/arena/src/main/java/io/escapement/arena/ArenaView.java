package io.escapement.arena;

import io.escapement.arena.room.ArenaPicture;
import io.escapement.console.RoomView;
import io.escapement.rooms.RoomLogic;
import java.util.List;

/** Draws an arena on the console's page with the scripts of the game's own page. */
final class ArenaView implements RoomView
{
    private static final List<String> FILES = List.of("watch.js", "arena.js", "draw.js", "game.js", "walls.js",
        "palette.css", "maps/catacombs.map", "maps/courtyard.map", "maps/foundry.map");

    @Override
    public byte[] read(final RoomLogic logic)
    {
        return ArenaPicture.of(logic);
    }

    @Override
    public String directory()
    {
        return "META-INF/resources/arena";
    }

    @Override
    public List<String> files()
    {
        return FILES;
    }
}
