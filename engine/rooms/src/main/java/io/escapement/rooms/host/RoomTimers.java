package io.escapement.rooms.host;

import io.escapement.rooms.Room;
import io.escapement.rooms.RoomTask;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import io.escapement.rooms.timers.TimerWheel;

/**
 * The timers of one room. A handle is a slot of this table and its generation, so it says nothing of other rooms; the
 * wheel, which all rooms share, only knows slots.
 */
final class RoomTimers
{
    private static final int STRIDE = 3;
    private static final int TAG = 0;
    /** Of a timer that repeats its period; of one that counts frames the frame it fires before. */
    private static final int PERIOD = 1;
    /** Kind in the low 32 bits; of a timer that counts frames the distance in the high ones. */
    private static final int KIND = 2;
    private static final int FREE = -1;
    private static final int COUNTS_FRAMES = -2;

    private final RoomInstance room;
    private final TimerWheel wheel;
    /** Generation of each slot high, node of the wheel low. Apart from the rest, since cancelling needs no more. */
    private final long[] words;
    private final long[] details;
    private final int[] freeStack;
    private int freeCount;
    private int[] frameSlots;
    /** The next of those that count frames to look at; what is removed before it moves it along. */
    private int frameAt;
    private RoomTask[] tasks;

    RoomTimers(final RoomInstance room, final TimerWheel wheel, final int limit)
    {
        this.room = room;
        this.wheel = wheel;
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

    long set(final long nowNs, final long deadlineNs, final long periodNs, final int kind, final long tag)
    {
        if (0 == freeCount)
        {
            return Room.NO_TIMER;
        }

        final int slot = freeStack[--freeCount];
        final int base = slot * STRIDE;
        final int generation = (int)(words[slot] >>> 32);
        final int node = wheel.schedule(deadlineNs, nowNs, room.slot(), slot);
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
        frameSlots[room.frames.timers++] = slot;
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

    boolean reschedule(final long handle, final long nowNs, final long deadlineNs)
    {
        final int slot = liveSlot(handle);
        if (slot < 0 || (int)words[slot] < 0)
        {
            return false;
        }

        wheel.cancel((int)words[slot]);
        words[slot] = generationAndNode(
            (int)(handle >>> 32), wheel.schedule(deadlineNs, nowNs, room.slot(), slot));
        return true;
    }

    int cancelAll()
    {
        int cancelled = 0;
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

    /** The wheel says that a slot is due; its node is free already. */
    void fire(final int slot, final long nowNs, final long deadlineNs)
    {
        final int base = slot * STRIDE;
        final int generation = (int)(words[slot] >>> 32);
        final long tag = details[base + TAG];
        final long periodNs = details[base + PERIOD];
        final int kind = (int)details[base + KIND];
        final RoomTask task = null == tasks ? null : tasks[slot];
        if (periodNs > 0)
        {
            // A reschedule can bring near a timer whose period reaches beyond the end of time.
            long next = periodNs > Long.MAX_VALUE - deadlineNs ? Long.MAX_VALUE : deadlineNs + periodNs;
            if (next <= nowNs)
            {
                next += ((nowNs - next) / periodNs + 1) * periodNs;
            }
            words[slot] = generationAndNode(generation, wheel.schedule(next, nowNs, room.slot(), slot));
        }
        else
        {
            // Free before the callback, so that a timer that sets the next one never runs out of slots.
            release(slot);
        }
        run(handle(generation, slot), kind, tag, task);
    }

    /** Fire those that count frames, in the order they were set, before a frame runs. */
    void fireFrames(final long frame)
    {
        frameAt = 0;
        while (frameAt < room.frames.timers && room.isOpen())
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
            // It may cancel any of them.
            run(handle((int)(word >>> 32), slot), kind, tag, task);
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
                NodeState.write(writer, wheel, node >= 0 ? node : SeatState.NO_NODE, isSnapshot);
            }
        }
        writer.putInt(freeCount);
        for (int i = 0; i < freeCount; i++)
        {
            writer.putInt(freeStack[i]);
        }
        writer.putInt(room.frames.timers);
        for (int i = 0; i < room.frames.timers; i++)
        {
            writer.putInt(frameSlots[i]);
        }
    }

    void read(final StateReader reader, final NodeState.Restorer nodes)
    {
        for (int slot = 0, limit = limit(); slot < limit; slot++)
        {
            final int base = slot * STRIDE;
            final int generation = reader.getInt();
            final int kindOfNode = reader.getInt();
            words[slot] = generationAndNode(generation, kindOfNode);
            if (FREE != kindOfNode)
            {
                details[base + TAG] = reader.getLong();
                details[base + PERIOD] = reader.getLong();
                details[base + KIND] = reader.getLong();
                nodes.read(reader, slot);
            }
        }
        freeCount = reader.getInt();
        for (int i = 0; i < freeCount; i++)
        {
            freeStack[i] = reader.getInt();
        }
        room.frames.timers = reader.getInt();
        frameSlots = 0 == room.frames.timers ? null : new int[limit()];
        for (int i = 0; i < room.frames.timers; i++)
        {
            frameSlots[i] = reader.getInt();
        }
    }

    private void run(final long handle, final int kind, final long tag, final RoomTask task)
    {
        if (null == task)
        {
            room.calls.timer(handle, kind, tag);
        }
        else
        {
            room.calls.task(task);
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
        final int generation = Math.max(1, (int)(words[slot] >>> 32) + 1);
        words[slot] = generationAndNode(generation, FREE);
        freeStack[freeCount++] = slot;
        if (null != tasks)
        {
            tasks[slot] = null;
        }
    }

    private void removeFrameSlot(final int slot)
    {
        for (int i = 0; i < room.frames.timers; i++)
        {
            if (frameSlots[i] == slot)
            {
                room.frames.timers--;
                System.arraycopy(frameSlots, i + 1, frameSlots, i, room.frames.timers - i);
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
