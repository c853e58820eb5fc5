package io.escapement.engine.internal.edge;

import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.engine.spi.LogInService;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A log-in under way, and later its result. Calls the service in the service's thread, which writes the result and
 * queues it once. The edge reads it. The permits of the trunks limit the queue, because a log-in is in it at most once.
 * An exception of the service is the reply SERVICE_FAILED.
 */
final class PendingLogIn implements LogInService.Reply, Runnable
{
    private static final byte[] NO_SESSION = new byte[0];

    private final LogIns logIns;
    private final Trunk trunk;
    private final long requestId;
    private final byte[] credentials;
    private final long sinceNs;
    private final AtomicBoolean isReplied = new AtomicBoolean();
    private volatile boolean isTimedOut;
    private int status;
    private long playerId;
    private byte[] session = NO_SESSION;

    PendingLogIn(
        final LogIns logIns, final Trunk trunk, final long requestId, final byte[] credentials, final long sinceNs)
    {
        this.sinceNs = sinceNs;
        this.logIns = logIns;
        this.trunk = trunk;
        this.requestId = requestId;
        this.credentials = credentials;
    }

    @Override
    public void run()
    {
        logIns.onCalled();
        if (isReplied.get())
        {
            return;
        }
        logIns.serviceCall().begin();
        try
        {
            logIns.service().logIn(trunk.id(), credentials, this);
        }
        catch (final Throwable ex)
        {
            // It may have replied before it threw.
            tryReply(RefusalCode.SERVICE_FAILED.value(), 0, NO_SESSION);
            logIns.onError(ex);
        }
        finally
        {
            logIns.serviceCall().end();
        }
    }

    /** Reply for a service that takes too long, and ignore its reply. */
    void timeOut()
    {
        isTimedOut = true;
        tryReply(RefusalCode.SERVICE_FAILED.value(), 0, NO_SESSION);
    }

    @Override
    public void onReply(final int newStatus, final long newPlayerId)
    {
        onReply(newStatus, newPlayerId, NO_SESSION);
    }

    @Override
    public void onReply(final int newStatus, final long newPlayerId, final byte[] newSession)
    {
        if (newSession.length > TrunkMessages.MAX_SESSION_LENGTH)
        {
            throw new IllegalArgumentException("trunks.logInService: a session of " + newSession.length +
                " bytes, the limit is " + TrunkMessages.MAX_SESSION_LENGTH);
        }
        if (!tryReply(newStatus, newPlayerId, newSession) && !isTimedOut)
        {
            throw new IllegalStateException(
                "trunks.logInService: a log-in was replied to twice; the second reply is ignored");
        }
    }

    private boolean tryReply(final int newStatus, final long newPlayerId, final byte[] newSession)
    {
        if (!isReplied.compareAndSet(false, true))
        {
            return false;
        }
        status = newStatus;
        playerId = newPlayerId;
        session = newSession;
        logIns.onReplied(this);
        return true;
    }

    long sinceNs()
    {
        return sinceNs;
    }

    Trunk trunk()
    {
        return trunk;
    }

    long requestId()
    {
        return requestId;
    }

    int status()
    {
        return status;
    }

    long playerId()
    {
        return playerId;
    }

    byte[] session()
    {
        return session;
    }
}
