package io.escapement.rooms;

/**
 * A place in a room. It outlives its player's connection: while the player is away the seat is held for
 * {@link RoomType#graceNs(long)}.
 *
 * <p>The object is reused for the seat's next player. Keep the state of players in arrays by {@link #index()}, and
 * clear it in {@link RoomLogic#onLeave}. To keep one player, keep its index and {@link #generation()} for
 * {@link Room#seat(int, int)}.
 */
public interface Seat extends Audience
{
    /** The value of {@link #trunkId()} for a player without a trunk. */
    long NO_TRUNK = Long.MIN_VALUE;

    /** 0 up to the room's seats, exclusive. */
    int index();

    /** 1 for the first player of this seat, and one more for each next player. */
    int generation();

    /** Id of the player who has the seat. */
    long playerId();

    /**
     * The trunk that the player came through: the same id in all rooms.
     *
     * @return the trunk's id. For an away player, the trunk through which it can return without a join, or
     *         {@link #NO_TRUNK} when that trunk has ended.
     */
    long trunkId();

    /** Whether the player can be reached: true when present, false when away. */
    boolean isPresent();
}
