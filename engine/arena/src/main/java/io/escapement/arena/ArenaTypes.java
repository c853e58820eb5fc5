package io.escapement.arena;

import io.escapement.arena.simulation.ArenaRules;
import io.escapement.rooms.RoomType;
import java.util.function.Supplier;

/**
 * The room types of the game: the lobby, and an arena type for each number of seats, so that a room's host itself knows
 * when it is full and the last seat is given once.
 */
public final class ArenaTypes
{
    /** Id of the lobby's type. */
    public static final int LOBBY = 1;
    /** Fewest seats of an arena. */
    public static final int LEAST_SEATS = 2;
    /** Most seats of an arena. */
    public static final int MOST_SEATS = ArenaRules.PLAYER_LIMIT;
    /** The arenas' types have this and their number of seats as id. */
    public static final int ARENA_BASE = 100;
    /** Most players in the lobby. */
    public static final int LOBBY_SEATS = 8_192;

    private static final int VERSION = 1;
    private static final long NS_PER_SECOND = 1_000_000_000L;
    /** A page of the list for half of the players in one turn, and the others wait for the next. */
    private static final int LOBBY_OUTPUT = 8 * 1024 * 1024;
    /** A picture for each seat and the events of a frame at 8 Hz in which everybody floods. */
    private static final int ARENA_OUTPUT = 128 * 1024;

    private final CharacterStore store;
    private final ArenaMaps maps = new ArenaMaps();

    /**
     * The types of one server or test.
     *
     * @param store that writes the rooms' requests for characters; one for all rooms.
     */
    public ArenaTypes(final CharacterStore store)
    {
        this.store = store;
    }

    /**
     * The lobby's type. There is one such room.
     *
     * @return a new type.
     */
    public RoomType lobby()
    {
        return RoomType.of(LOBBY, "lobby", VERSION, () -> new LobbyRoom(store, maps))
            .seats(LOBBY_SEATS).timers(4).outputLimit(LOBBY_OUTPUT).requests(LobbyRequests.LIMIT)
            .graceNs(5 * NS_PER_SECOND);
    }

    /**
     * The type of the arenas of one size.
     *
     * @param seats {@link #LEAST_SEATS} to {@link #MOST_SEATS}.
     * @return a new type.
     */
    public RoomType arena(final int seats)
    {
        return arena(seats, () -> new ArenaRoom(store, maps));
    }

    static RoomType arena(final int seats, final Supplier<ArenaRoom> logic)
    {
        return RoomType.of(ARENA_BASE + seats, "arena-" + seats, VERSION, logic)
            .seats(seats).timers(2 * MOST_SEATS).outputLimit(ARENA_OUTPUT).requests(2 * ProgressSaves.LIMIT)
            .admission(RoomType.Admission.BY_RESERVATION).flush(RoomType.Flush.FRAME)
            .graceNs(30 * NS_PER_SECOND);
    }

    /**
     * Whether a type is that of an arena.
     *
     * @param typeId of a room.
     * @return true for an arena of any size.
     */
    public static boolean isArena(final int typeId)
    {
        return typeId >= ARENA_BASE + LEAST_SEATS && typeId <= ARENA_BASE + MOST_SEATS;
    }

    /**
     * Every type of the game.
     *
     * @return the lobby first, then the arenas by their seats.
     */
    public RoomType[] all()
    {
        final RoomType[] types = new RoomType[MOST_SEATS - LEAST_SEATS + 2];
        types[0] = lobby();
        for (int seats = LEAST_SEATS; seats <= MOST_SEATS; seats++)
        {
            types[1 + seats - LEAST_SEATS] = arena(seats);
        }
        return types;
    }
}
