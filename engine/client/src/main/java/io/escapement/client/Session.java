package io.escapement.client;

import io.escapement.codecs.trunk.WelcomeDecoder;

/** A trunk from its Welcome on: its tokens, the keepalive and the engine's time. */
final class Session
{
    private final ResumeTicket ticket;
    private final long attachToken;
    private final Keepalive keepalive;
    private final int loops;
    private final int maxBatchEntries;
    private final boolean isTrusted;
    private final boolean isResumed;
    private long roundTripNs;
    private long serverOffsetNs;

    Session(final WelcomeDecoder welcome, final long nowNs)
    {
        ticket = new ResumeTicket(welcome.trunkId(), welcome.resumeToken().high(), welcome.resumeToken().low());
        attachToken = welcome.attachToken();
        serverOffsetNs = welcome.serverTimeNs() - nowNs;
        keepalive = new Keepalive(welcome.keepaliveNs(), nowNs);
        loops = welcome.loops();
        maxBatchEntries = welcome.maxBatchEntries();
        isResumed = 1 == welcome.isResumed();
        isTrusted = 1 == welcome.isTrusted();
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

    Keepalive keepalive()
    {
        return keepalive;
    }

    void onKeepaliveReply(final long clientTimeNs, final long serverTimeNs, final long nowNs)
    {
        roundTripNs = nowNs - clientTimeNs;
        serverOffsetNs = serverTimeNs + roundTripNs / 2 - nowNs;
    }
}
