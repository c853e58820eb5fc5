package io.escapement.engine.internal.loop;

import java.util.concurrent.TimeUnit;

/**
 * How a loop treats links that do not take their messages.
 *
 * @param queueLength     most bytes that wait for a link in its queue of events, and in its queue of states.
 * @param queueMemory     bytes that the queues of all links share.
 * @param statePatienceNs how long a state may wait before it is dropped: at least this, at most twice this.
 * @param slowNs          how long a link may take nothing before its trunk is closed.
 */
public record LinkPolicy(int queueLength, int queueMemory, long statePatienceNs, long slowNs)
{
    /** That of an engine whose options are not set. */
    public static final LinkPolicy DEFAULT = new LinkPolicy(4 * 1_024 * 1_024, 32 * 1_024 * 1_024,
        TimeUnit.MILLISECONDS.toNanos(16), TimeUnit.SECONDS.toNanos(10));
}
