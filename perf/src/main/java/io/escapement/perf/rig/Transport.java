package io.escapement.perf.rig;

import org.agrona.DirectBuffer;

/** A connection to a server that messages are sent over. One thread, which invokes its Aeron client too. */
public interface Transport extends AutoCloseable
{
    /** Advance the connection; true once messages can be sent. */
    boolean connect();

    /** Send a message; false under back pressure. */
    boolean send(DirectBuffer buffer, int length);

    /** Send what is queued here; false while something is left. */
    default boolean flush()
    {
        return true;
    }

    /** Receive, and advance the connection. */
    int poll();

    @Override
    void close();
}
