package io.escapement.client;

/** A subscription to a feed. */
interface FeedStream extends AutoCloseable
{
    /** Advance opening, and return whether the subscription exists. */
    boolean isOpen();

    /** The port that the engine sends to, once it is open; 0 over shared memory and in a group. */
    int port();

    /** Whether the engine's feed is connected. */
    boolean hasImage();

    /** Hand received packets to the handler. */
    int poll();

    @Override
    void close();
}
