package io.escapement.client;

import io.escapement.codecs.trunk.WelcomeDecoder;

/** A grant of a trunk: its tokens, the keepalive, and the time of the engine, which each keepalive corrects. */
final class Welcome
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

    Welcome(final WelcomeDecoder message, final long nowNs)
    {
        ticket = new ResumeTicket(message.trunkId(), message.resumeToken().high(), message.resumeToken().low());
        attachToken = message.attachToken();
        serverOffsetNs = message.serverTimeNs() - nowNs;
        keepalive = new Keepalive(message.keepaliveNs(), nowNs);
        loops = message.loops();
        maxBatchEntries = message.maxBatchEntries();
        isResumed = 1 == message.isResumed();
        isTrusted = 1 == message.isTrusted();
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
