package io.escapement.client;

import io.escapement.codecs.trunk.WelcomeDecoder;

/** A trunk from its Welcome on: its tokens, the keepalive and the engine's time. */
final class Session
{
    /** The engine answers each keepalive, so silence for this many intervals means that it is lost. */
    private static final int KEEPALIVES_UNTIL_LATE = 3;

    private final ResumeTicket ticket;
    private final long attachToken;
    private final long keepaliveNs;
    private final int loops;
    private final int maxBatchEntries;
    private final boolean isTrusted;
    private final boolean isResumed;
    private long lastActivityNs;
    private long lastKeepaliveNs;
    private long roundTripNs;
    private long serverOffsetNs;

    Session(final WelcomeDecoder welcome, final long nowNs)
    {
        ticket = new ResumeTicket(welcome.trunkId(), welcome.resumeToken().high(), welcome.resumeToken().low());
        attachToken = welcome.attachToken();
        serverOffsetNs = welcome.serverTimeNs() - nowNs;
        keepaliveNs = welcome.keepaliveNs();
        loops = welcome.loops();
        maxBatchEntries = welcome.maxBatchEntries();
        isResumed = 1 == welcome.isResumed();
        isTrusted = 1 == welcome.isTrusted();
        lastActivityNs = nowNs;
        // The first keepalive is due at once: it measures the round trip.
        lastKeepaliveNs = nowNs - keepaliveNs;
    }

    ResumeTicket ticket()
    {
        return ticket;
    }

    long trunkId()
    {
        return ticket.trunkId();
    }

    long attachToken()
    {
        return attachToken;
    }

    int loops()
    {
        return loops;
    }

    int maxBatchEntries()
    {
        return maxBatchEntries;
    }

    boolean isTrusted()
    {
        return isTrusted;
    }

    boolean isResumed()
    {
        return isResumed;
    }

    long roundTripNs()
    {
        return roundTripNs;
    }

    long serverOffsetNs()
    {
        return serverOffsetNs;
    }

    void onActivity(final long nowNs)
    {
        lastActivityNs = nowNs;
    }

    boolean isKeepaliveLate(final long nowNs)
    {
        return nowNs - lastActivityNs > KEEPALIVES_UNTIL_LATE * keepaliveNs;
    }

    /** Send a keepalive when half of its interval has passed, so that one delayed duty cycle does not make it late. */
    void advance(final ControlProxy proxy, final long nowNs)
    {
        if (nowNs - lastKeepaliveNs > keepaliveNs / 2 && proxy.keepalive(nowNs))
        {
            lastKeepaliveNs = nowNs;
        }
    }

    void onKeepaliveReply(final long clientTimeNs, final long serverTimeNs, final long nowNs)
    {
        roundTripNs = nowNs - clientTimeNs;
        serverOffsetNs = serverTimeNs + roundTripNs / 2 - nowNs;
    }
}
