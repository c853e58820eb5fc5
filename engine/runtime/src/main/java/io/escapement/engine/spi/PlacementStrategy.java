package io.escapement.engine.spi;

/**
 * Chooses the loop of a new room. Must be thread-safe: it is called in every thread that opens rooms, and for rooms
 * that open rooms in a thread for placement. If it throws, or returns no loop, the new room goes to the least loaded
 * loop. If a room requested the new room and the call takes 5 s, the new room also goes there. A call that takes 1 s is
 * reported to the error handler with its stack.
 */
@FunctionalInterface
public interface PlacementStrategy
{
    /** The loop with the fewest rooms, among equals the lowest number. */
    PlacementStrategy LEAST_LOADED = (typeId, roomsByLoop) ->
    {
        int least = 0;
        for (int i = 1; i < roomsByLoop.length; i++)
        {
            if (roomsByLoop[i] < roomsByLoop[least])
            {
                least = i;
            }
        }
        return least;
    };

    /**
     * Choose a loop.
     *
     * @param typeId      of the new room.
     * @param roomsByLoop number of open rooms of each loop.
     * @return the loop, from 0.
     */
    int loopFor(int typeId, int[] roomsByLoop);
}
