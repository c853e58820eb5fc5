package io.escapement.engine.internal.loop;

import com.lmax.disruptor.BusySpinWaitStrategy;
import io.escapement.engine.internal.queue.CommandQueue;
import io.escapement.engine.ledger.HistoryRoom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The queues of an incarnation, and all that a kill ends. */
final class LedgerParts
{
    private static final int RING_SLOTS = 1_024;
    private static final int INBOX_SLOTS = 256;

    final LoopAgent[] agents = new LoopAgent[LedgerRig.LOOPS];
    final CommandQueue[] rings = new CommandQueue[LedgerRig.LOOPS];
    final CommandQueue[] inboxes = new CommandQueue[LedgerRig.LOOPS];
    final CommandQueue edgeInbox = queue();
    final CommandQueue worker = queue();
    final MemoryPublication[][] publications = new MemoryPublication[LedgerRig.CLIENTS][LedgerRig.LOOPS];
    final List<HistoryRoom> made = new ArrayList<>();
    final List<long[]> slow = new ArrayList<>();

    LedgerParts()
    {
        for (int i = 0; i < LedgerRig.LOOPS; i++)
        {
            rings[i] = CommandQueue.singleProducer(
                RING_SLOTS, CommandQueue.RING_SLOT_LENGTH, new BusySpinWaitStrategy());
            inboxes[i] = queue();
        }
    }

    /** By id. */
    Map<Long, HistoryRoom> rooms()
    {
        final Map<Long, HistoryRoom> rooms = new TreeMap<>();
        made.forEach((room) -> rooms.put(room.roomId(), room));
        return rooms;
    }

    private static CommandQueue queue()
    {
        return CommandQueue.multiProducer(INBOX_SLOTS, CommandQueue.INBOX_SLOT_LENGTH, new BusySpinWaitStrategy());
    }
}
