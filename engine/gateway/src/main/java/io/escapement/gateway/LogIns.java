package io.escapement.gateway;

import io.escapement.client.SendStatus;
import java.util.ArrayDeque;
import java.util.ArrayList;
import org.agrona.collections.Long2ObjectHashMap;

/** Log-ins of a worker: those that wait for the trunk, which carries a limited number at once, and those under way. */
final class LogIns
{
    /** The protocol lets a trunk have 64. */
    private static final int OPEN_LIMIT = 60;
    /** About ten seconds of an account service. */
    private static final int QUEUE_LIMIT = 1_024;

    /** A log-in of a session. */
    static final class LogIn
    {
        final Session session;
        final long requestId;
        private final byte[] credentials;
        private final long dueNs;

        private LogIn(final Session session, final long requestId, final byte[] credentials, final long dueNs)
        {
            this.session = session;
            this.requestId = requestId;
            this.credentials = credentials;
            this.dueNs = dueNs;
        }
    }

    private final ArrayDeque<LogIn> queue = new ArrayDeque<>();
    private final Long2ObjectHashMap<LogIn> openByRequestMap = new Long2ObjectHashMap<>();
    private final long timeoutNs;
    private long lastRequestId;

    LogIns(final long timeoutNs)
    {
        this.timeoutNs = timeoutNs;
    }

    /** Queue a log-in; false if the queue is full. */
    boolean add(final Session session, final long requestId, final byte[] credentials, final long nowNs)
    {
        return queue.size() < QUEUE_LIMIT &&
            queue.add(new LogIn(session, requestId, credentials, nowNs + timeoutNs));
    }

    /** Send what the trunk takes. */
    int send(final Trunk trunk)
    {
        int sent = 0;
        while (!queue.isEmpty() && openByRequestMap.size() < OPEN_LIMIT)
        {
            final LogIn next = queue.peek();
            if (!next.session.isOver)
            {
                if (SendStatus.SENT != trunk.logIn(lastRequestId + 1, next.credentials))
                {
                    return sent;
                }
                openByRequestMap.put(++lastRequestId, next);
                sent++;
            }
            queue.remove();
        }
        return sent;
    }

    /** The log-in that was answered, or null. */
    LogIn answered(final long trunkRequestId)
    {
        return openByRequestMap.remove(trunkRequestId);
    }

    /** Remove every log-in that the engine has not answered in time. */
    void removeLate(final long nowNs, final ArrayList<LogIn> late)
    {
        if (!queue.isEmpty() || !openByRequestMap.isEmpty())
        {
            collect(nowNs, late);
            queue.removeAll(late);
            openByRequestMap.values().removeIf(late::contains);
        }
    }

    private void collect(final long nowNs, final ArrayList<LogIn> late)
    {
        for (final LogIn logIn : queue)
        {
            if (nowNs - logIn.dueNs >= 0)
            {
                late.add(logIn);
            }
        }
        for (final LogIn logIn : openByRequestMap.values())
        {
            if (nowNs - logIn.dueNs >= 0)
            {
                late.add(logIn);
            }
        }
    }
}
