package io.escapement.engine.internal.edge;

/** The publication of a feed. */
interface FeedPublication extends StreamPublication
{
    /**
     * Send to an additional address. Does not block.
     *
     * @param host of a client.
     * @param port of the client's subscription.
     * @return id of the destination.
     */
    long addDestination(String host, int port);

    /** Why the driver refused to make it, otherwise null. */
    String refusal();

    /** Send there no more. */
    void removeDestination(long destinationId);
}
