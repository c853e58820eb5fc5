package io.escapement.engine.internal.loop;

import com.lmax.disruptor.EventPoller;
import io.escapement.codecs.room.LinkDownDecoder;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.rooms.RoomTask;
import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.host.HostListener;
import io.escapement.rooms.host.RoomHost;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentTerminationException;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A loop: takes commands from its queues, runs its host a turn at a time, and sends what comes of it. Everything here
 * is its thread's alone but the queues.
 *
 * <p>A turn takes what came back from the loop's own rooms, then the inbox, then the ring, each bounded; that order is
 * the order of the log.
 */
public final class LoopAgent implements Agent
{
    /** How often, in commands, a turn looks whether the next frame or timer is due. */
    private static final int DEADLINE_CHECK_MASK = 31;
    /** A loop that has not been idle for this long is loaded, and holds small frames back for a moment. */
    private static final long LOADED_NS = 100_000;
    /** With fewer rooms the cache keeps them all, and to look ahead costs more than it saves. */
    private static final int CROWD = 512;
    static final long REHEARSAL_NS = 30_000;
    private static final long BETWEEN_TURNS = -1;

    private final LoopWiring wiring;
    private final LoopSettings settings;
    private final LoopCounters counters;
    private final LoopRecorder recorder;
    private final LoopOutputs outputs;
    private final RoomHost host;
    private final EngineTime time;
    private final ErrorHandler errorHandler;
    private final CommandQueue ring;
    private final CommandQueue inbox;
    private final EventPoller.Handler<CommandQueue.Slot> inboxHandler = this::onInbox;
    private final EventPoller.Handler<CommandQueue.Slot> ringHandler = this::onRing;
    private final LinkDownDecoder linkDown = new LinkDownDecoder();
    private final AtomicLong turnSinceNs = new AtomicLong(BETWEEN_TURNS);
    private long nowNs;
    private long idleNs;
    private boolean wasBusy;
    private boolean isClosingRooms;
    private boolean isDraining;
    private boolean isCrowded;
    private long deadlineNs;
    private long rehearsedNs;
    private long lookedAheadTo;
    private long flushedNs;
    private long commandsNs;
    private int left;
    private int commands;
    private long waitedSinceNs;
    private int waited;

    /**
     * Make a loop with its host.
     *
     * @param wiring       its queues.
     * @param settings     its limits.
     * @param counters     that it counts with.
     * @param recorder     that it measures with.
     * @param hostContext  its host's; outputs and listener are set here.
     * @param time         of the engine.
     * @param errorHandler told what rooms throw and what ends the loop.
     */
    public LoopAgent(
        final LoopWiring wiring,
        final LoopSettings settings,
        final LoopCounters counters,
        final LoopRecorder recorder,
        final HostContext hostContext,
        final EngineTime time,
        final ErrorHandler errorHandler)
    {
        this.wiring = wiring;
        this.settings = settings;
        this.counters = counters;
        this.recorder = recorder;
        this.time = time;
        this.errorHandler = errorHandler;
        ring = wiring.ring();
        inbox = wiring.inbox();
        outputs = new LoopOutputs(wiring, settings, counters);
        hostContext.outputs(outputs).listener(new Listener());
        host = new RoomHost(hostContext);
    }

    @Override
    public String roleName()
    {
        return "escapement-loop-" + wiring.loop();
    }

    @Override
    public int doWork()
    {
        recordTurn();
        final int moved = outputs.drain();
        final long beforeNs = nowNs;
        nowNs = time.nowNs();
        if (wasBusy)
        {
            // What else ran in this thread since the last turn was on this loop's account, or nobody's.
            counters.busy(nowNs - beforeNs);
        }
        else
        {
            idleNs = nowNs;
        }
        wasBusy = false;
        if (nowNs < deadlineNs && inbox.isEmpty() && ring.isEmpty() && !outputs.isWaiting() && !isClosingRooms &&
            !rehearse())
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
            // The host is half way through a turn: nothing it would do from here on could be relied on.
            errorHandler.onError(ex);
            throw new AgentTerminationException(ex);
        }
    }

    @Override
    public void onClose()
    {
        recordTurn();
        if (turnSinceNs.get() == BETWEEN_TURNS)
        {
            host.logStateHash();
        }
    }

    /**
     * Since when the loop has been in the turn that it is in, for a watchdog. From any thread.
     *
     * @return engine time, negative between turns.
     */
    public long turnSinceNs()
    {
        return turnSinceNs.get();
    }

    /**
     * Until when the loop has nothing to do unless something comes in.
     *
     * @return engine time.
     */
    public long deadlineNs()
    {
        return deadlineNs;
    }

    /**
     * How many datagrams, beyond the first, the driver has to let out for the most talkative link since this was last
     * asked. In the loop's thread.
     *
     * @return the number.
     */
    public int takeDatagrams()
    {
        return outputs.takeDatagrams();
    }

    /**
     * What has not been handed on, for anybody once the loop has ended.
     *
     * @return the number of messages for links, other threads and the loop's own rooms.
     */
    public int leftovers()
    {
        return outputs.leftovers();
    }

    /**
     * The host, for the loop's thread, or for anybody once the loop has ended.
     *
     * @return the host.
     */
    public RoomHost host()
    {
        return host;
    }

    /**
     * Once before each deadline, so near to it that nobody parks any more, the loop takes a turn in which nothing is
     * due. A thread that has slept comes back to cold caches; this way it is not the frames that warm them.
     */
    private boolean rehearse()
    {
        if (deadlineNs - nowNs > REHEARSAL_NS || rehearsedNs == deadlineNs)
        {
            return false;
        }
        rehearsedNs = deadlineNs;
        host.lookAhead(deadlineNs);
        return true;
    }

    /** What the last turn's commands took. Told when its output is on its way, which should not wait for that. */
    private void recordTurn()
    {
        if (0 != commands)
        {
            recordWaits();
            recorder.commands(commandsNs, commands);
            commands = 0;
        }
    }

    private int turn()
    {
        outputs.turnTime(nowNs, nowNs - idleNs > LOADED_NS);
        if (isClosingRooms)
        {
            isClosingRooms = !closeRooms();
        }
        host.beginTurn(nowNs);
        runLocal();
        if (!inbox.isEmpty())
        {
            left = settings.inboxBatch();
            inbox.poll(inboxHandler);
        }
        left = settings.ringBatch();
        isCrowded = host.openRooms() >= CROWD;
        ring.poll(ringHandler);
        flushedNs = 0 == commands ? nowNs : time.nowNs();
        commandsNs = flushedNs - nowNs;
        final long wasDueNs = deadlineNs;
        deadlineNs = host.endTurn();
        if (outputs.takeMissedDirectory())
        {
            host.announce();
        }
        if (0 == commands && deadlineNs == wasDueNs)
        {
            // With nothing else to do there is no reason to hold anything back. A driver in this thread still has to
            // let it out, so that counts as work.
            return outputs.release();
        }
        counters.turn(commands);
        counters.holds(host.openRooms(), host.pendingTimers(), outputs.openRequests(), isDraining);
        return 1 + commands;
    }

    /** Whether every room was told; otherwise there was no place for more, and the rest is told next turn. */
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
        if (isCrowded && sequence >= lookedAheadTo)
        {
            lookAhead(sequence);
        }
        if (CommandQueue.COMMAND == slot.kind)
        {
            if (slot.acceptedNs != waitedSinceNs)
            {
                recordWaits();
                waitedSinceNs = slot.acceptedNs;
            }
            waited++;
            command(ring.block(), slot.offset, slot.length);
        }
        return --left > 0 && (0 != (left & DEADLINE_CHECK_MASK) || time.nowNs() < deadlineNs);
    }

    /** In a crowd the next commands are for rooms that have left the cache since they were last called. */
    private void lookAhead(final long sequence)
    {
        lookedAheadTo = Math.min(ring.end(), sequence + RoomHost.EXPECTED_LIMIT);
        for (long i = sequence; i < lookedAheadTo; i++)
        {
            final CommandQueue.Slot slot = ring.peek(i);
            host.expect(ring.block(), slot.offset, slot.length);
        }
        host.lookAhead();
    }

    /** What the edge let in at one time has waited equally long, and is recorded at once. */
    private void recordWaits()
    {
        if (0 != waited)
        {
            recorder.waited(nowNs - waitedSinceNs, waited);
            waited = 0;
        }
    }

    private boolean onInbox(final CommandQueue.Slot slot, final long sequence, final boolean isEndOfBatch)
    {
        final Object attachment = slot.attachment;
        slot.attachment = null;
        switch (slot.kind)
        {
            case ControlSignal.ATTACH ->
            {
                final LinkAttachment link = (LinkAttachment)attachment;
                outputs.attach(link.link(), link.publication());
            }
            case ControlSignal.DETACH ->
            {
                linkDown.wrap(inbox.block(), slot.offset + MessageHeaderDecoder.ENCODED_LENGTH,
                    LinkDownDecoder.BLOCK_LENGTH, LinkDownDecoder.SCHEMA_VERSION);
                outputs.detach(linkDown.link());
            }
            case ControlSignal.EXECUTE ->
            {
                host.execute(inbox.block().getLong(slot.offset), (RoomTask)attachment);
                commands++;
                return --left > 0;
            }
            case ControlSignal.CLOSE_ROOMS ->
            {
                isClosingRooms = true;
                return --left > 0;
            }
            case ControlSignal.DRAIN_ROOMS -> isDraining = true;
            case ControlSignal.REPLY -> outputs.replied();
            default ->
            {
            }
        }
        command(inbox.block(), slot.offset, slot.length);
        return --left > 0;
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
            final long endNs = time.nowNs();
            recorder.frames(endNs - frameDeadlineNs, endNs - flushedNs, frames, missed);
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
            counters.counted(counterId, delta);
        }

        @Override
        public void onOpenRefused(final long roomId, final int code)
        {
            outputs.notOpened(roomId);
        }

        @Override
        public void onRoomFailed(final long roomId, final int typeId, final long callback, final Throwable cause)
        {
            counters.roomFailed();
            errorHandler.onError(new RoomFailure(roomId, typeId, callback, cause));
        }
    }
}
