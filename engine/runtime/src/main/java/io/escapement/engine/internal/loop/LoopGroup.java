package io.escapement.engine.internal.loop;

import io.escapement.engine.internal.durable.ReplicaLog;
import org.agrona.concurrent.EpochClock;

/**
 * A loop's place among the loops of other nodes, which run the same log.
 *
 * @param log       of the whole group. Its maker closes it when the loop's thread has exited.
 * @param memberId  number of this node.
 * @param snapshots that the loop asks for while it leads.
 * @param wallClock for the epoch of an incarnation.
 */
public record LoopGroup(ReplicaLog log, int memberId, SnapshotRequests snapshots, EpochClock wallClock)
{
}
