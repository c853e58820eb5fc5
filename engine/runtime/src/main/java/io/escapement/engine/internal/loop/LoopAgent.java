package io.escapement.engine.internal.loop;

import com.lmax.disruptor.EventPoller;
import io.escapement.codecs.Codes;
import io.escapement.codecs.room.LinkDownDecoder;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.trunk.TrunkCode;
import io.escapement.engine.monitor.LinkReport;
import io.escapement.rooms.RoomTask;
import io.escapement.rooms.host.RoomHost;
import io.escapement.rooms.output.HostListener;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A loop. Its duty cycle takes commands from the queues, runs the room host for one turn, and sends the output. Other
 * threads share only its queues, counters, measurements and {@link #turnSinceNs()}.
 *
 * <p>A turn takes commands from rooms of the same loop, then from the inbox, then from the ring, each bounded. The log
 * keeps that order. If the host keeps a loop state, its returns are the first of them. {@link MemoryLoopAgent} runs a
 * command where it takes it; {@link DurableLoopAgent} proposes the turn first.
 */
public abstract class LoopAgent implements Agent
{
    /** A loop that has not been idle for this long is loaded, and holds small packets back. */
    private static final long LOADED_NS = 100_000;
    private static final long SECOND_NS = 1_000_000_000;
    /** Commands between two checks whether a frame or timer is due. */
    static final int DEADLINE_CHECK_MASK = 31;
    /** Time before a deadline at which an idle loop runs an empty turn. */
    static final long WARM_UP_NS = 30_000;
    private static final long BETWEEN_TURNS = -1;
    private static final long NEVER_BLOCKED = -1;

    final LoopCounters counters;
    final LoopOutputs outputs;
    final EngineClock clock;
    final ErrorHandler errorHandler;
    final CommandQueue ring;
    final CommandQueue inbox;
    final CommandQueue edgeInbox;
    final EventPoller.Handler<CommandQueue.Slot> inboxHandler = this::onInbox;
    final EventPoller.Handler<CommandQueue.Slot> ringHandler = this::onRing;
    /** Engine time of the duty cycle. */
    long nowNs;
    /** Engine time of the next frame or timer. */
    long deadlineNs;
    /** Host time minus engine time. */
    long hostOffsetNs;
    /** When the commands of the turn had run, or the last frames. */
    long flushedNs;
    long commandsNs;
    /** Commands that the poll of a queue may still take. */
    int batchLeft;
    int commands;
    boolean isDraining;
    private final int loop;
    final LoopMeasurements measurements;
    final ProgramQuestions questions;
    private final LinkDownDecoder linkDown = new LinkDownDecoder();
    private final AtomicLong turnSinceNs = new AtomicLong(BETWEEN_TURNS);
    private volatile Throwable fault;
    private boolean isEdgeNotified;
    private long idleNs;
    private boolean wasBusy;
    private boolean isClosingRooms;
    /** When the present second began, and its longest turn so far. */
    private long secondNs;
    private long longestTurnNs;
    private long warmedForNs;
    private long waitingSinceNs;
    private int waitingCommands;
    /** Closures that read the loop, one in each duty cycle. The inbox limits their number. */
    private final ArrayDeque<Consumer<LoopAgent>> inspections = new ArrayDeque<>();
    /** One after another, each over several turns. The inbox limits their number. */
    private final ArrayDeque<LoopReload> reloads = new ArrayDeque<>();

    LoopAgent(final LoopContext context)
    {
        loop = context.loop();
        counters = context.counters();
        measurements = context.measurements();
        questions = context.questions();
        clock = context.clock();
        errorHandler = context.errorHandler();
        ring = context.ring();
        inbox = context.inbox();
        edgeInbox = context.edgeInbox();
        outputs = new LoopOutputs(context);
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
        final long beforeNs = nowNs;
        nowNs = clock.nowNs();
        if (wasBusy)
        {
            // Includes the other agents of this thread, which take time from the loop too.
            counters.busy(nowNs - beforeNs);
            longestTurnNs = Math.max(longestTurnNs, nowNs - beforeNs);
        }
        else
        {
            idleNs = nowNs;
        }
        wasBusy = false;
        if (nowNs - secondNs >= SECOND_NS)
        {
            counters.longestTurn(longestTurnNs);
            secondNs = nowNs;
            longestTurnNs = 0;
        }
        if (nowNs < deadlineNs && inbox.isEmpty() && ring.isEmpty() && !isWaiting() && !isClosingRooms &&
            inspections.isEmpty() && reloads.isEmpty() && !warmCaches())
        {
            return outputs.drain();
        }
        turnSinceNs.lazySet(nowNs);
        try
        {
            // An interrupt from outside must not be charged to the room that runs next.
            Thread.interrupted();
            outputs.turnTime(nowNs, nowNs - idleNs > LOADED_NS);
            if (isClosingRooms)
            {
                isClosingRooms = !closeRooms();
            }
            if (!inspections.isEmpty())
            {
                inspect();
            }
            if (!reloads.isEmpty() && reloads.peek().step(host(), outputs))
            {
                reloads.remove();
            }
            final int done = turn();
            wasBusy = 0 != done;
            turnSinceNs.lazySet(BETWEEN_TURNS);
            // After the turn, so that another loop runs what its rooms sent without waiting for the next duty cycle.
            return done + outputs.drain();
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
        abandonReloads("the engine was closed");
        if (null == fault)
        {
            recordCommands();
        }
    }

    /** Complete the reloads that have not ended, whose commands may not run. */
    final void abandonReloads(final String reason)
    {
        for (LoopReload reload = reloads.poll(); null != reload; reload = reloads.poll())
        {
            reload.abandon(reason);
        }
    }

    /** Run a turn if there is work. Returns the work done. */
    abstract int turn();

    /** Take a command of the turn. */
    abstract void command(UnsafeBuffer buffer, int offset, int length);

    /** Whether a turn is needed besides for a deadline and for the queues. */
    abstract boolean isWaiting();

    /** Take a closure. */
    abstract void execute(long roomId, RoomTask task);

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

    /** Engine time since which the log has had no room for a turn, negative if it has. From any thread. */
    public long blockedSinceNs()
    {
        return NEVER_BLOCKED;
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

    /** Whether no other queue than the ring and the inbox has something for the loop. */
    public boolean isLogEmpty()
    {
        return true;
    }

    /** Reports of all trunks that are attached. In the loop's thread, from an inspection. */
    public List<LinkReport> links()
    {
        final List<LinkReport> reports = new ArrayList<>();
        outputs.report(host(), reports);
        return reports;
    }

    /** The room host, for the loop's thread, and for any thread once the loop has ended. */
    public abstract RoomHost host();

    /**
     * End the loop. The host stopped in the middle of a turn, so its state cannot be relied on any more. The thread and
     * its other agents go on, so that trunks get a Goodbye.
     */
    private void end(final Throwable cause)
    {
        fault = cause;
        abandonReloads("the loop has ended by a fault");
        questions.close(TrunkCode.ENGINE_STOPPING.value());
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
        host().warmCaches(deadlineNs + hostOffsetNs);
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

    /** A turn has run: publish its counts. */
    final void onTurn(final RoomHost host)
    {
        counters.turn(commands);
        counters.holds(host.openRooms(), host.pendingTimers(), outputs.openRequests(), isDraining);
    }

    /** Whether every open room has a CloseRoom command. If the queue is full, the next turn continues. */
    private boolean closeRooms()
    {
        for (final long roomId : host().openRoomIds())
        {
            if (!outputs.close(roomId))
            {
                return false;
            }
        }
        return true;
    }

    /** Run a closure that reads the loop. It runs no room, so its failure ends nothing. */
    private void inspect()
    {
        try
        {
            inspections.poll().accept(this);
        }
        catch (final RuntimeException ex)
        {
            errorHandler.onError(ex);
        }
    }

    /** Take a slot of the ring. Returns whether to take another. */
    abstract boolean onRing(CommandQueue.Slot slot, long sequence, boolean isEndOfBatch);

    /** Take the command of a slot of the ring. */
    final void ringCommand(final CommandQueue.Slot slot)
    {
        if (slot.isCommand())
        {
            if (slot.acceptedNs() != waitingSinceNs)
            {
                recordWaits();
                waitingSinceNs = slot.acceptedNs();
            }
            waitingCommands++;
            command(ring.block(), slot.offset, slot.length());
        }
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
        takeSlot(slot);
        return --batchLeft > 0 && hasRoom();
    }

    /** Whether the turn can take another command. */
    abstract boolean hasRoom();

    /** A link is attached or detached by the command that follows. */
    abstract void onAttach(LinkAttachment link);

    abstract void onDetach(int link);

    private void takeSlot(final CommandQueue.Slot slot)
    {
        final Object attachment = slot.takeAttachment();
        switch (slot.signal())
        {
            case ATTACH ->
            {
                onAttach((LinkAttachment)attachment);
            }
            case DETACH ->
            {
                linkDown.wrap(inbox.block(), slot.offset + MessageHeaderDecoder.ENCODED_LENGTH,
                    LinkDownDecoder.BLOCK_LENGTH, LinkDownDecoder.SCHEMA_VERSION);
                onDetach(linkDown.link());
            }
            case EXECUTE ->
            {
                execute(inbox.block().getLong(slot.offset), (RoomTask)attachment);
                return;
            }
            case CLOSE_ROOMS ->
            {
                isClosingRooms = true;
                return;
            }
            case INSPECT ->
            {
                @SuppressWarnings("unchecked")
                final Consumer<LoopAgent> inspection = (Consumer<LoopAgent>)attachment;
                inspections.add(inspection);
                return;
            }
            case RELOAD ->
            {
                reloads.add((LoopReload)attachment);
                return;
            }
            case DRAIN_ROOMS -> isDraining = true;
            case REPLY -> outputs.onReply();
            case COMMAND ->
            {
                // Runs below, as the commands of the other signals do.
            }
            default -> throw new IllegalStateException("no signal to a loop: " + slot.signal());
        }
        command(inbox.block(), slot.offset, slot.length());
    }

    /** Counts, measures and reports the events of the host. */
    final class Listener implements HostListener
    {
        @Override
        public void onFrames(
            final int rateHz, final int phase, final long frameDeadlineNs, final int frames, final int missed)
        {
            final long endNs = clock.nowNs();
            measurements.onFrames(endNs + hostOffsetNs - frameDeadlineNs, endNs - flushedNs, frames, missed);
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
            errorHandler.onError(new RoomFailure(roomId, typeId, callback, cause));
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
            errorHandler.onError(new RoomFailure(roomId, typeId, callback, cause));
        }

        @Override
        public void onHashFailed(final long roomId, final int typeId, final Throwable cause)
        {
            errorHandler.onError(new IllegalStateException("room " + roomId + " could not hash its state", cause));
        }
    }
}
