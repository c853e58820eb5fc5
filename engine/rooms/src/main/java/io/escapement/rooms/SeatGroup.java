package io.escapement.rooms;

/** A set of a room's seats. A seat leaves its groups when it is freed. Created by {@link Room#newGroup()}. */
public interface SeatGroup extends Audience
{
    /**
     * Add a seat. A seat whose player is leaving or has left is not added.
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
     * Whether a seat is in the group; false if its player has left.
     *
     * @param seat of the same room.
     */
    boolean contains(Seat seat);

    /** Whether the group contains no seat. */
    boolean isEmpty();

    /** Remove every seat. */
    void clear();
}
