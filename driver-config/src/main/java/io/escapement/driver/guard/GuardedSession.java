package io.escapement.driver.guard;

import java.net.InetSocketAddress;

/** A session that a receive endpoint has admitted. Confined to the receiver thread. */
final class GuardedSession
{
    private final InetSocketAddress source;
    private final int termLength;
    private long activityNs;
    private int responseSessionId;
    private boolean hasResponse;

    GuardedSession(final InetSocketAddress source, final int termLength, final long nowNs)
    {
        this.source = source;
        this.termLength = termLength;
        activityNs = nowNs;
    }

    InetSocketAddress source()
    {
        return source;
    }

    boolean isFrom(final InetSocketAddress address)
    {
        // A channel returns the same object while it has a single source, so identity usually decides.
        return source == address || source.equals(address);
    }

    int termLength()
    {
        return termLength;
    }

    void onActivity(final long nowNs)
    {
        activityNs = nowNs;
    }

    boolean isInactive(final long nowNs, final long timeoutNs)
    {
        return nowNs - activityNs > timeoutNs;
    }

    boolean hasResponse()
    {
        return hasResponse;
    }

    int responseSessionId()
    {
        return responseSessionId;
    }

    void responseSessionId(final int sessionId)
    {
        responseSessionId = sessionId;
        hasResponse = true;
    }
}
