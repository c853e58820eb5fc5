package io.escapement.rooms;

/**
 * A player's place in a room. It outlives the player's connection: while the player is away the seat is held for
 * {@link RoomType#graceNs(long)}.
 *
 * <p>The object denotes one player. After its {@link RoomLogic#onLeave} it is stale, even if another player has the
 * place: no group contains it, and {@link Room} refuses it like any wrong argument. Its index, generation and player
 * remain. Keep the state of players in arrays by {@link #index()}, and clear it in onLeave. A snapshot can hold a
 * player by its index and {@link #generation()}, for {@link Room#seat(int, int)}.
 */
public interface Seat extends Audience
{
    /** The value of {@link #trunkId()} for a player without a trunk. */
    long NO_TRUNK = Long.MIN_VALUE;

    /**
     * 0 up to the room's seats, exclusive. For a spectator, the room's seats up to the sum of seats and spectators,
     * exclusive.
     */
    int index();

    /** 1 for the first player at this index, plus 1 for each next player. */
    int generation();

    /** Id of the seat's player. */
    long playerId();

    /**
     * The player's trunk: the same id in all rooms.
     *
     * @return the trunk's id. For an away player, the trunk through which it can return without a join, or
     *         {@link #NO_TRUNK} after the end of that trunk.
     */
    long trunkId();

    /**
     * Whether the player only watches: its seat gets states and sends no messages. {@link Room#seatLimit()} does not
     * count it. See {@link RoomType#spectators(int)}.
     */
    boolean isSpectator();

    /** Whether the player can be reached: true when present, false when away or gone. */
    boolean isPresent();
}
