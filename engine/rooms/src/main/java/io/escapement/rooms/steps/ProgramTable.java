package io.escapement.rooms.steps;

import io.escapement.rooms.RoomDescription;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The programs that run in a room, by slot, linked in the order of their starts. An id is the number of the start and
 * the slot.
 */
final class ProgramTable<L>
{
    static final int NONE = -1;

    private static final int SLOT_BITS = 16;
    private static final int SLOT_MASK = (1 << SLOT_BITS) - 1;

    /** 0 in a free slot. */
    final long[] ids;
    final Steps<L>[] programs;
    /** Events that the program waits for. Empty while it starts: it does not see events that its steps cause. */
    final int[] events;
    final long[] tags;
    /** The instruction at which a lane is, or {@code NONE}. */
    final int[] positions;
    /** The timer or the request that a lane waits for, or the frame in which its wait started. Otherwise 0. */
    final long[] subjects;
    final int[] counters;
    private final List<Steps<L>> known;
    private final int maxCounters;
    private final int maxLanes;
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
        int mostCounters = 0;
        int mostLanes = 1;
        for (final Steps<L> program : this.known)
        {
            mostCounters = Math.max(mostCounters, program.counters());
            mostLanes = Math.max(mostLanes, program.lanes());
        }
        checkNames();
        maxCounters = mostCounters;
        maxLanes = mostLanes;
        ids = new long[limit];
        programs = newArray(limit);
        events = new int[limit];
        tags = new long[limit];
        positions = new int[limit * maxLanes];
        Arrays.fill(positions, NONE);
        subjects = new long[limit * maxLanes];
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

    void describe(final RoomDescription description)
    {
        int number = 0;
        for (int slot = first; NONE != slot; slot = next[slot])
        {
            final StringBuilder at = new StringBuilder();
            for (int lane = 0; lane < programs[slot].lanes(); lane++)
            {
                final int position = positions[lane(slot, lane)];
                at.append(NONE == position ? "" : " " + position);
            }
            description.put("steps[" + number++ + "]",
                programs[slot].name() + ", tag " + tags[slot] + ", waits at instruction" + at);
        }
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

    /** The index of a lane of a program. */
    int lane(final int slot, final int lane)
    {
        return slot * maxLanes + lane;
    }

    /** The lanes of a program that wait for an event, as bits. */
    int lanesAwaiting(final int slot, final int event)
    {
        final Steps<L> program = programs[slot];
        int found = 0;
        for (int lane = 0; lane < program.lanes(); lane++)
        {
            final int position = positions[lane(slot, lane)];
            found |= NONE != position && event == program.at(position).events ? 1 << lane : 0;
        }
        return found;
    }

    /** Returns the lane that waits for a timer, as a bit, or 0. */
    int laneOfTimer(final int slot, final long handle)
    {
        int waiting = lanesAwaiting(slot, Instruction.TIME);
        while (0 != waiting && subjects[lane(slot, Integer.numberOfTrailingZeros(waiting))] != handle)
        {
            waiting &= waiting - 1;
        }
        return Integer.lowestOneBit(waiting);
    }

    /** Find the events that the lanes of a program wait for. */
    int refreshEvents(final int slot)
    {
        final Steps<L> program = programs[slot];
        int found = 0;
        for (int lane = 0; lane < program.lanes(); lane++)
        {
            final int position = positions[lane(slot, lane)];
            found |= NONE == position ? 0 : program.at(position).events;
        }
        events[slot] = found;
        return found;
    }

    /** The first running start of a program after an id, or 0. */
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

    /** Start or continue the walk, of which only one exists: the next slot is moved on if its program is over. */
    void walkFrom(final int slot)
    {
        walk = next[slot];
    }

    int walkNext()
    {
        return walk;
    }

    /** Returns the slot, or {@code NONE} if all are taken. */
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
        events[slot] = 0;
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
            final Steps<L> program = programs[slot];
            writer.putLong(ids[slot]);
            writer.putLong(program.fingerprint());
            writer.putLong(tags[slot]);
            for (int i = 0; i < program.counters(); i++)
            {
                writer.putInt(counters[counter(slot, i)]);
            }
            for (int i = 0; i < program.lanes(); i++)
            {
                final int lane = lane(slot, i);
                writer.putInt(positions[lane]);
                if (NONE != positions[lane])
                {
                    writer.putLong(subjects[lane]);
                }
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
        freeSlots[slot / Long.SIZE] &= ~(1L << slot);
        put(slot, id, program, reader.getLong());
        for (int i = 0; i < program.counters(); i++)
        {
            counters[counter(slot, i)] = reader.getInt();
        }
        for (int i = 0; i < program.lanes(); i++)
        {
            readLane(program, i, lane(slot, i), reader);
        }
        check(0 != refreshEvents(slot), program + " waits for nothing");
        return events[slot];
    }

    private void readLane(final Steps<L> program, final int number, final int lane, final StateReader reader)
    {
        final int position = reader.getInt();
        if (NONE == position)
        {
            return;
        }
        check(position >= 0 && position < program.length() && program.at(position).isWait() &&
            number == program.at(position).lane, program + " at position " + position);
        positions[lane] = position;
        subjects[lane] = reader.getLong();
        final boolean isForOne =
            0 != (program.at(position).events & (Instruction.TIME | Instruction.REPLY));
        check(!isForOne || 0 != subjects[lane], "the timer or request of " + program);
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

    private void checkNames()
    {
        final Set<String> names = new TreeSet<>();
        for (final Steps<L> program : known)
        {
            if (!names.add(program.name()))
            {
                throw new IllegalArgumentException("two programs are named " + program.name());
            }
        }
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static <L> Steps<L>[] newArray(final int length)
    {
        return new Steps[length];
    }
}
