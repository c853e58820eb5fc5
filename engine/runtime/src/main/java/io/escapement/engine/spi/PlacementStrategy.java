package io.escapement.engine.spi;

/** Chooses the loop that a new room is opened on. Called in any thread that opens rooms: it must be thread-safe. */
@FunctionalInterface
public interface PlacementStrategy
{
    /** The loop with the fewest rooms; of several, the one with the lowest number. */
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
     * @param roomsByLoop number of open rooms by loop.
     * @return the loop, from 0.
     */
    int loopFor(int typeId, int[] roomsByLoop);
}
