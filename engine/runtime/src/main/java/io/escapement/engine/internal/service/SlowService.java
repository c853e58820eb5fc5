package io.escapement.engine.internal.service;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;

/** For the flight recorder: a request that a service handled slowly. A worker has one object, which it reuses. */
@Name("escapement.SlowService")
@Label("Slow Service")
@Description("A service handled a request of a room. The time in the queue is not part of it")
@Category("Escapement")
@StackTrace(false)
@Threshold("20 ms")
final class SlowService extends Event
{
    @Label("Service")
    private final String service;

    @Label("Room Id")
    private long roomId;

    @Label("Correlation Id")
    private long correlationId;

    @Label("Status")
    @Description("0, or the code with which the service refused or failed")
    private int status;

    private transient boolean isBegun;

    SlowService(final String service)
    {
        this.service = service;
    }

    void onRequest()
    {
        isBegun = isEnabled();
        begin();
    }

    void onReply(final long ofRoomId, final long ofCorrelationId, final int withStatus)
    {
        if (isBegun)
        {
            roomId = ofRoomId;
            correlationId = ofCorrelationId;
            status = withStatus;
            end();
            if (shouldCommit())
            {
                commit();
            }
        }
    }
}
