package io.escapement.perf.loop;

import org.agrona.concurrent.UnsafeBuffer;

/** A ring between a producer and a consumer thread. The consumer counts the received messages. */
interface Ring extends AutoCloseable
{
    /** Slots of both rings. */
    int SLOTS = 4_096;

    /** Send a 64-byte message, spinning while the ring is full. */
    void send(UnsafeBuffer message, long sequence);

    /** Whether the consumer has received every message. */
    boolean isEmpty();

    /** How often the consumer has found messages. After it has received them all. */
    long batches();

    /** Throw if the consumer refused messages or failed. */
    default void check()
    {
        // A bare ring does not refuse messages.
    }

    /** End the consumer. */
    @Override
    void close();
}
