package io.escapement.engine.internal.loop;

import java.util.concurrent.TimeUnit;

/**
 * The limits of a loop's queues and turns.
 *
 * @param linkLimit        trunks that may be attached at one time.
 * @param eventQueueLength bytes of events that may wait for one link.
 * @param stateQueueLength bytes of states that may wait for one link.
 * @param outboxLength     bytes that may wait for one other thread.
 * @param asyncCredits     requests to services that may be open at one time.
 * @param inboxBatch       most slots of the inbox in one turn.
 * @param ringBatch        most slots of the ring in one turn.
 * @param statePatienceNs  how long a state waits at least for a link that does not take it; twice that at most.
 * @param slowLinkNs       how long a link may take nothing before the edge is told to close it.
 * @param holdNs           how long less than a packet is held back while the loop is loaded.
 */
public record LoopSettings(
    int linkLimit,
    int eventQueueLength,
    int stateQueueLength,
    int outboxLength,
    int asyncCredits,
    int inboxBatch,
    int ringBatch,
    long statePatienceNs,
    long slowLinkNs,
    long holdNs)
{
    /** What a queue to a link has room for unless it is set, and one to another thread always. */
    public static final int QUEUE_LENGTH = 256 * 1_024;
    /** A frame at 60 Hz: a state that is older than the next one is worth little. */
    public static final long STATE_PATIENCE_NS = TimeUnit.MILLISECONDS.toNanos(16);

    private static final int BATCH = 256;
    private static final long SLOW_LINK_NS = TimeUnit.SECONDS.toNanos(2);
    private static final long HOLD_NS = TimeUnit.MICROSECONDS.toNanos(250);

    /**
     * Those of an engine.
     *
     * @param linkLimit       trunks that may be attached at one time.
     * @param inboxSlots      of the loop: half of them may be promised to replies.
     * @param linkQueue       bytes of events, and of states, that may wait for one link.
     * @param statePatienceNs how long a state waits for a link.
     * @return the settings.
     */
    public static LoopSettings of(
        final int linkLimit, final int inboxSlots, final int linkQueue, final long statePatienceNs)
    {
        return new LoopSettings(linkLimit, linkQueue, linkQueue, QUEUE_LENGTH, inboxSlots / 2, BATCH, BATCH,
            statePatienceNs, SLOW_LINK_NS, HOLD_NS);
    }
}
