package io.escapement.engine;

import io.escapement.codecs.room.RoomEncoder;
import io.escapement.engine.internal.edge.EdgeAgent;
import io.escapement.engine.internal.loop.LoopAgent;
import io.escapement.engine.internal.loop.LoopCounters;
import io.escapement.engine.internal.queue.CommandQueue;
import io.escapement.engine.internal.queue.ControlSignal;
import io.escapement.engine.internal.queue.EngineClock;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * An orderly stop, in steps that the caller of {@link Engine#drain} polls:
 *
 * <pre>
 *   ROOMS     onDrain of all rooms; until all have closed and services have replied, or the deadline
 *   CLOSING   CloseRoom for the rest; until all have closed, or 5 s
 *   TRUNKS    Goodbye to all trunks; until the edge has released them, or 5 s
 *   DONE
 * </pre>
 *
 * <p>CLOSING and TRUNKS do not wait for a loop that hangs in one turn or has failed.
 */
final class Drain
{
    /** Where a drain is. */
    enum Step
    {
        ROOMS, CLOSING, TRUNKS, DONE
    }

    /** Timeout of steps that need no cooperation of rooms: closing rooms, ending trunks. */
    static final long CLOSING_NS = TimeUnit.SECONDS.toNanos(5);
    /** A longer turn is not expected to complete in time. */
    static final long HUNG_NS = TimeUnit.SECONDS.toNanos(1);

    private static final UnsafeBuffer NOTHING = new UnsafeBuffer(new byte[0]);
    private static final int DRAIN_LENGTH = 64;

    private final EngineQueues queues;
    private final LoopAgent[] loops;
    private final LoopCounters[] counters;
    private final EdgeAgent edge;
    private final EngineClock time;
    private final UnsafeBuffer command = new UnsafeBuffer(new byte[DRAIN_LENGTH]);
    private final int commandLength;
    private final Message toEdge = new Message(ControlSignal.DRAIN, NOTHING, 0, 1);
    private final Message toRooms;
    private final Message toClose;
    private final Message toStop = new Message(ControlSignal.STOP, NOTHING, 0, 1);
    private Step step = Step.ROOMS;
    private long deadlineNs;
    private long hungAtNs;

    Drain(
        final EngineQueues queues,
        final LoopAgent[] loops,
        final LoopCounters[] counters,
        final EdgeAgent edge,
        final EngineClock time,
        final long timeoutNs)
    {
        this.queues = queues;
        this.loops = loops;
        this.counters = counters;
        this.edge = edge;
        this.time = time;
        final long nowNs = time.nowNs();
        deadlineNs = timeoutNs > Long.MAX_VALUE - nowNs ? Long.MAX_VALUE : nowNs + Math.max(0, timeoutNs);
        commandLength = new RoomEncoder().drain(command, 0, deadlineNs);
        toRooms = new Message(ControlSignal.DRAIN_ROOMS, command, commandLength, loops.length);
        toClose = new Message(ControlSignal.CLOSE_ROOMS, NOTHING, 0, loops.length);
    }

    /** Where the drain is. */
    Step step()
    {
        return step;
    }

    /** Advance. Never blocks. Returns whether the drain is done. */
    boolean poll()
    {
        final long nowNs = time.nowNs();
        switch (step)
        {
            case ROOMS ->
            {
                // The edge first: it opens no room after this, so that every room gets onDrain.
                if (toEdge.isSentTo(queues.edgeInbox))
                {
                    toRooms.isSentTo(queues.inboxes);
                }
                advance(areRoomsClosed(nowNs, Long.MAX_VALUE), nowNs, Step.CLOSING);
            }
            case CLOSING ->
            {
                toRooms.isSentTo(queues.inboxes);
                final boolean isSent = toClose.isSentTo(queues.inboxes);
                advance((isSent || isAnyHung(nowNs)) && areRoomsClosed(nowNs, HUNG_NS), nowNs, Step.TRUNKS);
            }
            case TRUNKS ->
            {
                toStop.isSentTo(queues.edgeInbox);
                // Checked twice, because a loop may have sent its last command to a loop that was already checked.
                advance(edge.isStopped() && areLoopsIdle(nowNs) && areLoopsIdle(nowNs) ||
                    isAnyHung(nowNs) && nowNs - hungAtNs >= HUNG_NS, nowNs, Step.DONE);
            }
            default ->
            {
                // Done.
            }
        }
        return Step.DONE == step;
    }

    private void advance(final boolean isOver, final long nowNs, final Step next)
    {
        if (isOver || nowNs >= deadlineNs)
        {
            step = next;
            hungAtNs = nowNs;
            deadlineNs = nowNs + CLOSING_NS;
        }
    }

    /** Whether all rooms have closed and services have replied, in loops that do not hang. */
    private boolean areRoomsClosed(final long nowNs, final long hungNs)
    {
        for (int i = 0; i < loops.length; i++)
        {
            final LoopCounters loop = counters[i];
            if (!isHung(i, nowNs, hungNs) && (!loop.isDraining() || 0 != loop.rooms() || 0 != loop.requests()))
            {
                return false;
            }
        }
        return true;
    }

    /** A loop without trunks takes no part in the edge's stop. It may not have run since the last signal. */
    private boolean areLoopsIdle(final long nowNs)
    {
        for (int i = 0; i < loops.length; i++)
        {
            if (!isHung(i, nowNs, HUNG_NS) && (loops[i].turnSinceNs() >= 0 || 0 != queues.inboxes[i].size()))
            {
                return false;
            }
        }
        return true;
    }

    private boolean isAnyHung(final long nowNs)
    {
        for (int i = 0; i < loops.length; i++)
        {
            if (isHung(i, nowNs, HUNG_NS))
            {
                return true;
            }
        }
        return false;
    }

    private boolean isHung(final int loop, final long nowNs, final long hungNs)
    {
        final long sinceNs = loops[loop].turnSinceNs();
        return null != loops[loop].fault() || sinceNs >= 0 && nowNs - sinceNs >= hungNs;
    }

    /** A signal to one or more queues, each of which gets it once, as soon as it has room. */
    private static final class Message
    {
        private final ControlSignal signal;
        private final UnsafeBuffer buffer;
        private final int length;
        private final boolean[] isSent;

        Message(final ControlSignal signal, final UnsafeBuffer buffer, final int length, final int receivers)
        {
            this.signal = signal;
            this.buffer = buffer;
            this.length = length;
            isSent = new boolean[receivers];
        }

        boolean isSentTo(final CommandQueue... receivers)
        {
            boolean isSentToAll = true;
            for (int i = 0; i < receivers.length; i++)
            {
                isSent[i] = isSent[i] || receivers[i].offer(signal, null, buffer, 0, length);
                isSentToAll &= isSent[i];
            }
            return isSentToAll;
        }
    }
}
