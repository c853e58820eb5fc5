package io.escapement.rooms;

/**
 * A closure that runs in a room. Only rooms declared ephemeral take them: a closure can be neither written to a log
 * nor to a snapshot.
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
