package io.escapement.rooms.host;

import io.escapement.rooms.Room;
import io.escapement.rooms.RoomDescription;
import io.escapement.rooms.RoomTask;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import io.escapement.rooms.internal.timers.TimerWheel;
import java.util.Arrays;
import java.util.BitSet;

/**
 * The timers of one room. A handle is a slot of this table and its generation. It does not depend on other rooms. In
 * the wheel, which all rooms share, a timer is a room's slot and its own.
 */
final class RoomTimers
{
    private static final int STRIDE = 5;
    /** Generation of a slot in the high 32 bits, node of the wheel in the low: all that a cancel reads. */
    private static final int WORD = 0;
    private static final int TAG = 1;
    /** Period of a repeating timer. If the timer counts frames, the frame before which it fires. */
    private static final int PERIOD = 2;
    /** Kind in the low 32 bits. If the timer counts frames, its distance in the high 32. */
    private static final int KIND = 3;
    /** Not of the slot: an entry of the stack of free slots. */
    private static final int FREE_SLOT = 4;
    private static final int FIRST_SLOTS = 4;
    private static final long[] NO_SLOTS = {};
    private static final int[] NO_LIST = {};
    /** Generation of a slot that gets no other timer: the next would repeat the first, and make old handles valid. */
    private static final int USED_UP = Integer.MAX_VALUE;
    private static final int FREE = -1;
    private static final int COUNTS_FRAMES = -2;

    private final RoomInstance room;
    private final RoomServices services;
    private final TimerWheel wheel;
    /** The slots that have been used, {@link #STRIDE} numbers for each. The slots after them are free. */
    private long[] slots = NO_SLOTS;
    private int slotCount;
    /** Of the slots that have been used. */
    private int freeCount;
    private int[] frameSlots = NO_LIST;
    private int frameSlotCount;
    /** Position in {@code frameSlots} while its timers fire. Adjusted when a slot before it is removed. */
    private int frameAt;
    private RoomTask[] tasks;

    RoomTimers(final RoomInstance room)
    {
        this.room = room;
        services = room.services;
        wheel = services.wheel;
    }

    int limit()
    {
        return room.identity.limits().timers();
    }

    /** Timers that are set. */
    int count()
    {
        return slotCount - freeCount;
    }

    long set(final long deadlineNs, final long periodNs, final int kind, final long tag)
    {
        final int slot = take();
        if (slot < 0)
        {
            return Room.NO_TIMER;
        }

        final int base = slot * STRIDE;
        final int generation = generation(slot);
        final int node = wheel.schedule(deadlineNs, services.time.nowNs(), room.slot(), slot);
        slots[base + WORD] = generationAndNode(generation, node);
        slots[base + TAG] = tag;
        slots[base + PERIOD] = periodNs;
        slots[base + KIND] = kind & 0xFFFF_FFFFL;
        return handle(generation, slot);
    }

    long setFrames(final long nextFrame, final int every, final int kind, final long tag)
    {
        final int slot = take();
        if (slot < 0)
        {
            return Room.NO_TIMER;
        }

        final int base = slot * STRIDE;
        final int generation = generation(slot);
        slots[base + WORD] = generationAndNode(generation, COUNTS_FRAMES);
        slots[base + TAG] = tag;
        slots[base + PERIOD] = nextFrame;
        slots[base + KIND] = (kind & 0xFFFF_FFFFL) | ((long)every << 32);
        if (frameSlotCount == frameSlots.length)
        {
            frameSlots = Arrays.copyOf(frameSlots, slots.length / STRIDE);
        }
        frameSlots[frameSlotCount++] = slot;
        room.frameTimers(frameSlotCount);
        return handle(generation, slot);
    }

    void task(final long handle, final RoomTask task)
    {
        if (Room.NO_TIMER != handle)
        {
            if (null == tasks)
            {
                tasks = new RoomTask[limit()];
            }
            tasks[(int)handle] = task;
        }
    }

    boolean cancel(final long handle)
    {
        final int slot = liveSlot(handle);
        if (slot < 0)
        {
            return false;
        }

        final int node = node(slot);
        if (node >= 0)
        {
            wheel.cancel(node);
        }
        else
        {
            removeFrameSlot(slot);
        }
        release(slot);
        return true;
    }

    boolean reschedule(final long handle, final long deadlineNs)
    {
        final int slot = liveSlot(handle);
        if (slot < 0 || node(slot) < 0)
        {
            return false;
        }

        wheel.cancel(node(slot));
        slots[slot * STRIDE + WORD] = generationAndNode(
            (int)(handle >>> 32), wheel.schedule(deadlineNs, services.time.nowNs(), room.slot(), slot));
        return true;
    }

    boolean isSet(final long handle)
    {
        return liveSlot(handle) >= 0;
    }

    /** Time until a timer is due, or -1 if it is not set or counts frames. */
    long remainingNs(final long handle)
    {
        final int slot = liveSlot(handle);
        return slot < 0 || node(slot) < 0 ? -1 :
            Math.max(0, wheel.deadlineNs(node(slot)) - services.time.nowNs());
    }

    int cancelAll()
    {
        int cancelled = 0;
        // All at once, because each removal from the list costs its length.
        frameSlotCount = 0;
        frameAt = 0;
        room.frameTimers(0);
        for (int slot = 0; slot < slotCount && freeCount < slotCount; slot++)
        {
            if (FREE != node(slot))
            {
                cancel(handle(generation(slot), slot));
                cancelled++;
            }
        }
        return cancelled;
    }

    void describe(final RoomDescription description)
    {
        for (int slot = 0; slot < slotCount; slot++)
        {
            final int base = slot * STRIDE;
            if (FREE != node(slot))
            {
                description.put("timers[" + slot + "]", "kind " + (int)slots[base + KIND] + ", tag " +
                    slots[base + TAG] + (COUNTS_FRAMES == node(slot) ? ", before frame " + slots[base + PERIOD] :
                    ", due at " + wheel.deadlineNs(node(slot)) + " ns"));
            }
        }
    }

    /** Fire the timer of a slot. The wheel has freed its node. */
    void fire(final int slot, final long deadlineNs)
    {
        final int base = slot * STRIDE;
        final int generation = generation(slot);
        final long tag = slots[base + TAG];
        final long periodNs = slots[base + PERIOD];
        final int kind = (int)slots[base + KIND];
        final RoomTask task = null == tasks ? null : tasks[slot];
        if (periodNs > 0)
        {
            final long nowNs = services.time.nowNs();
            // The period of a rescheduled timer can reach beyond the end of time.
            long next = periodNs > Long.MAX_VALUE - deadlineNs ? Long.MAX_VALUE : deadlineNs + periodNs;
            if (next <= nowNs)
            {
                next += ((nowNs - next) / periodNs + 1) * periodNs;
            }
            slots[base + WORD] = generationAndNode(generation, wheel.schedule(next, nowNs, room.slot(), slot));
        }
        else
        {
            // Released before the callback. Then a timer that sets the next timer always finds a slot.
            release(slot);
        }
        run(handle(generation, slot), kind, tag, task);
    }

    /** Fire the timers that count frames, in the order in which they were set. A closing room has no timer left. */
    void fireFrames(final long frame)
    {
        frameAt = 0;
        while (frameAt < frameSlotCount)
        {
            final int slot = frameSlots[frameAt];
            final int base = slot * STRIDE;
            final long due = slots[base + PERIOD];
            if (due > frame)
            {
                frameAt++;
                continue;
            }

            final int every = (int)(slots[base + KIND] >>> 32);
            final int generation = generation(slot);
            final long tag = slots[base + TAG];
            final int kind = (int)slots[base + KIND];
            final RoomTask task = null == tasks ? null : tasks[slot];
            if (0 == every)
            {
                removeFrameSlot(slot);
                release(slot);
            }
            else
            {
                slots[base + PERIOD] = due + ((frame - due) / every + 1) * every;
                frameAt++;
            }
            // The callback may cancel any of these timers.
            run(handle(generation, slot), kind, tag, task);
            room.settleCallback();
        }
    }

    void restoredNode(final int slot, final int node)
    {
        slots[slot * STRIDE + WORD] = generationAndNode(generation(slot), node);
    }

    void write(final StateWriter writer, final boolean isSnapshot)
    {
        for (int slot = 0; slot < slotCount; slot++)
        {
            final int base = slot * STRIDE;
            final int node = node(slot);
            writer.putInt(generation(slot));
            writer.putInt(Math.min(0, node));
            if (FREE != node)
            {
                writer.putLong(slots[base + TAG]);
                writer.putLong(slots[base + PERIOD]);
                writer.putLong(slots[base + KIND]);
                NodeState.write(writer, wheel, node >= 0 ? node : EngineTimer.NO_NODE, isSnapshot);
            }
        }
        final int unused = limit() - slotCount;
        for (int i = 0; i < unused; i++)
        {
            writer.putInt(1);
            writer.putInt(FREE);
        }
        writer.putInt(unused + freeCount);
        for (int slot = limit() - 1; slot >= slotCount; slot--)
        {
            writer.putInt(slot);
        }
        for (int i = 0; i < freeCount; i++)
        {
            writer.putInt((int)slots[i * STRIDE + FREE_SLOT]);
        }
        writer.putInt(frameSlotCount);
        for (int i = 0; i < frameSlotCount; i++)
        {
            writer.putInt(frameSlots[i]);
        }
    }

    void read(final StateReader reader, final NodeState.Restorer nodes)
    {
        slotCount = limit();
        slots = new long[slotCount * STRIDE];
        for (int slot = 0; slot < slotCount; slot++)
        {
            final int base = slot * STRIDE;
            final int generation = Restored.inRange(reader.getInt(), 1, USED_UP, "a generation");
            final int kindOfNode = Restored.inRange(reader.getInt(), COUNTS_FRAMES, 0, "the kind of a timer");
            Restored.check(USED_UP != generation || FREE == kindOfNode, "the generation of timer " + slot);
            slots[base + WORD] = generationAndNode(generation, kindOfNode);
            if (FREE != kindOfNode)
            {
                slots[base + TAG] = reader.getLong();
                slots[base + PERIOD] = reader.getLong();
                slots[base + KIND] = reader.getLong();
                Restored.check(nodes.read(reader, slot) == (COUNTS_FRAMES != kindOfNode), "the node of timer " + slot);
            }
        }
        final BitSet listed = new BitSet();
        final int[] free = readSlots(reader, FREE, listed);
        frameSlots = readSlots(reader, COUNTS_FRAMES, listed);
        frameSlotCount = frameSlots.length;
        room.frameTimers(frameSlotCount);
        for (int slot = 0; slot < slotCount; slot++)
        {
            final boolean isUsedUp = USED_UP == generation(slot);
            Restored.check(node(slot) >= 0 || listed.get(slot) != isUsedUp, "timer " + slot + " in no list");
        }
        restoreFree(free);
    }

    /** Keep no slots that have not been used: they are at the end, and the first of the list. */
    private void restoreFree(final int[] free)
    {
        int unused = 0;
        while (unused < free.length && free[unused] == slotCount - 1 && 1 == generation(free[unused]))
        {
            unused++;
            slotCount--;
        }
        slots = 0 == slotCount ? NO_SLOTS : Arrays.copyOf(slots, slotCount * STRIDE);
        freeCount = 0;
        for (int i = unused; i < free.length; i++)
        {
            pushFree(free[i]);
        }
    }

    /** Read a list of slots with nodes of a kind. Each slot may be in one list once. */
    private int[] readSlots(final StateReader reader, final int kindOfNode, final BitSet listed)
    {
        final int count = Restored.inRange(reader.getInt(), 0, limit(), "a list of timers");
        final int[] list = 0 == count ? NO_LIST : new int[count];
        for (int i = 0; i < count; i++)
        {
            final int slot = Restored.inRange(reader.getInt(), 0, limit() - 1, "a timer");
            Restored.check(kindOfNode == node(slot) && !listed.get(slot), "timer " + slot + " in a list");
            listed.set(slot);
            list[i] = slot;
        }
        return list;
    }

    /** Take the slot that was freed last, or the first unused slot. -1 if no slot is free. */
    private int take()
    {
        if (0 == freeCount)
        {
            if (slotCount == limit())
            {
                return -1;
            }
            use(Math.min(limit(), Math.max(FIRST_SLOTS, 2 * slotCount)));
        }
        return (int)slots[--freeCount * STRIDE + FREE_SLOT];
    }

    private void use(final int count)
    {
        slots = Arrays.copyOf(slots, count * STRIDE);
        for (int slot = count - 1; slot >= slotCount; slot--)
        {
            slots[slot * STRIDE + WORD] = generationAndNode(1, FREE);
            pushFree(slot);
        }
        slotCount = count;
    }

    private void pushFree(final int slot)
    {
        slots[freeCount++ * STRIDE + FREE_SLOT] = slot;
    }

    private int generation(final int slot)
    {
        return (int)(slots[slot * STRIDE + WORD] >>> 32);
    }

    private int node(final int slot)
    {
        return (int)slots[slot * STRIDE + WORD];
    }

    private void run(final long handle, final int kind, final long tag, final RoomTask task)
    {
        if (null == task)
        {
            room.invoker.timer(handle, kind, tag);
        }
        else
        {
            room.invoker.task(task);
        }
    }

    private int liveSlot(final long handle)
    {
        final int slot = (int)handle;
        return slot >= 0 && slot < slotCount && FREE != node(slot) && generation(slot) == (int)(handle >>> 32) ?
            slot : -1;
    }

    private void release(final int slot)
    {
        final int generation = generation(slot) + 1;
        slots[slot * STRIDE + WORD] = generationAndNode(generation, FREE);
        if (USED_UP != generation)
        {
            pushFree(slot);
        }
        if (null != tasks)
        {
            tasks[slot] = null;
        }
    }

    private void removeFrameSlot(final int slot)
    {
        for (int i = 0; i < frameSlotCount; i++)
        {
            if (frameSlots[i] == slot)
            {
                frameSlotCount--;
                room.frameTimers(frameSlotCount);
                System.arraycopy(frameSlots, i + 1, frameSlots, i, frameSlotCount - i);
                frameAt -= i < frameAt ? 1 : 0;
                return;
            }
        }
    }

    private static long handle(final int generation, final int slot)
    {
        return ((long)generation << 32) | slot;
    }

    private static long generationAndNode(final int generation, final int node)
    {
        return ((long)generation << 32) | (node & 0xFFFF_FFFFL);
    }
}
