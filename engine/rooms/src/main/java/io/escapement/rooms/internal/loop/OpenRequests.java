package io.escapement.rooms.internal.loop;

import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import io.escapement.rooms.loop.LoopState;
import java.util.Arrays;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The requests without an answer, in the order in which rooms made them; an answer removes any of them. A request that
 * its receiver has no room for keeps none behind it from being sent. A slot keeps its memory for the next request.
 */
final class OpenRequests
{
    private static final int NO_SLOT = -1;
    private static final int INITIAL_LENGTH = 64;

    private final PairTable slotByRequestTable = new PairTable();
    private final UnsafeBuffer[] buffers;
    private final int[] lengths;
    private final boolean[] isUnsent;
    private final int[] next;
    private final int[] previous;
    private int first = NO_SLOT;
    private int last = NO_SLOT;
    private int free = NO_SLOT;
    /** No slot before this one is unsent. */
    private int firstUnsent = NO_SLOT;
    private int unsent;
    private int used;

    OpenRequests(final int limit)
    {
        buffers = new UnsafeBuffer[limit];
        lengths = new int[limit];
        isUnsent = new boolean[limit];
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

    void add(
        final long roomId, final long correlationId, final DirectBuffer source, final int offset, final int length)
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
        isUnsent[slot] = true;
        if (0 == unsent++)
        {
            firstUnsent = slot;
        }
    }

    /** Remove a request. Returns false if it is not open. */
    boolean remove(final long roomId, final long correlationId)
    {
        final int slot = (int)slotByRequestTable.remove(roomId, correlationId) - 1;
        if (NO_SLOT == slot)
        {
            return false;
        }
        sent(slot);
        if (slot == firstUnsent)
        {
            firstUnsent = next[slot];
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

    /** Offer what was not sent, oldest first. Returns how many requests were accepted. */
    int send(final LoopState.Receiver receiver)
    {
        int accepted = 0;
        int firstLeft = NO_SLOT;
        for (int slot = firstUnsent, left = unsent; 0 != left; slot = next[slot])
        {
            if (isUnsent[slot])
            {
                left--;
                if (receiver.onCommand(buffers[slot], 0, lengths[slot]))
                {
                    sent(slot);
                    accepted++;
                }
                else if (NO_SLOT == firstLeft)
                {
                    firstLeft = slot;
                }
            }
        }
        firstUnsent = firstLeft;
        return accepted;
    }

    /** Send all requests once more. */
    void sendAgain()
    {
        for (int slot = first; NO_SLOT != slot; slot = next[slot])
        {
            isUnsent[slot] = true;
        }
        unsent = size();
        firstUnsent = first;
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

    private void sent(final int slot)
    {
        unsent -= isUnsent[slot] ? 1 : 0;
        isUnsent[slot] = false;
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
