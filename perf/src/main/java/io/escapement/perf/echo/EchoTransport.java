package io.escapement.perf.echo;

import org.agrona.DirectBuffer;

/** A way to a server and back. */
interface EchoTransport extends AutoCloseable
{
    /** Takes what comes back. */
    @FunctionalInterface
    interface Receiver
    {
        void onEcho(DirectBuffer buffer, int offset, int length);
    }

    boolean isReady();

    /** Send now, alone; false when it was not taken. */
    boolean send(DirectBuffer buffer, int length);

    int poll();

    @Override
    void close();
}
