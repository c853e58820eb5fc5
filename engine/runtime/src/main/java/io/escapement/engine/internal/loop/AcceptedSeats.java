package io.escapement.engine.internal.loop;

import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.trunk.AcceptedEncoder;
import io.escapement.codecs.trunk.MessageHeaderEncoder;
import io.escapement.engine.internal.queue.ByteFifo;
import java.util.Arrays;

/**
 * The newest accepted sequence of each seat of a link, if the client does not have it yet: one entry per seat, in the
 * order in which the seats were first accepted. A hash table with open addressing, which allocates only while it grows.
 */
final class AcceptedSeats
{
    /** Of a message with its length before it. */
    static final int MESSAGE_LENGTH =
        TrunkMessages.ENTRY_HEADER_LENGTH + MessageHeaderEncoder.ENCODED_LENGTH + AcceptedEncoder.BLOCK_LENGTH;

    /** More seats than a trunk has, and seats that others took while the trunk was blocked. 2 MiB. */
    private static final int MAX_SEATS = 64 * 1_024;
    private static final int MIN_SEATS = 64;
    private static final int EMPTY = -1;
    private static final long MIX = 0x9E37_79B9_7F4A_7C15L;

    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final AcceptedEncoder encoder = new AcceptedEncoder();
    private long[] roomIds = new long[MIN_SEATS];
    private int[] seatIndexes = new int[MIN_SEATS];
    private int[] generations = new int[MIN_SEATS];
    private long[] sequences = new long[MIN_SEATS];
    /** Positions of the entries, twice as many as there is room for entries, so that a search is short. */
    private int[] slots = newSlots(MIN_SEATS);
    private int head;
    private int tail;

    boolean isEmpty()
    {
        return head == tail;
    }

    int size()
    {
        return tail - head;
    }

    /** Note a sequence. False when there are too many seats. */
    boolean put(final long roomId, final int seatIndex, final int generation, final long sequence)
    {
        int slot = slotOf(roomId, seatIndex, slots.length - 1);
        while (EMPTY != slots[slot])
        {
            final int entry = slots[slot];
            if (roomIds[entry] == roomId && seatIndexes[entry] == seatIndex)
            {
                if (entry >= head)
                {
                    generations[entry] = generation;
                    sequences[entry] = sequence;
                    return true;
                }
                // It was sent already: the seat gets another entry after the others, in the same slot.
                break;
            }
            slot = (slot + 1) & (slots.length - 1);
        }
        if (tail == roomIds.length)
        {
            if (!makeRoom())
            {
                return false;
            }
            return put(roomId, seatIndex, generation, sequence);
        }
        roomIds[tail] = roomId;
        seatIndexes[tail] = seatIndex;
        generations[tail] = generation;
        sequences[tail] = sequence;
        slots[slot] = tail++;
        return true;
    }

    /** Move entries to a queue as long as it has room below a limit of bytes. */
    void moveTo(final ByteFifo queue, final int limit)
    {
        while (head < tail && queue.size() + MESSAGE_LENGTH <= limit)
        {
            final int at = BatchSender.claim(queue, MESSAGE_LENGTH);
            if (ByteFifo.NO_ROOM == at)
            {
                return;
            }
            encoder.wrapAndApplyHeader(queue.buffer(), at, header)
                .roomId(roomIds[head]).sequence(sequences[head])
                .seatIndex(seatIndexes[head]).generation(generations[head]);
            head++;
        }
        if (head == tail)
        {
            clear();
        }
    }

    void clear()
    {
        if (tail > slots.length / 8)
        {
            Arrays.fill(slots, EMPTY);
        }
        else
        {
            for (int i = 0; i < tail; i++)
            {
                emptySlotsFrom(slotOf(roomIds[i], seatIndexes[i], slots.length - 1));
            }
        }
        head = 0;
        tail = 0;
    }

    /** Empty a run of slots. Because all entries go, each other run is emptied by its first entry. */
    private void emptySlotsFrom(final int first)
    {
        for (int slot = first; EMPTY != slots[slot]; slot = (slot + 1) & (slots.length - 1))
        {
            slots[slot] = EMPTY;
        }
    }

    /** Move the entries to the front, or into larger arrays. False at the limit. */
    private boolean makeRoom()
    {
        final int count = tail - head;
        if (count > roomIds.length / 2)
        {
            if (roomIds.length == MAX_SEATS)
            {
                return head > 0 && rebuild(roomIds.length);
            }
            return rebuild(2 * roomIds.length);
        }
        return rebuild(roomIds.length);
    }

    private boolean rebuild(final int capacity)
    {
        final int count = tail - head;
        final boolean isGrowing = capacity != roomIds.length;
        final long[] rooms = isGrowing ? new long[capacity] : roomIds;
        final int[] indexes = isGrowing ? new int[capacity] : seatIndexes;
        final int[] ofGenerations = isGrowing ? new int[capacity] : generations;
        final long[] ofSequences = isGrowing ? new long[capacity] : sequences;
        System.arraycopy(roomIds, head, rooms, 0, count);
        System.arraycopy(seatIndexes, head, indexes, 0, count);
        System.arraycopy(generations, head, ofGenerations, 0, count);
        System.arraycopy(sequences, head, ofSequences, 0, count);
        roomIds = rooms;
        seatIndexes = indexes;
        generations = ofGenerations;
        sequences = ofSequences;
        if (isGrowing)
        {
            slots = newSlots(capacity);
        }
        else
        {
            Arrays.fill(slots, EMPTY);
        }
        for (int i = 0; i < count; i++)
        {
            int slot = slotOf(roomIds[i], seatIndexes[i], slots.length - 1);
            while (EMPTY != slots[slot])
            {
                slot = (slot + 1) & (slots.length - 1);
            }
            slots[slot] = i;
        }
        head = 0;
        tail = count;
        return true;
    }

    private static int slotOf(final long roomId, final int seatIndex, final int mask)
    {
        return (int)(((roomId * 31 + seatIndex) * MIX) >>> 40) & mask;
    }

    private static int[] newSlots(final int capacity)
    {
        final int[] slots = new int[2 * capacity];
        Arrays.fill(slots, EMPTY);
        return slots;
    }
}
