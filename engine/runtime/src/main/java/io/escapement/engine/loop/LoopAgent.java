package io.escapement.engine.loop;

import com.lmax.disruptor.EventPoller;
import io.escapement.codecs.room.LinkDownDecoder;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.rooms.RoomTask;
import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.host.HostListener;
import io.escapement.rooms.host.RoomHost;
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
    private long nowNs;
    private long deadlineNs;
    private long flushedNs;
    private int left;
    private int commands;
    private boolean isRunning = true;

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
        host = new RoomHost(hostContext.outputs(outputs).listener(new Listener()));
    }

    @Override
    public String roleName()
    {
        return "escapement-loop-" + wiring.loop();
    }

    @Override
    public int doWork()
    {
        final int moved = outputs.drain();
        nowNs = time.nowNs();
        if (nowNs < deadlineNs && inbox.isEmpty() && ring.isEmpty() && !outputs.isWaiting())
        {
            return moved;
        }
        try
        {
            return moved + turn();
        }
        catch (final Throwable ex)
        {
            // The host is half way through a turn: nothing it would do from here on could be relied on.
            isRunning = false;
            errorHandler.onError(ex);
            throw new AgentTerminationException(ex);
        }
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
     * The host, for the loop's thread, or for anybody once the loop has ended.
     *
     * @return the host.
     */
    public RoomHost host()
    {
        return host;
    }

    private int turn()
    {
        commands = 0;
        outputs.turnTime(nowNs);
        host.beginTurn(nowNs);
        runLocal();
        if (!inbox.isEmpty())
        {
            left = settings.inboxBatch();
            inbox.poll(inboxHandler);
        }
        left = settings.ringBatch();
        ring.poll(ringHandler);
        if (0 != commands)
        {
            flushedNs = time.nowNs();
            recorder.commands(flushedNs - nowNs, commands);
        }
        else
        {
            flushedNs = nowNs;
        }
        final long wasDueNs = deadlineNs;
        deadlineNs = host.endTurn();
        if (outputs.takeMissedDirectory())
        {
            host.announce();
        }
        if (0 == commands && deadlineNs == wasDueNs)
        {
            return 0;
        }
        counters.turn(commands);
        return 1 + commands;
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
        if (CommandQueue.COMMAND == slot.kind)
        {
            recorder.waited(nowNs - slot.acceptedNs);
            command(ring.block(), slot.offset, slot.length);
        }
        return --left > 0 && (0 != (left & DEADLINE_CHECK_MASK) || time.nowNs() < deadlineNs);
    }

    private boolean onInbox(final CommandQueue.Slot slot, final long sequence, final boolean isEndOfBatch)
    {
        final Object attachment = slot.attachment;
        slot.attachment = null;
        switch (slot.kind)
        {
            case Notice.ATTACH ->
            {
                final LinkAttachment link = (LinkAttachment)attachment;
                outputs.attach(link.link(), link.publication());
            }
            case Notice.DETACH ->
            {
                linkDown.wrap(inbox.block(), slot.offset + MessageHeaderDecoder.ENCODED_LENGTH,
                    LinkDownDecoder.BLOCK_LENGTH, LinkDownDecoder.SCHEMA_VERSION);
                outputs.detach(linkDown.link());
            }
            case Notice.EXECUTE ->
            {
                host.execute(inbox.block().getLong(slot.offset), (RoomTask)attachment);
                commands++;
                return --left > 0;
            }
            case Notice.REPLY -> outputs.replied();
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
        if (0 != host.onCommand(buffer, offset, length))
        {
            counters.refused();
        }
    }

    private final class Listener implements HostListener
    {
        @Override
        public void onFrames(
            final int rateHz, final int phase, final long frameDeadlineNs, final int frames, final int missed)
        {
            final long endNs = time.nowNs();
            recorder.frames(endNs - frameDeadlineNs, endNs - flushedNs, frames, missed);
            flushedNs = endNs;
            if (0 != missed)
            {
                counters.framesMissed(missed);
            }
        }

        @Override
        public void onRoomFailed(final long roomId, final int typeId, final long callback, final Throwable cause)
        {
            counters.roomFailed();
            errorHandler.onError(new RoomFailure(roomId, typeId, callback, cause));
        }
    }
}
