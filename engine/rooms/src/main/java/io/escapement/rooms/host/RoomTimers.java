package io.escapement.rooms.host;

import io.escapement.rooms.Room;
import io.escapement.rooms.RoomTask;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import io.escapement.rooms.internal.timers.TimerWheel;
import java.util.BitSet;

/**
 * The timers of one room. A handle is a slot of this table and its generation, so it does not depend on other rooms; in
 * the wheel, which all rooms share, a timer is a room's slot and its own.
 */
final class RoomTimers
{
    private static final int STRIDE = 3;
    private static final int TAG = 0;
    /** Period of a repeating timer; of a timer that counts frames, the frame before which it fires. */
    private static final int PERIOD = 1;
    /** Kind in the low 32 bits; of a timer that counts frames, its distance in the high 32. */
    private static final int KIND = 2;
    /** Generation of a slot that gets no other timer: the next would repeat the first, and make old handles valid. */
    private static final int USED_UP = Integer.MAX_VALUE;
    private static final int FREE = -1;
    private static final int COUNTS_FRAMES = -2;

    private final RoomIdentity room;
    private final RoomFrames frames;
    private final LogicInvoker invoker;
    private final RoomServices services;
    private final TimerWheel wheel;
    /** Generation of each slot in the high 32 bits, node of the wheel in the low: all that a cancel reads. */
    private final long[] words;
    private final long[] details;
    private final int[] freeStack;
    private int freeCount;
    private int[] frameSlots;
    private int frameSlotCount;
    /** Position in {@code frameSlots} while its timers fire; adjusted when a slot before it is removed. */
    private int frameAt;
    private RoomTask[] tasks;

    RoomTimers(
        final RoomIdentity room, final RoomFrames frames, final LogicInvoker invoker, final RoomServices services)
    {
        this.room = room;
        this.frames = frames;
        this.invoker = invoker;
        this.services = services;
        wheel = services.wheel;
        final int limit = room.limits().timers();
        words = new long[limit];
        details = new long[limit * STRIDE];
        freeStack = new int[limit];
        for (int i = 0; i < limit; i++)
        {
            words[i] = generationAndNode(1, FREE);
            freeStack[i] = limit - 1 - i;
        }
        freeCount = limit;
    }

    int limit()
    {
        return freeStack.length;
    }

    /** Timers that are set. */
    int count()
    {
        return limit() - freeCount;
    }

    long set(final long deadlineNs, final long periodNs, final int kind, final long tag)
    {
        if (0 == freeCount)
        {
            return Room.NO_TIMER;
        }

        final int slot = freeStack[--freeCount];
        final int base = slot * STRIDE;
        final int generation = (int)(words[slot] >>> 32);
        final int node = wheel.schedule(deadlineNs, services.time.nowNs(), room.slot(), slot);
        words[slot] = generationAndNode(generation, node);
        details[base + TAG] = tag;
        details[base + PERIOD] = periodNs;
        details[base + KIND] = kind & 0xFFFF_FFFFL;
        return handle(generation, slot);
    }

    long setFrames(final long nextFrame, final int every, final int kind, final long tag)
    {
        if (0 == freeCount)
        {
            return Room.NO_TIMER;
        }

        final int slot = freeStack[--freeCount];
        final int base = slot * STRIDE;
        final int generation = (int)(words[slot] >>> 32);
        words[slot] = generationAndNode(generation, COUNTS_FRAMES);
        details[base + TAG] = tag;
        details[base + PERIOD] = nextFrame;
        details[base + KIND] = (kind & 0xFFFF_FFFFL) | ((long)every << 32);
        if (null == frameSlots)
        {
            frameSlots = new int[limit()];
        }
        frameSlots[frameSlotCount++] = slot;
        frames.frameTimers(frameSlotCount);
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

        final int node = (int)words[slot];
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
        if (slot < 0 || (int)words[slot] < 0)
        {
            return false;
        }

        wheel.cancel((int)words[slot]);
        words[slot] = generationAndNode(
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
        return slot < 0 || (int)words[slot] < 0 ? -1 :
            Math.max(0, wheel.deadlineNs((int)words[slot]) - services.time.nowNs());
    }

    int cancelAll()
    {
        int cancelled = 0;
        // All at once, because each removal from the list costs its length.
        frameSlotCount = 0;
        frameAt = 0;
        frames.frameTimers(0);
        for (int slot = 0, limit = limit(); slot < limit && freeCount < limit; slot++)
        {
            final long word = words[slot];
            if (FREE != (int)word)
            {
                cancel(handle((int)(word >>> 32), slot));
                cancelled++;
            }
        }
        return cancelled;
    }

    /** Fire the timer of a slot; the wheel has freed its node. */
    void fire(final int slot, final long deadlineNs)
    {
        final int base = slot * STRIDE;
        final int generation = (int)(words[slot] >>> 32);
        final long tag = details[base + TAG];
        final long periodNs = details[base + PERIOD];
        final int kind = (int)details[base + KIND];
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
            words[slot] = generationAndNode(generation, wheel.schedule(next, nowNs, room.slot(), slot));
        }
        else
        {
            // Released before the callback, so that a timer that sets the next one always finds a slot.
            release(slot);
        }
        run(handle(generation, slot), kind, tag, task);
    }

    /** Fire the timers that count frames, in the order in which they were set. A room that closes has none left. */
    void fireFrames(final long frame)
    {
        frameAt = 0;
        while (frameAt < frameSlotCount)
        {
            final int slot = frameSlots[frameAt];
            final int base = slot * STRIDE;
            final long due = details[base + PERIOD];
            if (due > frame)
            {
                frameAt++;
                continue;
            }

            final int every = (int)(details[base + KIND] >>> 32);
            final long word = words[slot];
            final long tag = details[base + TAG];
            final int kind = (int)details[base + KIND];
            final RoomTask task = null == tasks ? null : tasks[slot];
            if (0 == every)
            {
                removeFrameSlot(slot);
                release(slot);
            }
            else
            {
                details[base + PERIOD] = due + ((frame - due) / every + 1) * every;
                frameAt++;
            }
            // The callback may cancel any of these timers.
            run(handle((int)(word >>> 32), slot), kind, tag, task);
            frames.settle();
        }
    }

    void restoredNode(final int slot, final int node)
    {
        words[slot] = generationAndNode((int)(words[slot] >>> 32), node);
    }

    void write(final StateWriter writer, final boolean isSnapshot)
    {
        for (int slot = 0, limit = limit(); slot < limit; slot++)
        {
            final int base = slot * STRIDE;
            final int node = (int)words[slot];
            writer.putInt((int)(words[slot] >>> 32));
            writer.putInt(Math.min(0, node));
            if (FREE != node)
            {
                writer.putLong(details[base + TAG]);
                writer.putLong(details[base + PERIOD]);
                writer.putLong(details[base + KIND]);
                NodeState.write(writer, wheel, node >= 0 ? node : EngineTimer.NO_NODE, isSnapshot);
            }
        }
        writer.putInt(freeCount);
        for (int i = 0; i < freeCount; i++)
        {
            writer.putInt(freeStack[i]);
        }
        writer.putInt(frameSlotCount);
        for (int i = 0; i < frameSlotCount; i++)
        {
            writer.putInt(frameSlots[i]);
        }
    }

    void read(final StateReader reader, final NodeState.Restorer nodes)
    {
        for (int slot = 0, limit = limit(); slot < limit; slot++)
        {
            final int base = slot * STRIDE;
            final int generation = Restored.inRange(reader.getInt(), 1, USED_UP, "a generation");
            final int kindOfNode = Restored.inRange(reader.getInt(), COUNTS_FRAMES, 0, "the kind of a timer");
            Restored.check(USED_UP != generation || FREE == kindOfNode, "the generation of timer " + slot);
            words[slot] = generationAndNode(generation, kindOfNode);
            if (FREE != kindOfNode)
            {
                details[base + TAG] = reader.getLong();
                details[base + PERIOD] = reader.getLong();
                details[base + KIND] = reader.getLong();
                Restored.check(nodes.read(reader, slot) == (COUNTS_FRAMES != kindOfNode), "the node of timer " + slot);
            }
        }
        final BitSet listed = new BitSet();
        freeCount = readSlots(reader, freeStack, FREE, listed);
        frameSlots = new int[limit()];
        frameSlotCount = readSlots(reader, frameSlots, COUNTS_FRAMES, listed);
        frames.frameTimers(frameSlotCount);
        for (int slot = 0; slot < limit(); slot++)
        {
            final boolean isUsedUp = USED_UP == (int)(words[slot] >>> 32);
            Restored.check((int)words[slot] >= 0 || listed.get(slot) != isUsedUp, "timer " + slot + " in no list");
        }
    }

    /** Read a list of slots whose nodes are of a kind, each of which may be in one list once. */
    private int readSlots(final StateReader reader, final int[] slots, final int kindOfNode, final BitSet listed)
    {
        final int count = Restored.inRange(reader.getInt(), 0, limit(), "a list of timers");
        for (int i = 0; i < count; i++)
        {
            final int slot = Restored.inRange(reader.getInt(), 0, limit() - 1, "a timer");
            Restored.check(kindOfNode == (int)words[slot] && !listed.get(slot), "timer " + slot + " in a list");
            listed.set(slot);
            slots[i] = slot;
        }
        return count;
    }

    private void run(final long handle, final int kind, final long tag, final RoomTask task)
    {
        if (null == task)
        {
            invoker.timer(handle, kind, tag);
        }
        else
        {
            invoker.task(task);
        }
    }

    private int liveSlot(final long handle)
    {
        final int slot = (int)handle;
        if (slot < 0 || slot >= freeStack.length)
        {
            return -1;
        }

        final long word = words[slot];
        return FREE != (int)word && (word >>> 32) == (handle >>> 32) ? slot : -1;
    }

    private void release(final int slot)
    {
        final int generation = (int)(words[slot] >>> 32) + 1;
        words[slot] = generationAndNode(generation, FREE);
        if (USED_UP != generation)
        {
            freeStack[freeCount++] = slot;
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
                frames.frameTimers(frameSlotCount);
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
