package io.escapement.engine.internal.edge;

import io.escapement.engine.internal.loop.CommandQueue;
import io.escapement.engine.internal.loop.EngineClock;
import java.security.SecureRandom;

/**
 * The collaborators of an edge.
 *
 * @param policy        concluded options.
 * @param channels      on which trunks connect.
 * @param queues        between the edge and the loops.
 * @param placement     of new rooms.
 * @param counters      of the edge.
 * @param counterCopier copies the engine's counters to the driver's counters file.
 * @param time          of the engine.
 * @param random        secure source of nonces and tokens.
 */
public record EdgeContext(
    EdgePolicy policy,
    TrunkChannels channels,
    Queues queues,
    RoomPlacement placement,
    EdgeCounters counters,
    Runnable counterCopier,
    EngineClock time,
    SecureRandom random)
{
    /**
     * Queues.
     *
     * @param rings     one per loop; the edge is their only producer.
     * @param inboxes   one per loop; many producers.
     * @param edgeInbox read by the edge.
     */
    public record Queues(CommandQueue[] rings, CommandQueue[] inboxes, CommandQueue edgeInbox)
    {
    }
}
