package io.escapement.engine.loop;

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
 * @param statePatienceNs  how long states wait for a link that does not take them.
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
}
