package io.escapement.perf.ingress;

import org.agrona.DirectBuffer;

/** A way to the server. */
interface Sender extends AutoCloseable
{
    boolean isReady();

    /** Take a message; false when it was not taken. */
    boolean send(DirectBuffer buffer, int length);

    /** Take what has come, and send what waits. */
    void poll();

    /** Whether nothing waits here to be sent. */
    boolean flush();

    @Override
    void close();
}
