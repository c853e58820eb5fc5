package io.escapement.engine.internal.edge;

import io.aeron.logbuffer.ControlledFragmentHandler;
import io.aeron.logbuffer.FragmentHandler;

/** One client's messages on one stream. */
interface EdgeImage
{
    int poll(FragmentHandler handler, int fragmentLimit);

    int controlledPoll(ControlledFragmentHandler handler, int fragmentLimit);

    /** The host that sends, without its port; one name for all of shared memory. */
    String source();

    /** Whether it comes over shared memory. */
    boolean isShared();

    /** Number of bytes that were read so far, with their framing. */
    long position();

    /**
     * Pass over the rest of a term without reading it. An image that is given up would otherwise never end: the driver
     * keeps it for as long as it has bytes that nobody has taken.
     */
    void skip();

    /** Start to make the publication that reaches this client, and nobody else, on a stream. Does not block. */
    StreamPublication addResponse(int streamId);
}
