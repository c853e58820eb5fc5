package io.escapement.engine.spi;

/**
 * Chooses the loop of a new room. Called in every thread that opens rooms, and for rooms that open rooms in a thread
 * for placement, so it must be thread-safe. Where it throws, or returns no loop, the new room goes to the least loaded
 * one, and so does a room that a room requested when the call takes 5 s. A call that takes 1 s is reported to the error
 * handler with its stack.
 */
@FunctionalInterface
public interface PlacementStrategy
{
    /** The loop with the fewest rooms; among equals the lowest number. */
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
