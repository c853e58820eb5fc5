package io.escapement.rooms.internal.loop;

import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import io.escapement.rooms.loop.LoopState;
import java.util.Arrays;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.collections.Int2IntHashMap;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The requests without an answer, in the order in which rooms made them. An answer removes any of them. The unsent
 * requests of a service are a lane: if a service has no room for its next request, the other lanes keep moving. A slot
 * keeps its memory for the next request.
 */
final class OpenRequests
{
    private static final int NO_SLOT = -1;
    private static final int INITIAL_LENGTH = 64;
    private static final int INITIAL_LANES = 4;
    private static final int SENT = -1;

    private final PairTable slotByRequestTable = new PairTable();
    private final UnsafeBuffer[] buffers;
    private final int[] lengths;
    private final int[] laneBySlot;
    private final int[] nextOfLane;
    private final int[] previousOfLane;
    private final long[] orders;
    private final int[] serviceIds;
    private final int[] next;
    private final int[] previous;
    private int first = NO_SLOT;
    private int last = NO_SLOT;
    private int free = NO_SLOT;
    private final Int2IntHashMap laneByServiceMap = new Int2IntHashMap(NO_SLOT);
    private int[] firstOfLanes = new int[INITIAL_LANES];
    private int[] lastOfLanes = new int[INITIAL_LANES];
    private boolean[] isLaneFull = new boolean[INITIAL_LANES];
    private long lastOrder;
    private int unsent;
    private int used;

    OpenRequests(final int limit)
    {
        buffers = new UnsafeBuffer[limit];
        lengths = new int[limit];
        laneBySlot = new int[limit];
        nextOfLane = new int[limit];
        previousOfLane = new int[limit];
        orders = new long[limit];
        serviceIds = new int[limit];
        next = new int[limit];
        previous = new int[limit];
        Arrays.fill(next, NO_SLOT);
    }

    int size()
    {
        return slotByRequestTable.size();
    }

    boolean isFull()
    {
        return size() == buffers.length;
    }

    boolean contains(final long roomId, final long correlationId)
    {
        return PairTable.NONE != slotByRequestTable.get(roomId, correlationId);
    }

    /** Add a request to a service, or with an id below 0 for a new room. */
    void add(
        final long roomId,
        final long correlationId,
        final int serviceId,
        final DirectBuffer source,
        final int offset,
        final int length)
    {
        // No room makes a request twice, but an id that was given to a second room would.
        remove(roomId, correlationId);
        final int slot = takeSlot();
        slotByRequestTable.put(roomId, correlationId, slot + 1L);
        if (null == buffers[slot] || buffers[slot].capacity() < length)
        {
            buffers[slot] = new UnsafeBuffer(
                new byte[BitUtil.findNextPositivePowerOfTwo(Math.max(INITIAL_LENGTH, length))]);
        }
        buffers[slot].putBytes(0, source, offset, length);
        lengths[slot] = length;
        next[slot] = NO_SLOT;
        previous[slot] = last;
        if (NO_SLOT == last)
        {
            first = slot;
        }
        else
        {
            next[last] = slot;
        }
        last = slot;
        orders[slot] = ++lastOrder;
        serviceIds[slot] = serviceId;
        append(slot);
    }

    /** Remove a request. Returns false if it is not open. */
    boolean remove(final long roomId, final long correlationId)
    {
        final int slot = (int)slotByRequestTable.remove(roomId, correlationId) - 1;
        if (NO_SLOT == slot)
        {
            return false;
        }
        if (SENT != laneBySlot[slot])
        {
            sent(slot);
        }
        if (slot == first)
        {
            first = next[slot];
        }
        else
        {
            next[previous[slot]] = next[slot];
        }
        if (slot == last)
        {
            last = previous[slot];
        }
        else
        {
            previous[next[slot]] = previous[slot];
        }
        next[slot] = free;
        free = slot;
        return true;
    }

    boolean hasUnsent()
    {
        return 0 != unsent;
    }

    /**
     * Offer the unsent requests, oldest first, each lane until a request is not accepted. Returns how many were
     * accepted.
     */
    int send(final LoopState.Receiver receiver)
    {
        int accepted = 0;
        Arrays.fill(isLaneFull, false);
        for (int slot = oldestUnsent(); NO_SLOT != slot; slot = oldestUnsent())
        {
            if (receiver.onCommand(buffers[slot], 0, lengths[slot]))
            {
                sent(slot);
                accepted++;
            }
            else
            {
                isLaneFull[laneBySlot[slot]] = true;
            }
        }
        return accepted;
    }

    private int oldestUnsent()
    {
        int oldest = NO_SLOT;
        for (int lane = 0; 0 != unsent && lane < laneByServiceMap.size(); lane++)
        {
            final int slot = firstOfLanes[lane];
            if (!isLaneFull[lane] && NO_SLOT != slot && (NO_SLOT == oldest || orders[slot] < orders[oldest]))
            {
                oldest = slot;
            }
        }
        return oldest;
    }

    /** Send all requests once more. */
    void sendAgain()
    {
        Arrays.fill(firstOfLanes, NO_SLOT);
        unsent = 0;
        for (int slot = first; NO_SLOT != slot; slot = next[slot])
        {
            append(slot);
        }
    }

    void write(final StateWriter writer)
    {
        writer.putInt(size());
        for (int slot = first; NO_SLOT != slot; slot = next[slot])
        {
            writer.putBytes(buffers[slot], 0, lengths[slot]);
        }
    }

    /** Read into an empty table. The check adds each request, which is then in the scratch buffer. */
    void read(final StateReader reader, final MutableDirectBuffer scratch, final RestoredCommand check)
    {
        final int count = reader.getInt();
        if (count < 0 || count > buffers.length)
        {
            throw new IllegalStateException(count + " open requests, the limit is " + buffers.length);
        }
        for (int i = 0; i < count; i++)
        {
            check.check(scratch, reader.getBytes(scratch, 0));
        }
    }

    /** Put a request at the end of its lane. */
    private void append(final int slot)
    {
        final int lane = lane(serviceIds[slot]);
        laneBySlot[slot] = lane;
        nextOfLane[slot] = NO_SLOT;
        previousOfLane[slot] = NO_SLOT == firstOfLanes[lane] ? NO_SLOT : lastOfLanes[lane];
        if (NO_SLOT == firstOfLanes[lane])
        {
            firstOfLanes[lane] = slot;
        }
        else
        {
            nextOfLane[lastOfLanes[lane]] = slot;
        }
        lastOfLanes[lane] = slot;
        unsent++;
    }

    /** Take a request out of its lane. */
    private void sent(final int slot)
    {
        final int lane = laneBySlot[slot];
        if (NO_SLOT == previousOfLane[slot])
        {
            firstOfLanes[lane] = nextOfLane[slot];
        }
        else
        {
            nextOfLane[previousOfLane[slot]] = nextOfLane[slot];
        }
        if (NO_SLOT == nextOfLane[slot])
        {
            lastOfLanes[lane] = previousOfLane[slot];
        }
        else
        {
            previousOfLane[nextOfLane[slot]] = previousOfLane[slot];
        }
        laneBySlot[slot] = SENT;
        unsent--;
    }

    private int lane(final int serviceId)
    {
        int lane = laneByServiceMap.get(serviceId);
        if (NO_SLOT == lane)
        {
            lane = laneByServiceMap.size();
            laneByServiceMap.put(serviceId, lane);
            if (lane == firstOfLanes.length)
            {
                firstOfLanes = Arrays.copyOf(firstOfLanes, 2 * lane);
                lastOfLanes = Arrays.copyOf(lastOfLanes, 2 * lane);
                isLaneFull = Arrays.copyOf(isLaneFull, 2 * lane);
            }
            firstOfLanes[lane] = NO_SLOT;
        }
        return lane;
    }

    private int takeSlot()
    {
        if (NO_SLOT == free)
        {
            return used++;
        }
        final int slot = free;
        free = next[slot];
        return slot;
    }
}
