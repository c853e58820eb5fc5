package io.escapement.rooms.host;

import io.escapement.codecs.room.RefusalCode;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomDescription;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import java.util.Arrays;

/**
 * The requests of a room: its correlation ids, the requests without an answer, and the requests refused by the host
 * itself. It also has the questions of others to the room. The host reports its refusals from a timer, never inside the
 * call that made the request.
 */
final class RoomRequests
{
    private static final int REFUSAL_LIMIT = Room.MAX_REFUSALS;

    private static final long[] NO_IDS = {};
    private static final int[] NO_CODES = {};

    private long[] open = NO_IDS;
    private int openCount;
    private long last;
    private long[] refusedIds = NO_IDS;
    private int[] refusedCodes = NO_CODES;
    private final RoomIdentity room;
    private final RoomServices services;
    final RoomQuestions questions;
    private int refusedCount;
    private int refusalsNode = EngineTimer.NO_NODE;

    RoomRequests(final RoomIdentity room, final RoomServices services)
    {
        this.room = room;
        this.services = services;
        questions = new RoomQuestions(room, services);
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
        return openCount == room.limits().requests();
    }

    /** Add an open request. Ids only rise, and so keep the array sorted. */
    void add(final long id)
    {
        ensureOpen(openCount + 1);
        open[openCount++] = id;
    }

    /** Remove an open request. False if it is not open. */
    boolean remove(final long id)
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

    /** Whether the room must wait for its refusals before its next request. */
    boolean mustWait()
    {
        if (REFUSAL_LIMIT != refusedCount)
        {
            return false;
        }
        services.refusals.counted(RefusalCode.REQUEST_LIMIT.value());
        return true;
    }

    void describe(final RoomDescription description)
    {
        for (int i = 0; i < openCount; i++)
        {
            description.put("requests[" + i + "]", open[i]);
        }
    }

    /** Requests without an answer. */
    int open()
    {
        return openCount;
    }

    /** Requests that can be opened now. */
    int left()
    {
        return REFUSAL_LIMIT == refusedCount ? 0 : room.limits().requests() - openCount;
    }

    /** Refuse a request. The room's logic gets the refusal from a timer of this turn or the next. */
    void refuse(final long id, final int code)
    {
        services.refusals.counted(code);
        ensureRefused();
        refusedIds[refusedCount] = id;
        refusedCodes[refusedCount++] = code;
        if (EngineTimer.NO_NODE == refusalsNode)
        {
            final long nowNs = services.time.nowNs();
            refusalsNode = services.wheel.schedule(nowNs, nowNs, room.slot(), EngineTimer.REFUSALS.id());
        }
    }

    void onRefusalsTimer()
    {
        refusalsNode = EngineTimer.NO_NODE;
    }

    void cancelTimer()
    {
        if (EngineTimer.NO_NODE != refusalsNode)
        {
            services.wheel.cancel(refusalsNode);
        }
    }

    int refusalsNode()
    {
        return refusalsNode;
    }

    void restoredNode(final int node)
    {
        refusalsNode = node;
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

    private void ensureOpen(final int count)
    {
        if (count > open.length)
        {
            open = Arrays.copyOf(open, Math.min(room.limits().requests(), Math.max(count, 2 * open.length)));
        }
    }

    private void ensureRefused()
    {
        if (0 == refusedIds.length)
        {
            refusedIds = new long[REFUSAL_LIMIT];
            refusedCodes = new int[REFUSAL_LIMIT];
        }
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
        openCount = Restored.inRange(reader.getInt(), 0, room.limits().requests(), "open requests");
        ensureOpen(openCount);
        for (int i = 0; i < openCount; i++)
        {
            open[i] = reader.getLong();
            Restored.check(open[i] > (0 == i ? 0 : open[i - 1]) && open[i] <= last, "request " + open[i]);
        }
        refusedCount = Restored.inRange(reader.getInt(), 0, REFUSAL_LIMIT, "refusals");
        if (0 != refusedCount)
        {
            ensureRefused();
        }
        for (int i = 0; i < refusedCount; i++)
        {
            refusedIds[i] = reader.getLong();
            refusedCodes[i] = reader.getInt();
        }
    }
}
