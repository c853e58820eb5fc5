package io.escapement.rooms;

/** A set of a room's seats. A seat leaves its groups when it is freed. {@link Room#newGroup()} creates it. */
public interface SeatGroup extends Audience
{
    /**
     * Add a seat. If its player is leaving or has left, the seat is not added.
     *
     * @param seat of the same room.
     */
    void add(Seat seat);

    /**
     * Remove a seat. Without effect if its player has left.
     *
     * @param seat of the same room.
     */
    void remove(Seat seat);

    /**
     * Whether a seat is in the group. False if its player has left.
     *
     * @param seat of the same room.
     */
    boolean contains(Seat seat);

    /** Whether the group contains no seat. */
    boolean isEmpty();

    /** Remove every seat. */
    void clear();
}
