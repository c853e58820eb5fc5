package io.escapement.engine.internal.edge;

import io.escapement.engine.internal.loop.LinkPublication;
import io.escapement.engine.internal.queue.ByteFifo;

/** A publication to one client. The driver makes it asynchronously. */
interface StreamPublication
{
    enum State
    {
        /** The driver has not answered. */
        PENDING,
        /** Exists, connected or not. */
        READY,
        /** The driver refused to make it, or it was closed. */
        CLOSED
    }

    /** The state, as of the last {@link EdgeTransport#invoke()}. */
    State poll();

    boolean isConnected();

    /**
     * Send whole messages of a queue.
     *
     * @return a status of {@link io.escapement.engine.internal.loop.BatchSender}; BLOCKED unless it is ready.
     */
    int trySend(ByteFifo queue);

    /** Hand a ready publication to a loop. From then on only the loop writes to it. */
    LinkPublication handOver();

    /** Close it, or cancel its registration. */
    void close();
}
