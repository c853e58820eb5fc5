package io.escapement.rooms.host;

/**
 * Has in the cache what rooms that are about to be called begin with. A call goes along a chain of objects, and waits
 * for each of them that comes from memory. Here several rooms go along it together, a link of the chain at a time, so
 * that their reads wait together. Changes nothing.
 */
final class CachePrefetcher
{
    /** A room's chain is some 20 lines of the cache, and all of them should still be there when they are wanted. */
    static final int LIMIT = 32;
    static final int NO_SEAT = -1;

    private final RoomInstance[] rooms = new RoomInstance[LIMIT];
    private final int[] seatIndexes = new int[LIMIT];
    private int count;
    /** Kept so that the reads are not left out as useless. */
    private long lookedAhead;

    /** A room that is about to be called. When there is no place for one more, those that were added are looked at. */
    void add(final RoomInstance room, final int seatIndex)
    {
        if (LIMIT == count)
        {
            run();
        }
        rooms[count] = room;
        seatIndexes[count++] = seatIndex;
    }

    void run()
    {
        long sum = 0;
        for (int i = 0; i < count; i++)
        {
            sum += rooms[i].lookAhead();
        }
        for (int i = 0; i < count; i++)
        {
            sum += rooms[i].lookAheadParts();
        }
        for (int i = 0; i < count; i++)
        {
            sum += rooms[i].lookAheadSeat(seatIndexes[i]);
            // A room that closes is not to be kept by this.
            rooms[i] = null;
        }
        count = 0;
        lookedAhead = sum;
    }
}
