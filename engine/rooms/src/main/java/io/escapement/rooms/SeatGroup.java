package io.escapement.rooms;

/**
 * Some of a room's seats, to send to. A seat drops out by itself when it is freed. Made by {@link Room#newGroup()}.
 */
public interface SeatGroup extends Audience
{
    /**
     * Put a seat into the group.
     *
     * @param seat of the same room.
     */
    void add(Seat seat);

    /**
     * Take a seat out of the group.
     *
     * @param seat of the same room.
     */
    void remove(Seat seat);

    /**
     * Whether a seat is in the group.
     *
     * @param seat of the same room.
     * @return true when it is.
     */
    boolean contains(Seat seat);

    /**
     * Whether there is no seat in the group.
     *
     * @return true when there is none.
     */
    boolean isEmpty();

    /** Take every seat out. */
    void clear();
}
