package io.escapement.engine.internal.edge;

import io.escapement.engine.internal.queue.CommandQueue;
import io.escapement.engine.internal.queue.EngineClock;
import io.escapement.engine.trunks.TrunkServerContext;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.agrona.ErrorHandler;

/**
 * The collaborators of an edge.
 *
 * @param trunks        concluded options of trunks.
 * @param queues        between the edge and the loops.
 * @param placement     of new rooms.
 * @param counters      of the edge.
 * @param counterCopier copies the engine's counters to the driver's counters file.
 * @param time          of the engine.
 * @param random        secure source of nonces.
 * @param keys          that sign the tokens of trunks and players.
 * @param executors     of the application's code.
 * @param errorHandler  receives exceptions of authenticators and log-in services.
 * @param warnings      receives a line for the operator now and then. Must not block.
 * @param epochNs       wall-clock time of engine time 0.
 */
public record EdgeContext(
    TrunkServerContext trunks,
    Queues queues,
    RoomPlacement placement,
    EdgeCounters counters,
    Runnable counterCopier,
    EngineClock time,
    SecureRandom random,
    TokenKeys keys,
    Executors executors,
    ErrorHandler errorHandler,
    Consumer<String> warnings,
    long epochNs)
{
    /**
     * A trunk of the last incarnation.
     *
     * @param id    of it.
     * @param link  its number in every loop.
     * @param loops that know the link as this trunk's.
     */
    record HeldTrunk(long id, int link, BitSet loops)
    {
        /**
         * The trunks that were the last on their link numbers. A number may have seats of several trunks in several
         * loops: the others closed before the last trunk opened.
         *
         * @param trunkIds by loop and link; 0 for a link without a trunk.
         */
        static List<HeldTrunk> of(final long[][] trunkIds)
        {
            final List<HeldTrunk> trunks = new ArrayList<>();
            for (int link = 0; link < trunkIds[0].length; link++)
            {
                long last = 0;
                for (final long[] ids : trunkIds)
                {
                    last = Math.max(last, ids[link]);
                }
                final BitSet loops = new BitSet();
                for (int i = 0; 0 != last && i < trunkIds.length; i++)
                {
                    loops.set(i, last == trunkIds[i][link]);
                }
                if (0 != last)
                {
                    trunks.add(new HeldTrunk(last, link, loops));
                }
            }
            return trunks;
        }
    }

    /**
     * Queues.
     *
     * @param rings     one per loop. The edge is their only producer.
     * @param inboxes   one per loop. Many producers.
     * @param edgeInbox read by the edge.
     */
    public record Queues(CommandQueue[] rings, CommandQueue[] inboxes, CommandQueue edgeInbox)
    {
        /** A batch is admitted whole. It may therefore fill this part of a ring at most. */
        private static final int BATCHES_PER_RING = 4;

        /** Most entries of one batch. */
        int batchEntries()
        {
            return rings[0].capacity() / BATCHES_PER_RING;
        }
    }

    /**
     * Each runs its calls in order. Code that may block has its own thread and does not hold the edge.
     *
     * @param authenticator of the calls of the authenticator.
     * @param placement     of the calls of the placement strategy.
     * @param logIn         of the calls of the log-in service.
     */
    public record Executors(Executor authenticator, Executor placement, Executor logIn)
    {
        /** All in the edge's thread. */
        public static final Executors INLINE = new Executors(Runnable::run, Runnable::run, Runnable::run);
    }
}
