package io.escapement.rooms.host;

import io.escapement.rooms.RoomType;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;

/**
 * The frames of one room. An ordinary frame touches this object and {@link LogicInvoker} only, because with 100,000
 * rooms its cost is cache misses.
 */
final class RoomFrames
{
    /** Timers that count this room's frames. */
    int timers;

    private final RoomInstance room;
    private final RoomHost host;
    private final LogicInvoker calls;
    private final int catchUp;
    private final boolean isFlushedByFrame;
    private long frame;
    private long missed;
    private long gridN;
    private long lastDeadlineNs;
    private int requestedHz;
    /** Whether the last frame sent something: the next is likely to, and needs all of the room. */
    private boolean isSending;
    private PhaseGroup group;
    private int groupPosition;

    RoomFrames(final RoomInstance room, final RoomHost host, final LogicInvoker calls)
    {
        this.room = room;
        this.host = host;
        this.calls = calls;
        catchUp = room.type.catchUp();
        isFlushedByFrame = RoomType.Flush.FRAME == room.type.flush();
    }

    long frame()
    {
        return frame;
    }

    long missed()
    {
        return missed;
    }

    /** The rate that the room has now, 0 for none. */
    int rateHz()
    {
        return null == group ? 0 : group.rateHz;
    }

    long roomId()
    {
        return room.roomId();
    }

    long ordinal()
    {
        return room.ordinal();
    }

    void groupPosition(final int position)
    {
        groupPosition = position;
    }

    void request(final int hz)
    {
        requestedHz = hz;
        follow();
    }

    /** Have the rate that was asked for, as far as the type's cap allows. */
    void follow()
    {
        final int hz = host.effectiveHz(room.type, requestedHz);
        if (hz == rateHz())
        {
            return;
        }

        final boolean wasRunning = null != group;
        stop();
        if (0 != hz)
        {
            group = host.frames.enter(this, hz, host.nowNs());
            gridN = group.grid.lastAt(host.nowNs());
            if (!wasRunning)
            {
                lastDeadlineNs = host.nowNs();
            }
        }
        else if (room.isDirty())
        {
            // No frame will flush it.
            host.dirty(room);
        }
    }

    void stop()
    {
        if (null != group)
        {
            group.remove(groupPosition);
            group = null;
        }
    }

    /** Read from both ends of what an ordinary frame needs, and from the logic: each may lie on two lines. */
    long lookAhead()
    {
        if (isSending)
        {
            host.ahead.add(room, CachePrefetcher.NO_SEAT);
        }
        return frame + groupPosition + (null == group ? 1 : 0) + calls.lookAhead();
    }

    void run(final PhaseGroup running, final long lastN, final long lastGridDeadlineNs)
    {
        final long due = lastN - gridN;
        if (due <= 0)
        {
            return;
        }

        host.touch(room);
        final int dirtyRooms = host.dirtyRooms();
        if (1 == due)
        {
            run(running, lastN, lastGridDeadlineNs, 1);
        }
        else
        {
            catchUp(running, lastN, lastGridDeadlineNs, due);
        }
        isSending = isFlushedByFrame || host.dirtyRooms() != dirtyRooms;
        if (isFlushedByFrame && room.isOpen())
        {
            room.flushAndTell();
        }
        if (host.isUnsettled)
        {
            room.settle();
        }
    }

    void write(final StateWriter writer)
    {
        writer.putInt(requestedHz);
        writer.putInt(rateHz());
        writer.putLong(frame);
        writer.putLong(missed);
        writer.putLong(gridN);
        writer.putLong(lastDeadlineNs);
    }

    void read(final StateReader reader)
    {
        requestedHz = reader.getInt();
        final int hz = reader.getInt();
        frame = reader.getLong();
        missed = reader.getLong();
        gridN = reader.getLong();
        lastDeadlineNs = reader.getLong();
        if (0 != hz)
        {
            group = host.frames.enter(this, hz, host.lastTurnNs);
        }
    }

    private void catchUp(
        final PhaseGroup running, final long lastN, final long lastGridDeadlineNs, final long due)
    {
        final int runs = (int)Math.min(due, catchUp);
        missed += due - runs;
        running.missed += (int)(due - runs);
        for (int i = 1; i < runs && isBehind(running, lastN); i++)
        {
            run(running, gridN + 1, running.grid.deadlineNs(gridN + 1), 1);
        }
        if (isBehind(running, lastN))
        {
            // The last one spans whatever is skipped.
            run(running, lastN, lastGridDeadlineNs, lastN - gridN);
        }
    }

    /** A callback may leave the group, and may even come back, and then has nothing to catch up with. */
    private boolean isBehind(final PhaseGroup running, final long lastN)
    {
        return running == group && gridN < lastN;
    }

    private void run(final PhaseGroup running, final long n, final long deadlineNs, final long step)
    {
        final long elapsedNs = deadlineNs - lastDeadlineNs;
        frame += step;
        gridN = n;
        lastDeadlineNs = deadlineNs;
        running.ran++;
        if (0 != timers)
        {
            room.timers.fireFrames(frame);
            if (!room.isOpen())
            {
                return;
            }
        }
        calls.frame(frame, elapsedNs);
    }
}
