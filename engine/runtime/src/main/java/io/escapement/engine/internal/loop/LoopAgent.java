package io.escapement.engine.internal.loop;

import com.lmax.disruptor.EventPoller;
import io.escapement.codecs.room.LinkDownDecoder;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.rooms.RoomTask;
import io.escapement.rooms.host.RoomHost;
import io.escapement.rooms.output.HostListener;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A loop. Its duty cycle takes commands from the queues, runs the room host for one turn, and sends the output. Other
 * threads share only its queues, counters, measurements and {@link #turnSinceNs()}.
 *
 * <p>A turn runs commands from rooms of the same loop, then from the inbox, then from the ring, each bounded. The turn
 * log keeps that order. If the host keeps a loop state, its returns are the first of them.
 */
public final class LoopAgent implements Agent
{
    /** Commands between two checks whether a frame or timer is due. */
    private static final int DEADLINE_CHECK_MASK = 31;
    /** A loop that has not been idle for this long is loaded, and holds small packets back. */
    private static final long LOADED_NS = 100_000;
    /** With fewer rooms the caches hold them all, and prefetching costs more than it saves. */
    private static final int PREFETCH_MIN_ROOMS = 512;
    /** Time before a deadline at which an idle loop runs an empty turn. */
    static final long WARM_UP_NS = 30_000;
    private static final long BETWEEN_TURNS = -1;

    private final int loop;
    private final LoopCounters counters;
    private final LoopMeasurements measurements;
    private final LoopOutputs outputs;
    private final RoomHost host;
    private final EngineClock clock;
    private final ErrorHandler errorHandler;
    private final CommandQueue ring;
    private final CommandQueue inbox;
    private final EventPoller.Handler<CommandQueue.Slot> inboxHandler = this::onInbox;
    private final EventPoller.Handler<CommandQueue.Slot> ringHandler = this::onRing;
    private final CommandQueue edgeInbox;
    private final LinkDownDecoder linkDown = new LinkDownDecoder();
    private final AtomicLong turnSinceNs = new AtomicLong(BETWEEN_TURNS);
    private volatile Throwable fault;
    private boolean isEdgeNotified;
    private long nowNs;
    private long idleNs;
    private boolean wasBusy;
    private boolean isClosingRooms;
    private boolean isDraining;
    private boolean isPrefetching;
    private long deadlineNs;
    private long warmedForNs;
    private long prefetchedEnd;
    private long flushedNs;
    private long commandsNs;
    private int batchLeft;
    private int commands;
    private long waitingSinceNs;
    private int waitingCommands;

    /**
     * Make a loop and its room host.
     *
     * @param context with all options set.
     */
    public LoopAgent(final LoopContext context)
    {
        loop = context.loop();
        counters = context.counters();
        measurements = context.measurements();
        clock = context.clock();
        errorHandler = context.errorHandler();
        ring = context.ring();
        inbox = context.inbox();
        edgeInbox = context.edgeInbox();
        outputs = new LoopOutputs(context);
        host = new RoomHost(context.host().outputs(outputs).listener(new Listener()));
        outputs.loopState(host.loopState());
    }

    @Override
    public String roleName()
    {
        return "escapement-loop-" + loop;
    }

    @Override
    public int doWork()
    {
        if (null != fault)
        {
            return notifyEdge();
        }
        recordCommands();
        final int moved = outputs.drain();
        final long beforeNs = nowNs;
        nowNs = clock.nowNs();
        if (wasBusy)
        {
            // Includes the other agents of this thread, which take time from the loop too.
            counters.busy(nowNs - beforeNs);
        }
        else
        {
            idleNs = nowNs;
        }
        wasBusy = false;
        if (nowNs < deadlineNs && inbox.isEmpty() && ring.isEmpty() && !outputs.isWaiting() && !isClosingRooms &&
            !warmCaches())
        {
            return moved;
        }
        turnSinceNs.lazySet(nowNs);
        try
        {
            final int done = turn();
            wasBusy = 0 != done;
            turnSinceNs.lazySet(BETWEEN_TURNS);
            return moved + done;
        }
        catch (final Throwable ex)
        {
            end(ex);
            return notifyEdge();
        }
    }

    @Override
    public void onClose()
    {
        if (null == fault)
        {
            recordCommands();
            host.logStateHash();
        }
    }

    /**
     * Why the loop ended by itself. From any thread.
     *
     * @return the cause, or null while it runs.
     */
    public Throwable fault()
    {
        return fault;
    }

    /** Engine time at which the current turn started, negative between turns. From any thread. */
    public long turnSinceNs()
    {
        return turnSinceNs.get();
    }

    /** Engine time of the next frame or timer. Until then the loop has work only if a queue has. */
    public long deadlineNs()
    {
        return deadlineNs;
    }

    /**
     * The largest number of datagrams, beyond the first, that one link was given since the last call. In the loop's
     * thread.
     */
    public int takeDatagrams()
    {
        return outputs.takeDatagrams();
    }

    /** Number of links, threads and rooms for which messages are still queued. Once the loop has ended. */
    public int leftovers()
    {
        return outputs.leftovers();
    }

    /** The room host, for the loop's thread, and for any thread once the loop has ended. */
    public RoomHost host()
    {
        return host;
    }

    /**
     * End the loop. The host stopped in the middle of a turn, so its state cannot be relied on any more. The thread and
     * its other agents go on, so that trunks get a Goodbye.
     */
    private void end(final Throwable cause)
    {
        fault = cause;
        deadlineNs = Long.MAX_VALUE;
        turnSinceNs.lazySet(BETWEEN_TURNS);
        errorHandler.onError(cause);
    }

    /** Ask the edge to end all trunks. Again in the next duty cycle if its inbox is full. */
    private int notifyEdge()
    {
        if (isEdgeNotified)
        {
            return 0;
        }
        isEdgeNotified = edgeInbox.offer(ControlSignal.STOP, null, inbox.block(), 0, 0);
        return isEdgeNotified ? 1 : 0;
    }

    /**
     * Before each deadline, when it is too near for another park, the loop prefetches the rooms whose frames will be
     * due, a few in each duty cycle, and once runs an empty turn. A thread that was parked finds cold caches, and
     * otherwise the frames would warm them.
     */
    private boolean warmCaches()
    {
        final long leftNs = deadlineNs - nowNs;
        if (leftNs > DeadlineIdleStrategy.MAX_SPIN_NS)
        {
            return false;
        }
        host.warmCaches(deadlineNs);
        if (leftNs > WARM_UP_NS || warmedForNs == deadlineNs)
        {
            return false;
        }
        warmedForNs = deadlineNs;
        return true;
    }

    /** Record the previous turn's commands, now that their output has been sent. */
    private void recordCommands()
    {
        if (0 != commands)
        {
            recordWaits();
            measurements.onCommands(commandsNs, commands);
            commands = 0;
        }
    }

    private int turn()
    {
        // An interrupt from outside must not be charged to the room that runs next.
        Thread.interrupted();
        outputs.turnTime(nowNs, nowNs - idleNs > LOADED_NS);
        if (isClosingRooms)
        {
            isClosingRooms = !closeRooms();
        }
        host.beginTurn(nowNs);
        commands += host.runReturns();
        runLocal();
        if (!inbox.isEmpty())
        {
            batchLeft = LoopContext.BATCH_LIMIT;
            inbox.poll(inboxHandler);
        }
        batchLeft = LoopContext.BATCH_LIMIT;
        isPrefetching = host.openRooms() >= PREFETCH_MIN_ROOMS;
        ring.poll(ringHandler);
        flushedNs = 0 == commands ? nowNs : clock.nowNs();
        commandsNs = flushedNs - nowNs;
        final long previousDeadlineNs = deadlineNs;
        deadlineNs = host.endTurn();
        if (outputs.takeMissedDirectory())
        {
            host.announce();
        }
        if (0 == commands && deadlineNs == previousDeadlineNs)
        {
            // An idle loop holds nothing back. Released packets count as work, since a driver in this thread must
            // still send them.
            return outputs.release();
        }
        counters.turn(commands);
        counters.holds(host.openRooms(), host.pendingTimers(), outputs.openRequests(), isDraining);
        return 1 + commands;
    }

    /** Whether every open room has a CloseRoom command. If the queue is full, the next turn continues. */
    private boolean closeRooms()
    {
        for (final long roomId : host.openRoomIds())
        {
            if (!outputs.close(roomId))
            {
                return false;
            }
        }
        return true;
    }

    private void runLocal()
    {
        final ByteFifo local = outputs.takeLocal();
        while (!local.isEmpty())
        {
            final int length = local.buffer().getInt(local.head());
            command(local.buffer(), local.head() + LoopOutputs.LOCAL_HEADER_LENGTH, length);
            local.drop(LoopOutputs.LOCAL_HEADER_LENGTH + length);
        }
    }

    private boolean onRing(final CommandQueue.Slot slot, final long sequence, final boolean isEndOfBatch)
    {
        if (isPrefetching && sequence >= prefetchedEnd)
        {
            prefetch(sequence);
        }
        if (slot.isCommand())
        {
            if (slot.acceptedNs != waitingSinceNs)
            {
                recordWaits();
                waitingSinceNs = slot.acceptedNs;
            }
            waitingCommands++;
            command(ring.block(), slot.offset, slot.length);
        }
        return --batchLeft > 0 && (0 != (batchLeft & DEADLINE_CHECK_MASK) || clock.nowNs() < deadlineNs);
    }

    /** Prefetch the rooms of the next commands, which have left the caches since their last command. */
    private void prefetch(final long sequence)
    {
        prefetchedEnd = Math.min(ring.end(), sequence + RoomHost.PREFETCH_LIMIT);
        for (long i = sequence; i < prefetchedEnd; i++)
        {
            final CommandQueue.Slot slot = ring.peek(i);
            host.prefetch(ring.block(), slot.offset, slot.length);
        }
        host.runPrefetch();
    }

    /** Commands that the edge admitted in one duty cycle have one admission time, and are recorded together. */
    private void recordWaits()
    {
        if (0 != waitingCommands)
        {
            measurements.onWait(nowNs - waitingSinceNs, waitingCommands);
            waitingCommands = 0;
        }
    }

    private boolean onInbox(final CommandQueue.Slot slot, final long sequence, final boolean isEndOfBatch)
    {
        final Object attachment = slot.attachment;
        slot.attachment = null;
        switch (slot.signal())
        {
            case ATTACH ->
            {
                final LinkAttachment link = (LinkAttachment)attachment;
                outputs.attach(link);
            }
            case DETACH ->
            {
                linkDown.wrap(inbox.block(), slot.offset + MessageHeaderDecoder.ENCODED_LENGTH,
                    LinkDownDecoder.BLOCK_LENGTH, LinkDownDecoder.SCHEMA_VERSION);
                outputs.detach(linkDown.link());
            }
            case EXECUTE ->
            {
                host.execute(inbox.block().getLong(slot.offset), (RoomTask)attachment);
                commands++;
                return --batchLeft > 0;
            }
            case CLOSE_ROOMS ->
            {
                isClosingRooms = true;
                return --batchLeft > 0;
            }
            case DRAIN_ROOMS -> isDraining = true;
            case REPLY -> outputs.onReply();
            default ->
            {
            }
        }
        command(inbox.block(), slot.offset, slot.length);
        return --batchLeft > 0;
    }

    private void command(final UnsafeBuffer buffer, final int offset, final int length)
    {
        commands++;
        host.onCommand(buffer, offset, length);
    }

    private final class Listener implements HostListener
    {
        @Override
        public void onFrames(
            final int rateHz, final int phase, final long frameDeadlineNs, final int frames, final int missed)
        {
            final long endNs = clock.nowNs();
            measurements.onFrames(endNs - frameDeadlineNs, endNs - flushedNs, frames, missed);
            counters.frames(frames, endNs - flushedNs);
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
            errorHandler.onError(new RoomFailure(roomId, typeId, callback, cause));
        }

        @Override
        public void onHashFailed(final long roomId, final int typeId, final Throwable cause)
        {
            errorHandler.onError(new IllegalStateException("room " + roomId + " could not hash its state", cause));
        }
    }
}
