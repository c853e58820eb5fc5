package io.escapement.engine.internal.loop;

import io.escapement.codecs.Codes;
import io.escapement.engine.internal.queue.EngineClock;
import io.escapement.rooms.host.RoomHost;
import io.escapement.rooms.output.HostListener;
import java.util.Queue;
import org.agrona.ErrorHandler;

/** Counts, measures and reports the work of a loop and its host. In the loop's thread. */
final class LoopEvents implements HostListener
{
    private static final long SECOND_NS = 1_000_000_000;

    private final LoopCounters counters;
    private final LoopMeasurements measurements;
    private final LoopOutputs outputs;
    private final EngineClock clock;
    private final ErrorHandler errorHandler;
    private final Queue<LoopReload> reloads;
    private final LateFrame lateFrame;
    private final LongTurn longTurn;
    private long nowNs;
    private long hostOffsetNs;
    private int commands;
    private int frames;
    private long commandsNs;
    /** When the commands of the turn had run, or the last frames. */
    private long flushedNs;
    private long waitingSinceNs;
    private int waiting;
    private boolean isDraining;
    /** Start of the present second, and its longest turn so far. */
    private long secondNs;
    private long longestTurnNs;

    LoopEvents(final LoopContext context, final LoopOutputs outputs, final Queue<LoopReload> reloads)
    {
        this.outputs = outputs;
        this.reloads = reloads;
        counters = context.counters();
        measurements = context.measurements();
        clock = context.clock();
        errorHandler = context.errorHandler();
        lateFrame = new LateFrame(context.loop());
        longTurn = new LongTurn(context.loop());
    }

    /** Begin a duty cycle. Time that a loop was busy includes the other agents of its thread. */
    void cycle(final long cycleNs, final boolean wasBusy)
    {
        longTurn.onCycle(wasBusy, commands, frames);
        frames = 0;
        recordCommands();
        if (wasBusy)
        {
            counters.busy(cycleNs - nowNs);
            longestTurnNs = Math.max(longestTurnNs, cycleNs - nowNs);
        }
        nowNs = cycleNs;
        if (nowNs - secondNs >= SECOND_NS)
        {
            counters.longestTurn(longestTurnNs);
            secondNs = nowNs;
            longestTurnNs = 0;
        }
    }

    /** Host time minus engine time. */
    long hostOffsetNs()
    {
        return hostOffsetNs;
    }

    void hostOffsetNs(final long value)
    {
        hostOffsetNs = value;
    }

    void draining()
    {
        isDraining = true;
    }

    /** A command of the ring was taken. Commands that the edge admitted in one duty cycle are recorded together. */
    void onTaken(final long acceptedNs)
    {
        if (acceptedNs != waitingSinceNs)
        {
            recordWaits();
            waitingSinceNs = acceptedNs;
        }
        waiting++;
    }

    /** Commands run in this duty cycle. */
    void commands(final int count)
    {
        commands += count;
    }

    /** Number of commands that have run in this duty cycle. */
    int commands()
    {
        return commands;
    }

    /** The commands of a turn have run. Returns how many have run in this duty cycle. */
    int onCommandsRun()
    {
        flushedNs = 0 == commands ? nowNs : clock.nowNs();
        commandsNs = flushedNs - nowNs;
        return commands;
    }

    /** Turns have run in this duty cycle. */
    void onTurn(final RoomHost host)
    {
        counters.turn(commands);
        counters.holds(host.openRooms(), host.pendingTimers(), outputs.openRequests(), isDraining);
    }

    /** Record the commands of the last duty cycle, now that their output has been sent. */
    void recordCommands()
    {
        if (0 != commands)
        {
            recordWaits();
            measurements.onCommands(commandsNs, commands);
            commands = 0;
        }
    }

    private void recordWaits()
    {
        if (0 != waiting)
        {
            measurements.onWait(nowNs - waitingSinceNs, waiting);
            waiting = 0;
        }
    }

    @Override
    public void onFrames(
        final int rateHz, final int phase, final long frameDeadlineNs, final int ran, final int missed)
    {
        final long endNs = clock.nowNs();
        final long latenessNs = endNs + hostOffsetNs - frameDeadlineNs;
        final long workNs = endNs - flushedNs;
        measurements.onFrames(latenessNs, workNs, ran, missed);
        lateFrame.onFrames(rateHz, phase, latenessNs, workNs, ran, missed);
        counters.frames(ran, workNs);
        frames += ran;
        flushedNs = endNs;
        if (0 != missed)
        {
            counters.framesMissed(missed);
        }
    }

    @Override
    public void onRefused(final int code)
    {
        counters.refused(code);
    }

    @Override
    public void onAccepted(
        final int link, final long roomId, final int seatIndex, final int generation, final long sequence)
    {
        outputs.accepted(link, roomId, seatIndex, generation, sequence);
    }

    @Override
    public void onCount(final long roomId, final int counterId, final long delta)
    {
        counters.add(counterId, delta);
    }

    @Override
    public void onOpenRefused(final long roomId, final int code)
    {
        outputs.onOpenRefused(roomId);
    }

    @Override
    public void onRoomFailed(final long roomId, final int typeId, final long callback, final Throwable cause)
    {
        counters.roomFailed();
        errorHandler.onError(new RoomFailure(roomId, typeId, callback, true, cause));
    }

    @Override
    public void onReload(
        final long roomId,
        final int typeId,
        final int fromVersion,
        final int toVersion,
        final int code,
        final Throwable cause)
    {
        if (!reloads.isEmpty())
        {
            reloads.peek().onReload(roomId, typeId, fromVersion, toVersion, code, cause);
        }
        if (0 == code && 0 != roomId)
        {
            counters.roomReloaded();
        }
        else if (null != cause)
        {
            errorHandler.onError(new IllegalStateException("room " + roomId + " of type " + typeId +
                " goes on with version " + fromVersion + ", because version " + toVersion +
                " could not take it over: " + Codes.nameOf(code), cause));
        }
    }

    @Override
    public void onRoomError(final long roomId, final int typeId, final long callback, final Throwable cause)
    {
        counters.roomError();
        errorHandler.onError(new RoomFailure(roomId, typeId, callback, false, cause));
    }

    @Override
    public void onHashFailed(final long roomId, final int typeId, final Throwable cause)
    {
        errorHandler.onError(new IllegalStateException("room " + roomId + " could not hash its state", cause));
    }
}
