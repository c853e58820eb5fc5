package io.escapement.client;

import io.escapement.codecs.trunk.StandbyDecoder;

/**
 * An engine's answer to a standby client.
 *
 * @param attachToken     binds loop streams to the connection.
 * @param keepaliveNs     longest gap between messages.
 * @param incarnation     in which it leads, if it does.
 * @param memberId        its number among the engines that keep one log.
 * @param leaderMemberId  the leader's number, or {@link io.escapement.codecs.TrunkMessages#NO_LEADER}.
 * @param loops           it has.
 * @param maxBatchEntries it takes.
 */
record Standby(
    long attachToken,
    long keepaliveNs,
    int incarnation,
    int memberId,
    int leaderMemberId,
    int loops,
    int maxBatchEntries)
{
    static Standby of(final StandbyDecoder decoder)
    {
        return new Standby(decoder.attachToken(), decoder.keepaliveNs(), decoder.incarnation(), decoder.memberId(),
            decoder.leaderMemberId(), decoder.loops(), decoder.maxBatchEntries());
    }

    boolean isLeading()
    {
        return memberId == leaderMemberId;
    }
}
