package io.escapement.rooms.host;

import io.escapement.rooms.RoomType;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;

/**
 * The frames of one room. While the room is in step with its phase group, the group runs its frames, and the numbers
 * here are of its first frame in step.
 */
abstract class RoomFrames extends RoomStatus
{
    private final int catchUp;
    private final boolean isFlushedByFrame;
    /** Timers that count this room's frames. */
    private int frameTimers;
    private long frame;
    private long missed;
    private long gridN;
    private long lastDeadlineNs;
    private int requestedHz;
    private PhaseGroup group;
    private boolean isInStep;
    private int groupPosition;

    RoomFrames(final RoomIdentity identity, final RoomServices services)
    {
        super(identity, services);
        catchUp = type().catchUp();
        isFlushedByFrame = RoomType.Flush.FRAME == type().flush();
    }

    /** The whole room, of which this class is a part. */
    abstract RoomInstance room();

    void frameTimers(final int count)
    {
        frameTimers = count;
        if (0 != count)
        {
            leaveStep();
        }
    }

    long frame()
    {
        return frame + uncounted();
    }

    /** Frames that the group has run and this object has not counted. */
    long uncounted()
    {
        return isInStep ? group.lastN(groupPosition) - gridN : 0;
    }

    long missedFrames()
    {
        return missed;
    }

    /** The current rate, 0 for none. */
    int rateHz()
    {
        return null == group ? 0 : group.rateHz;
    }

    /** Index of the room in its group. */
    void groupPosition(final int position)
    {
        groupPosition = position;
    }

    int groupPosition()
    {
        return groupPosition;
    }

    void requestRate(final int hz)
    {
        requestedHz = hz;
        applyRate();
    }

    /** Switch to the requested rate, or to the type's cap if that is lower. */
    void applyRate()
    {
        final int hz = services.rateCaps.effectiveHz(type(), requestedHz);
        if (hz == rateHz())
        {
            return;
        }

        final boolean wasRunning = null != group;
        stopFrames();
        if (0 != hz)
        {
            final long nowNs = services.time.nowNs();
            group = services.frames.enter(room(), hz, nowNs);
            room().output.onFrames(true);
            gridN = group.grid.lastAt(nowNs);
            if (!wasRunning)
            {
                lastDeadlineNs = nowNs;
            }
        }
        else
        {
            room().output.onFrames(false);
        }
    }

    void stopFrames()
    {
        if (null != group)
        {
            leaveStep();
            group.remove(groupPosition);
            group = null;
        }
    }

    /** Run the frames that are due, up to the group's frame number lastN with its deadline. */
    void runFrames(final PhaseGroup running, final long lastN, final long lastGridDeadlineNs)
    {
        final long due = lastN - gridN;
        if (due <= 0)
        {
            return;
        }

        services.host.touch();
        final int dirtyRooms = services.dirtyRooms.size();
        if (1 == due)
        {
            runFrame(running, lastN, lastGridDeadlineNs, 1);
        }
        else
        {
            catchUp(running, lastN, lastGridDeadlineNs, due);
        }
        if (isFlushedByFrame && isOpen())
        {
            room().flushAndNotify();
        }
        if (running == group)
        {
            running.sender(groupPosition, isFlushedByFrame || services.dirtyRooms.size() != dirtyRooms);
            // If a room stopped its frames and restarted them, it has another time since its last frame.
            if (gridN == lastN && lastDeadlineNs == lastGridDeadlineNs && 0 == frameTimers && !isFlushedByFrame &&
                !room().invoker.hasToFail())
            {
                isInStep = true;
                running.enterStep(groupPosition, identity, room().invoker.logic(), frame);
            }
        }
    }

    /** Count the frames that the group ran, and run the next frame here. */
    void leaveStep()
    {
        if (isInStep)
        {
            final long count = uncounted();
            if (0 != count)
            {
                frame += count;
                gridN += count;
                lastDeadlineNs = group.grid.deadlineNs(gridN);
                room().invoker.addCallbacks(count);
            }
            isInStep = false;
            group.leaveStep(groupPosition);
        }
    }

    /** Carry out the requests of the last callback, before another callback runs. */
    void settleCallback()
    {
        if (services.isUnsettled())
        {
            room().settle();
        }
    }

    void writeFrames(final StateWriter writer)
    {
        writer.putInt(requestedHz);
        writer.putInt(rateHz());
        final long count = uncounted();
        writer.putLong(frame + count);
        writer.putLong(missed);
        writer.putLong(gridN + count);
        writer.putLong(0 == count ? lastDeadlineNs : group.grid.deadlineNs(gridN + count));
    }

    void readFrames(final StateReader reader)
    {
        requestedHz = Restored.inRange(reader.getInt(), 0, Frames.MAX_RATE_HZ, "a frame rate");
        final int hz = reader.getInt();
        Restored.check(services.rateCaps.effectiveHz(type(), requestedHz) == hz, "frames of " + hz + " Hz");
        frame = reader.getLong();
        missed = reader.getLong();
        gridN = reader.getLong();
        lastDeadlineNs = reader.getLong();
        if (0 != hz)
        {
            group = services.frames.enter(room(), hz, services.host.lastTurnNs());
            Restored.check(
                gridN >= -1 && gridN <= group.grid.lastAt(services.host.lastTurnNs()), "frame " + gridN);
            room().output.onFrames(true);
        }
    }

    private void catchUp(
        final PhaseGroup running, final long lastN, final long lastGridDeadlineNs, final long due)
    {
        final int runs = (int)Math.min(due, catchUp);
        missed += due - runs;
        running.onMissed(due - runs);
        for (int i = 1; i < runs && isBehind(running, lastN); i++)
        {
            runFrame(running, gridN + 1, running.grid.deadlineNs(gridN + 1), 1);
        }
        if (isBehind(running, lastN))
        {
            // The last frame spans the skipped ones.
            runFrame(running, lastN, lastGridDeadlineNs, lastN - gridN);
        }
    }

    /** Whether frames are still due. A callback may leave the group, or leave and re-enter it without a due frame. */
    private boolean isBehind(final PhaseGroup running, final long lastN)
    {
        return running == group && gridN < lastN;
    }

    private void runFrame(final PhaseGroup running, final long n, final long deadlineNs, final long step)
    {
        final long elapsedNs = deadlineNs - lastDeadlineNs;
        frame += step;
        gridN = n;
        lastDeadlineNs = deadlineNs;
        running.onFrame();
        if (0 != frameTimers)
        {
            room().timers.fireFrames(frame);
            if (!isOpen())
            {
                return;
            }
        }
        room().invoker.frame(frame, elapsedNs);
        settleCallback();
    }
}
