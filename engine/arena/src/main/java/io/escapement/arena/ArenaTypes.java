package io.escapement.arena;

import io.escapement.arena.common.ArenaMaps;
import io.escapement.arena.common.CharacterStore;
import io.escapement.arena.lobby.LobbyRoom;
import io.escapement.arena.room.ArenaRoom;
import io.escapement.rooms.RoomType;
import java.util.List;

/**
 * The room types of the game: the lobby, and a type of arena for each number of seats. The jar of the game names this
 * class as its provider, so a running server can load the types of a later build.
 */
public final class ArenaTypes implements RoomType.Provider
{
    /** For the loader of a jar. */
    public ArenaTypes()
    {
    }

    @Override
    public List<RoomType> roomTypes()
    {
        return List.of(all(new DatabaseCharacters()));
    }

    /**
     * Every type of the game.
     *
     * @param store that encodes the requests to the character service; all rooms share it.
     * @return the lobby first, then the arenas by their number of seats.
     */
    public static RoomType[] all(final CharacterStore store)
    {
        final ArenaMaps maps = new ArenaMaps();
        final RoomType[] types = new RoomType[ArenaRoom.MOST_SEATS - ArenaRoom.LEAST_SEATS + 2];
        types[0] = LobbyRoom.type(store, maps);
        for (int i = 1; i < types.length; i++)
        {
            types[i] = ArenaRoom.type(ArenaRoom.LEAST_SEATS + i - 1, store, maps);
        }
        return types;
    }
}
