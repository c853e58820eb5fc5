package io.escapement.perf.rig;

import org.agrona.DirectBuffer;

/** A connection to a server that messages are sent over. One thread. */
public interface Transport extends AutoCloseable
{
    /** Receives what the server sends back. */
    @FunctionalInterface
    interface Receiver
    {
        /** A message arrived. */
        void onMessage(DirectBuffer buffer, int offset, int length);
    }

    /** Advance the connection; true once messages can be sent. */
    boolean connect();

    /** Send a message; false under back pressure. */
    boolean send(DirectBuffer buffer, int length);

    /** Send what is queued here; false while something is left. */
    boolean flush();

    /** Receive, and advance the connection. */
    int poll();

    @Override
    void close();
}
