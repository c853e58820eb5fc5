package io.escapement.driver.guard;

import java.net.InetSocketAddress;

/**
 * A session that a receive endpoint let in: whose it is, how long its terms are, when it was last heard. Of the
 * receiver thread.
 */
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
        // The channel gives the same object again while one source has it for itself.
        return source == address || source.equals(address);
    }

    int termLength()
    {
        return termLength;
    }

    void heard(final long nowNs)
    {
        activityNs = nowNs;
    }

    boolean isSilent(final long nowNs, final long timeoutNs)
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
