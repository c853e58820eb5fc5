package io.escapement.arena;

import io.escapement.arena.bots.ArenaBots;
import io.escapement.arena.common.ArenaCounters;
import io.escapement.arena.common.ArenaMaps;
import io.escapement.arena.common.CharacterStore;
import io.escapement.arena.film.RoundFilms;
import io.escapement.arena.lobby.LobbyRoom;
import io.escapement.arena.lobby.MatchTypes;
import io.escapement.arena.room.ArenaRoom;
import io.escapement.console.RoomView;
import io.escapement.engine.Engine;
import io.escapement.engine.EngineContext;
import io.escapement.engine.spi.PlacementStrategy;
import io.escapement.gateway.GatewayContext;
import io.escapement.rooms.RoomType;
import io.escapement.server.BotProvider;
import io.escapement.server.Game;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.agrona.DirectBuffer;

/**
 * The game: the lobby, a type of arena for each number of seats, and the matchmakers. Its jar names this class as its
 * provider. A running server can thus load the types of a later build.
 */
public final class ArenaGame implements Game
{
    /** Where its page asks for films. */
    private static final String FILMS = "/arena/films/";

    private final RoundFilms films = new RoundFilms();

    /** For the loader of a jar. */
    public ArenaGame()
    {
    }

    @Override
    public String name()
    {
        return "arena";
    }

    @Override
    public String page()
    {
        return "arena/index.html";
    }

    @Override
    public void configure(final EngineContext context)
    {
        context.placement(ArenaGame::loopFor);
        ArenaCounters.names().forEach(context.monitor()::counter);
    }

    @Override
    public void configure(final GatewayContext context)
    {
        context.content(FILMS, films);
    }

    /** The lobby finds the matchmakers in the directory. */
    @Override
    public void openRooms(final Engine engine)
    {
        films.open(engine.operator());
        final long lobbyRoomId = engine.openRoomOnce(LobbyRoom.TYPE_ID).roomId();
        if (LobbyRoom.ROOM_ID != lobbyRoomId)
        {
            throw new IllegalStateException("the lobby is not room " + LobbyRoom.ROOM_ID + ", but " + lobbyRoomId);
        }
        final DirectBuffer settings = MatchTypes.settings(LobbyRoom.ROOM_ID);
        MatchTypes.all().forEach((type) -> engine.openRoomOnce(type.id(), settings, 0, settings.capacity()));
    }

    @Override
    public int accountsServiceId()
    {
        return DatabaseCharacters.SERVICE_ID;
    }

    @Override
    public Map<Integer, RoomView> views()
    {
        final RoomView view = new ArenaView();
        final Map<Integer, RoomView> viewByTypeIdMap = new HashMap<>();
        for (int seats = ArenaRoom.LEAST_SEATS; seats <= ArenaRoom.MOST_SEATS; seats++)
        {
            viewByTypeIdMap.put(ArenaRoom.TYPE_BASE + seats, view);
        }
        return viewByTypeIdMap;
    }

    /** The lobby and the matchmakers. */
    @Override
    public int otherRooms()
    {
        return 1 + MatchTypes.all().size();
    }

    @Override
    public String frames()
    {
        return ArenaCounters.names().get(ArenaCounters.FRAMES);
    }

    @Override
    public BotProvider bots()
    {
        return new ArenaBots();
    }

    @Override
    public List<RoomType> roomTypes()
    {
        return List.of(all(new DatabaseCharacters()));
    }

    /**
     * Every type of the game.
     *
     * @param store that encodes the requests to the character service. All rooms share it.
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

    private static int loopFor(final int typeId, final int[] roomsByLoop)
    {
        return LobbyRoom.TYPE_ID == typeId ? 0 : PlacementStrategy.LEAST_LOADED.loopFor(typeId, roomsByLoop);
    }
}
