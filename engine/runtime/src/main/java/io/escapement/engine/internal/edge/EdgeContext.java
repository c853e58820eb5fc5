package io.escapement.engine.internal.edge;

import io.escapement.engine.internal.loop.CommandQueue;
import io.escapement.engine.internal.loop.EngineClock;
import java.security.SecureRandom;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.agrona.ErrorHandler;

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
 * @param logInExecutor of the calls of the log-in service.
 * @param errorHandler  receives what an authenticator or a log-in service throws.
 * @param warnings      receives a line for the operator now and then. Must not block.
 */
public record EdgeContext(
    EdgePolicy policy,
    TrunkChannels channels,
    Queues queues,
    RoomPlacement placement,
    EdgeCounters counters,
    Runnable counterCopier,
    EngineClock time,
    SecureRandom random,
    Executor logInExecutor,
    ErrorHandler errorHandler,
    Consumer<String> warnings)
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
