package io.escapement.engine.internal.loop;

import io.escapement.rooms.RoomTask;
import io.escapement.rooms.host.RoomHost;
import org.agrona.concurrent.UnsafeBuffer;

/** A loop that runs each command where it takes it, from the slot of a queue and without a copy. */
public final class MemoryLoopAgent extends LoopAgent
{
    private final RoomHost host;
    private boolean isPrefetching;
    private long prefetchedEnd;

    /**
     * Make a loop and its room host.
     *
     * @param context with all options set.
     */
    public MemoryLoopAgent(final LoopContext context)
    {
        super(context);
        host = new RoomHost(context.host().outputs(outputs).listener(new Listener()));
        outputs.loopState(host.loopState());
    }

    @Override
    public RoomHost host()
    {
        return host;
    }

    @Override
    boolean isWaiting()
    {
        return outputs.isWaiting();
    }

    @Override
    int turn()
    {
        host.beginTurn(nowNs);
        commands += host.runReturns();
        runLocal();
        if (!inbox.isEmpty())
        {
            batchLeft = LoopContext.BATCH_LIMIT;
            inbox.poll(inboxHandler);
        }
        batchLeft = LoopContext.BATCH_LIMIT;
        isPrefetching = host.openRooms() >= RoomHost.PREFETCH_MIN_ROOMS;
        ring.poll(ringHandler);
        flushedNs = 0 == commands ? nowNs : clock.nowNs();
        commandsNs = flushedNs - nowNs;
        final long previousDeadlineNs = deadlineNs;
        deadlineNs = host.endTurn();
        outputs.announce(host);
        if (0 == commands && deadlineNs == previousDeadlineNs)
        {
            // An idle loop holds nothing back. Released packets count as work, since a driver in this thread must
            // still send them.
            return outputs.release();
        }
        onTurn(host);
        return 1 + commands;
    }

    @Override
    void command(final UnsafeBuffer buffer, final int offset, final int length)
    {
        commands++;
        host.onCommand(buffer, offset, length);
    }

    @Override
    void execute(final long roomId, final RoomTask task)
    {
        commands++;
        host.execute(roomId, task);
    }

    @Override
    boolean hasRoom()
    {
        return true;
    }

    @Override
    void onAttach(final LinkAttachment link)
    {
        outputs.attach(link);
    }

    @Override
    void onDetach(final int link)
    {
        outputs.detach(link);
    }

    @Override
    boolean onRing(final CommandQueue.Slot slot, final long sequence, final boolean isEndOfBatch)
    {
        if (isPrefetching && sequence >= prefetchedEnd)
        {
            prefetch(sequence);
        }
        ringCommand(slot);
        return --batchLeft > 0 && (0 != (batchLeft & DEADLINE_CHECK_MASK) || clock.nowNs() < deadlineNs);
    }

    private void runLocal()
    {
        final ByteFifo local = outputs.takeLocal();
        while (!local.isEmpty())
        {
            final int length = local.headBuffer().getInt(local.head());
            command(local.headBuffer(), local.head() + LoopOutputs.LOCAL_HEADER_LENGTH, length);
            local.drop(LoopOutputs.LOCAL_HEADER_LENGTH + length);
        }
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
