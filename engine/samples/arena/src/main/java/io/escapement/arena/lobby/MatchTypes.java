package io.escapement.arena.lobby;

import io.escapement.arena.codecs.ArenaEncoder;
import io.escapement.arena.common.ArenaMaps;
import io.escapement.arena.protocol.ArenaMessages;
import io.escapement.arena.room.ArenaRoom;
import io.escapement.matchmaking.Matchmaker;
import io.escapement.matchmaking.MatchmakerContext;
import io.escapement.rooms.RoomType;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** The types of the matchmakers that the lobby uses, by number of players. */
public final class MatchTypes
{
    /** Players of a match. */
    static final List<Integer> SIZES = List.of(2, 4, 8);
    /** How long a player waits for a match. */
    static final long TIMEOUT_NS = TimeUnit.MINUTES.toNanos(1);
    static final byte[] NAME = ArenaMessages.utf8("Quick match");
    static final byte[] MAP_NAME = ArenaMessages.utf8(ArenaMaps.DEFAULT);
    /** Rating of a character without kills and deaths. */
    static final int MEAN_RATING = 1_000;

    /** The id of a matchmaker's type is this plus the number of players of its matches. */
    private static final int TYPE_BASE = 50;
    private static final int INITIAL_RANGE = 100;
    /** After 38 s of waiting a player accepts everybody. */
    private static final int RANGE_PER_SECOND = 50;

    private MatchTypes()
    {
    }

    /** Numbers of players that a match may have. */
    public static List<Integer> sizes()
    {
        return SIZES;
    }

    /**
     * The types.
     *
     * @return new types, by their number of players.
     */
    public static List<RoomType> all()
    {
        return SIZES.stream().map(MatchTypes::type).toList();
    }

    /**
     * The arguments with which a matchmaker is opened, and from it the arenas of its matches.
     *
     * @param lobbyRoomId of the lobby that the arenas belong to.
     * @return a new buffer.
     */
    public static DirectBuffer settings(final long lobbyRoomId)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[ArenaMessages.LONGEST_REQUEST]);
        return new UnsafeBuffer(
            buffer, 0, new ArenaEncoder().openArena(buffer, 0, lobbyRoomId, 0, false, NAME, MAP_NAME));
    }

    /** The index of a matchmaker's type in {@link #SIZES}. Negative for other types. */
    static int indexOfType(final int typeId)
    {
        return SIZES.indexOf(typeId - TYPE_BASE);
    }

    /** From 0 to twice the mean. The first kills and deaths of a character count less. */
    static int rating(final long kills, final long deaths)
    {
        final long limit = 1_000_000;
        final long won = Math.max(0, Math.min(kills, limit));
        final long lost = Math.max(0, Math.min(deaths, limit));
        return (int)(MEAN_RATING + MEAN_RATING * (won - lost) / (won + lost + 20));
    }

    private static RoomType type(final int players)
    {
        return Matchmaker.type(TYPE_BASE + players, new MatchmakerContext(ArenaRoom.TYPE_BASE + players, players)
            .initialRange(INITIAL_RANGE).rangePerSecond(RANGE_PER_SECOND).maxRange(2 * MEAN_RATING)
            .timeoutNs(TIMEOUT_NS).reservationNs(ArenaRoom.RESERVATION_NS).askedLimit(LobbyRequests.LIMIT))
            // Players do not join it and claim a rating: the lobby asks for its players.
            .admission(RoomType.Admission.BY_RESERVATION).seats(1);
    }
}
