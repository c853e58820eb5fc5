package io.escapement.rooms.steps;

import io.escapement.rooms.Room;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The programs that run in a room, by slot, linked in the order in which they were started. An id is the number of the
 * start and the slot.
 */
final class ProgramTable<L>
{
    static final int NONE = -1;

    private static final int SLOT_BITS = 16;
    private static final int SLOT_MASK = (1 << SLOT_BITS) - 1;

    /** 0 in a free slot. */
    final long[] ids;
    final Steps<L>[] programs;
    final int[] positions;
    /** Events that the program waits for. */
    final int[] events;
    final long[] tags;
    final long[] timers;
    /** The frame in which a wait for frames began. */
    final long[] frames;
    final long[] requests;
    final int[] counters;
    private final List<Steps<L>> known;
    private final int maxCounters;
    private final int[] next;
    private final int[] previous;
    private final long[] freeSlots;
    private int first = NONE;
    private int last = NONE;
    private int walk = NONE;
    private int count;
    private long lastNumber;

    ProgramTable(final int limit, final List<Steps<L>> known)
    {
        this.known = List.copyOf(known);
        maxCounters = checkedCounters();
        ids = new long[limit];
        programs = newArray(limit);
        positions = new int[limit];
        events = new int[limit];
        tags = new long[limit];
        timers = new long[limit];
        frames = new long[limit];
        requests = new long[limit];
        counters = new int[limit * maxCounters];
        next = new int[limit];
        previous = new int[limit];
        freeSlots = new long[(limit + Long.SIZE - 1) / Long.SIZE];
        for (int slot = 0; slot < limit; slot++)
        {
            markFree(slot);
        }
    }

    static int slotOf(final long id)
    {
        return (int)id & SLOT_MASK;
    }

    boolean holds(final long id)
    {
        final int slot = slotOf(id);
        return 0 != id && slot < ids.length && ids[slot] == id;
    }

    int count()
    {
        return count;
    }

    /** No program that has been started has a higher id. */
    long newestId()
    {
        return lastNumber << SLOT_BITS | SLOT_MASK;
    }

    int counter(final int slot, final int index)
    {
        return slot * maxCounters + index;
    }

    /** The first running one of a program after an id, or 0. */
    long idOf(final Steps<L> program, final long tag, final long afterId)
    {
        for (int slot = first; NONE != slot; slot = next[slot])
        {
            if (programs[slot] == program && tags[slot] == tag && ids[slot] > afterId)
            {
                return ids[slot];
            }
        }
        return 0;
    }

    // The order

    int first()
    {
        return first;
    }

    /** Begin or go on with a walk, of which there is one: the next slot is moved on if its program ends. */
    void walkFrom(final int slot)
    {
        walk = next[slot];
    }

    int walkNext()
    {
        return walk;
    }

    /** Returns the slot, or none if all are taken. */
    int add(final Steps<L> program, final long tag)
    {
        checkKnown(program);
        if (ids.length == count)
        {
            return NONE;
        }

        final int slot = lowestFreeSlot();
        put(slot, ++lastNumber << SLOT_BITS | slot, program, tag);
        Arrays.fill(counters, counter(slot, 0), counter(slot + 1, 0), 0);
        return slot;
    }

    void remove(final int slot)
    {
        if (walk == slot)
        {
            walk = next[slot];
        }
        if (NONE == previous[slot])
        {
            first = next[slot];
        }
        else
        {
            next[previous[slot]] = next[slot];
        }
        if (NONE == next[slot])
        {
            last = previous[slot];
        }
        else
        {
            previous[next[slot]] = previous[slot];
        }
        ids[slot] = 0;
        programs[slot] = null;
        count--;
        markFree(slot);
    }

    void write(final StateWriter writer)
    {
        writer.putLong(lastNumber);
        writer.putInt(count);
        for (int slot = first; NONE != slot; slot = next[slot])
        {
            writer.putLong(ids[slot]);
            writer.putLong(programs[slot].fingerprint());
            writer.putInt(positions[slot]);
            writer.putLong(tags[slot]);
            writer.putLong(timers[slot]);
            writer.putLong(frames[slot]);
            writer.putLong(requests[slot]);
            for (int i = 0; i < programs[slot].counters(); i++)
            {
                writer.putInt(counters[counter(slot, i)]);
            }
        }
    }

    /** Returns the events that programs wait for. */
    int read(final StateReader reader)
    {
        check(0 == lastNumber, "programs were started before");
        lastNumber = reader.getLong();
        final int programCount = reader.getInt();
        check(programCount >= 0 && programCount <= ids.length, programCount + " programs");
        int awaited = 0;
        for (int i = 0; i < programCount; i++)
        {
            awaited |= readOne(reader);
        }
        return awaited;
    }

    private int readOne(final StateReader reader)
    {
        final long id = reader.getLong();
        final long number = id >>> SLOT_BITS;
        final int slot = slotOf(id);
        check(number > (NONE == last ? 0 : ids[last] >>> SLOT_BITS) && number <= lastNumber &&
            slot < ids.length && 0 == ids[slot], "program id " + id);
        final Steps<L> program = programOf(reader.getLong());
        final int position = reader.getInt();
        check(position >= 0 && position < program.length() && program.at(position).isWait(),
            program + " at position " + position);
        freeSlots[slot / Long.SIZE] &= ~(1L << slot);
        put(slot, id, program, reader.getLong());
        positions[slot] = position;
        events[slot] = program.at(position).events;
        timers[slot] = reader.getLong();
        check(0 == (events[slot] & Instruction.TIME) == (Room.NO_TIMER == timers[slot]), "the timer of " + program);
        frames[slot] = reader.getLong();
        requests[slot] = reader.getLong();
        check(0 == (events[slot] & Instruction.REPLY) == (Room.NO_REQUEST == requests[slot]),
            "the request of " + program);
        for (int i = 0; i < program.counters(); i++)
        {
            counters[counter(slot, i)] = reader.getInt();
        }
        return events[slot];
    }

    private Steps<L> programOf(final long fingerprint)
    {
        for (final Steps<L> program : known)
        {
            if (program.fingerprint() == fingerprint)
            {
                return program;
            }
        }
        throw new IllegalStateException("cannot read steps from a snapshot: one of its programs is none of " +
            known + ", or its version or its form has changed since");
    }

    private static void check(final boolean isValid, final String what)
    {
        if (!isValid)
        {
            throw new IllegalStateException("cannot read steps from a snapshot: " + what);
        }
    }

    private void put(final int slot, final long id, final Steps<L> program, final long tag)
    {
        ids[slot] = id;
        programs[slot] = program;
        tags[slot] = tag;
        previous[slot] = last;
        next[slot] = NONE;
        if (NONE == last)
        {
            first = slot;
        }
        else
        {
            next[last] = slot;
        }
        last = slot;
        count++;
    }

    private void markFree(final int slot)
    {
        freeSlots[slot / Long.SIZE] |= 1L << slot;
    }

    /** The lowest, so that a snapshot need not hold an order of free slots. */
    private int lowestFreeSlot()
    {
        int word = 0;
        while (0 == freeSlots[word])
        {
            word++;
        }
        final long lowest = Long.lowestOneBit(freeSlots[word]);
        freeSlots[word] &= ~lowest;
        return word * Long.SIZE + Long.numberOfTrailingZeros(lowest);
    }

    private void checkKnown(final Steps<L> program)
    {
        // By index, because an iterator is an allocation.
        for (int i = 0; i < known.size(); i++)
        {
            if (known.get(i) == program)
            {
                return;
            }
        }
        throw new IllegalArgumentException(program + " is none of " + known);
    }

    private int checkedCounters()
    {
        int most = 0;
        final Set<String> names = new TreeSet<>();
        for (final Steps<L> program : known)
        {
            most = Math.max(most, program.counters());
            if (!names.add(program.name()))
            {
                throw new IllegalArgumentException("two programs are named " + program.name());
            }
        }
        return most;
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static <L> Steps<L>[] newArray(final int length)
    {
        return new Steps[length];
    }
}
