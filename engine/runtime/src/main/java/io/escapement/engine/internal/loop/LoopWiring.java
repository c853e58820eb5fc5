package io.escapement.engine.internal.loop;

import java.util.Map;

/**
 * The queues that a loop reads and writes.
 *
 * @param loop                  its number, the high bits of its rooms' ids.
 * @param ring                  from the edge: what trunks send.
 * @param inboxes               of all loops, its own among them.
 * @param edge                  to the edge.
 * @param workersByServiceIdMap queues of each service's workers.
 */
public record LoopWiring(
    int loop,
    CommandQueue ring,
    CommandQueue[] inboxes,
    CommandQueue edge,
    Map<Integer, CommandQueue[]> workersByServiceIdMap)
{
    /** Most bytes of a command in the ring: the longest payload and what stands before it. */
    public static final int RING_SLOT_LENGTH = 576;

    /** Most bytes of a command in an inbox. */
    public static final int INBOX_SLOT_LENGTH = 2_048;

    CommandQueue inbox()
    {
        return inboxes[loop];
    }
}
