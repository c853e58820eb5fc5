package io.escapement.rooms;

/**
 * A closure that runs in a room. Only rooms of an {@link RoomType#ephemeral()} type accept closures, because a closure
 * cannot be written to a log or a snapshot.
 */
@FunctionalInterface
public interface RoomTask
{
    /**
     * Run in the room, as a callback of the room.
     *
     * @param room that runs it.
     */
    void run(Room room);
}
