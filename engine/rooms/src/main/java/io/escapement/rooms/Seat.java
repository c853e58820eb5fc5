package io.escapement.rooms;

/**
 * A place at a room's table. It outlives a player's connection: while the player is away the seat is held for the
 * type's grace.
 *
 * <p>The object is used again for the seat's next player. Logic that keeps something of a player keeps it by
 * {@link #index()} and clears it in {@link RoomLogic#onLeave}.
 */
public interface Seat extends Audience
{
    /** In the place of a trunk when there is none. */
    long NO_TRUNK = Long.MIN_VALUE;

    /**
     * Where the seat stands: logic keeps its state of players in arrays by this number.
     *
     * @return 0 up to the room's seats, exclusive.
     */
    int index();

    /**
     * Which use of the seat this is.
     *
     * @return 1 for the first player of this seat, one more for every next.
     */
    int generation();

    /**
     * The player who has the seat.
     *
     * @return the player's id.
     */
    long playerId();

    /**
     * The trunk that the player came through, the same in all rooms.
     *
     * @return the trunk's id; of an away player the one that it can be back through without a join, or
     *         {@link #NO_TRUNK} when that is gone.
     */
    long trunkId();

    /**
     * Whether the player can be reached now.
     *
     * @return true when present, false when away.
     */
    boolean isPresent();
}
