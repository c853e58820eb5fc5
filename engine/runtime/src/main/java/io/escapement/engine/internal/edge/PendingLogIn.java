package io.escapement.engine.internal.edge;

import io.escapement.engine.internal.loop.CommandQueue;
import io.escapement.engine.internal.loop.ControlSignal;
import io.escapement.engine.spi.LogInService;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.UnsafeBuffer;

/** A log-in under way. Carries the reply of the log-in service from its thread to the edge's inbox. */
final class PendingLogIn implements LogInService.Reply
{
    static final int TRUNK_ID = 0;
    static final int REQUEST_ID = 8;
    static final int PLAYER_ID = 16;
    static final int STATUS = 24;
    private static final int LENGTH = 28;
    private static final long RETRY_NS = 100_000;

    private final CommandQueue edgeInbox;
    private final long trunkId;
    private final long requestId;
    private final AtomicBoolean isReplied = new AtomicBoolean();

    PendingLogIn(final CommandQueue edgeInbox, final long trunkId, final long requestId)
    {
        this.edgeInbox = edgeInbox;
        this.trunkId = trunkId;
        this.requestId = requestId;
    }

    @Override
    public void onReply(final int status, final long playerId)
    {
        if (!isReplied.compareAndSet(false, true))
        {
            throw new IllegalStateException("the log-in was replied to twice");
        }
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[LENGTH]);
        buffer.putLong(TRUNK_ID, trunkId);
        buffer.putLong(REQUEST_ID, requestId);
        buffer.putLong(PLAYER_ID, playerId);
        buffer.putInt(STATUS, status);
        while (!edgeInbox.offer(ControlSignal.LOGGED_IN, null, buffer, 0, LENGTH) &&
            !Thread.currentThread().isInterrupted())
        {
            // The service's thread may wait; it runs no loop.
            LockSupport.parkNanos(RETRY_NS);
        }
    }
}
