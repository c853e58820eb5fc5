package io.escapement.rooms;

/**
 * A closure that runs in a room. Only rooms of an {@link RoomType#ephemeral()} type accept closures, since a closure
 * cannot be written to a log or a snapshot.
 */
@FunctionalInterface
public interface RoomTask
{
    /**
     * Run in the room, as one of its callbacks.
     *
     * @param room that runs it.
     */
    void run(Room room);
}
