package io.escapement.engine.internal.edge;

import io.aeron.logbuffer.ControlledFragmentHandler;
import io.aeron.logbuffer.FragmentHandler;

/** One client's messages on one stream. */
interface EdgeImage
{
    int poll(FragmentHandler handler, int fragmentLimit);

    int controlledPoll(ControlledFragmentHandler handler, int fragmentLimit);

    /** Start to make the publication that reaches this client, and nobody else, on a stream. Does not block. */
    ResponsePublication addResponse(int streamId);
}
