package io.escapement.perf.rig;

import org.agrona.DirectBuffer;

/** A connection to a server that messages are sent over. One thread, which also invokes its Aeron client. */
public interface Transport extends AutoCloseable
{
    /** Advance the connection. Returns true once messages can be sent. */
    boolean connect();

    /** Send a message. Returns false under back pressure. */
    boolean send(DirectBuffer buffer, int length);

    /** Send all messages queued here. Returns false while messages are left. */
    default boolean flush()
    {
        return true;
    }

    /** Receive, and advance the connection. */
    int poll();

    @Override
    void close();
}
