package io.escapement.engine.internal.edge;

import io.aeron.logbuffer.ControlledFragmentHandler;
import io.aeron.logbuffer.FragmentHandler;

/** One client's messages on one stream. */
interface EdgeImage
{
    int poll(FragmentHandler handler, int fragmentLimit);

    int controlledPoll(ControlledFragmentHandler handler, int fragmentLimit);

    /** The host that sends, without its port. All of shared memory has one name. */
    String source();

    /** Whether it arrives over shared memory. */
    boolean isShared();

    /** Number of bytes that were read so far, with their framing. */
    long position();

    /**
     * Pass over the rest of a term without reading it. Otherwise an abandoned image would never close: the driver keeps
     * it while it has unread bytes.
     */
    void skip();

    /** Start to make the publication that reaches only this client on a stream. Does not block. */
    StreamPublication addResponse(int streamId);
}
