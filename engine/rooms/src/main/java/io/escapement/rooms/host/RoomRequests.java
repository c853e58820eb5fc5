package io.escapement.rooms.host;

import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;

/**
 * The requests of a room: its own count of correlation ids, those that wait for an answer, and those that the host
 * itself refused, which the room is told of in a later turn.
 */
final class RoomRequests
{
    /** Room for one callback that asks for far too much; a room that still goes on is broken. */
    static final int REFUSAL_LIMIT = 64;

    private final long[] open;
    private int openCount;
    private long last;
    private final long[] refusedIds = new long[REFUSAL_LIMIT];
    private final int[] refusedCodes = new int[REFUSAL_LIMIT];
    private int refusedCount;

    RoomRequests(final int limit)
    {
        open = new long[limit];
    }

    long next()
    {
        return ++last;
    }

    long last()
    {
        return last;
    }

    boolean isFull()
    {
        return openCount == open.length;
    }

    /** Ids only rise, so the open ones stay sorted by themselves. */
    void opened(final long id)
    {
        open[openCount++] = id;
    }

    boolean answered(final long id)
    {
        int low = 0;
        int high = openCount - 1;
        while (low <= high)
        {
            final int middle = (low + high) >>> 1;
            if (open[middle] == id)
            {
                openCount--;
                System.arraycopy(open, middle + 1, open, middle, openCount - middle);
                return true;
            }
            if (open[middle] < id)
            {
                low = middle + 1;
            }
            else
            {
                high = middle - 1;
            }
        }
        return false;
    }

    void refused(final long id, final int code)
    {
        if (REFUSAL_LIMIT == refusedCount)
        {
            throw new IllegalStateException(
                "the room goes on asking after " + REFUSAL_LIMIT + " refusals that it has not been told of yet");
        }

        refusedIds[refusedCount] = id;
        refusedCodes[refusedCount++] = code;
    }

    int refusedCount()
    {
        return refusedCount;
    }

    long refusedId(final int position)
    {
        return refusedIds[position];
    }

    int refusedCode(final int position)
    {
        return refusedCodes[position];
    }

    void dropRefusals(final int count)
    {
        refusedCount -= count;
        System.arraycopy(refusedIds, count, refusedIds, 0, refusedCount);
        System.arraycopy(refusedCodes, count, refusedCodes, 0, refusedCount);
    }

    void write(final StateWriter writer)
    {
        writer.putLong(last);
        writer.putInt(openCount);
        for (int i = 0; i < openCount; i++)
        {
            writer.putLong(open[i]);
        }
        writer.putInt(refusedCount);
        for (int i = 0; i < refusedCount; i++)
        {
            writer.putLong(refusedIds[i]);
            writer.putInt(refusedCodes[i]);
        }
    }

    void read(final StateReader reader)
    {
        last = reader.getLong();
        openCount = reader.getInt();
        for (int i = 0; i < openCount; i++)
        {
            open[i] = reader.getLong();
        }
        refusedCount = reader.getInt();
        for (int i = 0; i < refusedCount; i++)
        {
            refusedIds[i] = reader.getLong();
            refusedCodes[i] = reader.getInt();
        }
    }
}
