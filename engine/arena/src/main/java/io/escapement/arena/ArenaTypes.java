package io.escapement.arena;

import io.escapement.arena.common.ArenaMaps;
import io.escapement.arena.common.CharacterStore;
import io.escapement.arena.lobby.LobbyRoom;
import io.escapement.arena.lobby.MatchTypes;
import io.escapement.arena.room.ArenaRoom;
import io.escapement.rooms.RoomType;
import java.util.ArrayList;
import java.util.List;

/**
 * The room types of the game: the lobby, a type of arena for each number of seats, and the matchmakers.
 * The jar of the game names this
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
     * @return the lobby first, then the arenas by their number of seats, then the matchmakers.
     */
    public static RoomType[] all(final CharacterStore store)
    {
        final ArenaMaps maps = new ArenaMaps();
        final List<RoomType> types = new ArrayList<>();
        types.add(LobbyRoom.type(store, maps));
        for (int seats = ArenaRoom.LEAST_SEATS; seats <= ArenaRoom.MOST_SEATS; seats++)
        {
            types.add(ArenaRoom.type(seats, store, maps));
        }
        types.addAll(MatchTypes.all());
        return types.toArray(new RoomType[0]);
    }
}
