package io.escapement.engine.internal.loop;

import io.escapement.engine.internal.queue.CommandQueue;
import io.escapement.rooms.RoomTask;
import io.escapement.rooms.host.RoomHost;
import io.escapement.rooms.log.ProposalReader;
import io.escapement.rooms.log.ProposalWriter;
import org.agrona.DirectBuffer;

/**
 * Turns without a log: each command runs in the slot of its queue, without a copy. A turn takes as many commands as
 * would fit a proposal. It is therefore the same turn as with a log.
 */
final class InPlaceTurns implements Turns
{
    private final RoomHost host;
    private final LoopOutputs outputs;
    private final LoopEvents events;
    private final CommandQueue ring;
    /** Of the proposal that the commands of the turn would make. */
    private int length;
    private long deadlineNs;
    private boolean isPrefetching;
    private long prefetchedEnd;

    InPlaceTurns(final LoopContext context, final LoopOutputs outputs, final LoopEvents events)
    {
        host = new RoomHost(context.host().outputs(outputs).listener(events));
        this.outputs = outputs;
        this.events = events;
        ring = context.ring();
    }

    @Override
    public RoomHost host()
    {
        return host;
    }

    @Override
    public boolean begin(final long nowNs)
    {
        host.beginTurn(nowNs);
        length = ProposalReader.HEADER_LENGTH;
        for (int left = host.loopState().returns(); left > 0 && hasRoom(RETURNS); left--)
        {
            length += ProposalReader.entryLength(host.runReturn());
            events.commands(1);
        }
        isPrefetching = host.openRooms() >= RoomHost.PREFETCH_MIN_ROOMS;
        return true;
    }

    @Override
    public boolean hasRoom(final int sixteenths)
    {
        return ProposalWriter.hasRoom(length, ProposalWriter.MAX_LENGTH * sixteenths / WHOLE);
    }

    @Override
    public void command(final DirectBuffer buffer, final int offset, final int commandLength)
    {
        events.commands(1);
        length += ProposalReader.entryLength(commandLength);
        host.onCommand(buffer, offset, commandLength);
    }

    @Override
    public void execute(final long roomId, final RoomTask task)
    {
        events.commands(1);
        host.execute(roomId, task);
    }

    @Override
    public void beforeRing(final long sequence)
    {
        if (isPrefetching && sequence >= prefetchedEnd)
        {
            prefetch(sequence);
        }
    }

    @Override
    public void attach(final LinkAttachment link)
    {
        outputs.attach(link);
    }

    @Override
    public void detach(final int link)
    {
        outputs.detach(link);
    }

    @Override
    public int end()
    {
        final int commands = events.onCommandsRun();
        final long previousDeadlineNs = deadlineNs;
        deadlineNs = host.endTurn();
        if (0 == commands && deadlineNs == previousDeadlineNs)
        {
            // An idle loop holds back no packets. Released packets count as work, because a driver in this thread must
            // still send them.
            return outputs.release();
        }
        events.onTurn(host);
        return 1 + commands;
    }

    @Override
    public boolean isWaiting()
    {
        return 0 != host.loopState().returns();
    }

    @Override
    public long deadlineNs()
    {
        return deadlineNs;
    }

    /** Prefetch the rooms of the next commands, which have left the caches since their last command. */
    private void prefetch(final long sequence)
    {
        prefetchedEnd = Math.min(ring.end(), sequence + RoomHost.PREFETCH_LIMIT);
        for (long i = sequence; i < prefetchedEnd; i++)
        {
            final CommandQueue.Slot slot = ring.peek(i);
            host.prefetch(ring.block(), slot.offset, slot.length());
        }
        host.runPrefetch();
    }
}
