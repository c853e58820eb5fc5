package io.escapement.engine.internal.edge;

import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.trunk.AttachedEncoder;
import io.escapement.codecs.trunk.ChallengeEncoder;
import io.escapement.codecs.trunk.EntryRefusedEncoder;
import io.escapement.codecs.trunk.GoodbyeEncoder;
import io.escapement.codecs.trunk.KeepaliveReplyEncoder;
import io.escapement.codecs.trunk.LogInReplyEncoder;
import io.escapement.codecs.trunk.MessageHeaderEncoder;
import io.escapement.codecs.trunk.RejectEncoder;
import io.escapement.codecs.trunk.TrunkCode;
import io.escapement.codecs.trunk.WelcomeEncoder;
import io.escapement.engine.internal.loop.BatchSender;
import io.escapement.engine.internal.loop.ByteFifo;

/** Encodes the edge's control messages into a connection's queue of replies. Returns false when the queue is full. */
final class ControlProxy
{
    private static final int OVERHEAD = TrunkMessages.ENTRY_HEADER_LENGTH + MessageHeaderEncoder.ENCODED_LENGTH;

    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final ChallengeEncoder challenge = new ChallengeEncoder();
    private final WelcomeEncoder welcome = new WelcomeEncoder();
    private final RejectEncoder reject = new RejectEncoder();
    private final AttachedEncoder attached = new AttachedEncoder();
    private final LogInReplyEncoder logInReply = new LogInReplyEncoder();
    private final KeepaliveReplyEncoder keepaliveReply = new KeepaliveReplyEncoder();
    private final EntryRefusedEncoder entryRefused = new EntryRefusedEncoder();
    private final GoodbyeEncoder goodbye = new GoodbyeEncoder();

    boolean challenge(final Connection connection, final long nonceHigh, final long nonceLow)
    {
        final int at = claim(connection, ChallengeEncoder.BLOCK_LENGTH);
        if (ByteFifo.NO_ROOM == at)
        {
            return false;
        }
        challenge.wrapAndApplyHeader(connection.replies().buffer(), at, header).nonce().high(nonceHigh).low(nonceLow);
        return true;
    }

    boolean welcome(
        final Connection connection, final Trunk trunk, final EdgePolicy policy, final long nowNs,
        final boolean isResumed)
    {
        final int at = claim(connection, WelcomeEncoder.BLOCK_LENGTH);
        if (ByteFifo.NO_ROOM == at)
        {
            return false;
        }
        welcome.wrapAndApplyHeader(connection.replies().buffer(), at, header)
            .trunkId(trunk.id())
            .attachToken(trunk.attachToken())
            .serverTimeNs(nowNs)
            .keepaliveNs(policy.timeouts().keepaliveNs())
            .graceNs(policy.timeouts().graceNs())
            .loops(trunk.loops())
            .maxPayloadLength(TrunkMessages.MAX_PAYLOAD_LENGTH)
            .maxBatchEntries(policy.limits().batchEntries())
            .maxMessageLength(TrunkMessages.MAX_MESSAGE_LENGTH)
            .isResumed((short)(isResumed ? 1 : 0))
            .isTrusted((short)(trunk.isTrusted() ? 1 : 0))
            .resumeToken().high(trunk.resumeHigh()).low(trunk.resumeLow());
        return true;
    }

    boolean reject(final Connection connection, final int code)
    {
        final int at = claim(connection, RejectEncoder.BLOCK_LENGTH);
        if (ByteFifo.NO_ROOM == at)
        {
            return false;
        }
        reject.wrapAndApplyHeader(connection.replies().buffer(), at, header).code(code);
        return true;
    }

    boolean attached(final Connection connection, final int loop)
    {
        final int at = claim(connection, AttachedEncoder.BLOCK_LENGTH);
        if (ByteFifo.NO_ROOM == at)
        {
            return false;
        }
        attached.wrapAndApplyHeader(connection.replies().buffer(), at, header).loop(loop);
        return true;
    }

    boolean logInReply(
        final Connection connection, final long requestId, final int status, final long playerId, final byte[] token)
    {
        final int at = claim(connection,
            LogInReplyEncoder.BLOCK_LENGTH + LogInReplyEncoder.tokenHeaderLength() + token.length);
        if (ByteFifo.NO_ROOM == at)
        {
            return false;
        }
        logInReply.wrapAndApplyHeader(connection.replies().buffer(), at, header)
            .requestId(requestId).playerId(playerId).status(status).putToken(token, 0, token.length);
        return true;
    }

    boolean keepaliveReply(final Connection connection, final long clientTimeNs, final long nowNs)
    {
        final int at = claim(connection, KeepaliveReplyEncoder.BLOCK_LENGTH);
        if (ByteFifo.NO_ROOM == at)
        {
            return false;
        }
        keepaliveReply.wrapAndApplyHeader(connection.replies().buffer(), at, header)
            .clientTimeNs(clientTimeNs).serverTimeNs(nowNs);
        return true;
    }

    boolean entryRefused(
        final Connection connection, final int templateId, final long roomId, final long reference, final int code)
    {
        final int at = claim(connection, EntryRefusedEncoder.BLOCK_LENGTH);
        if (ByteFifo.NO_ROOM == at)
        {
            return false;
        }
        entryRefused.wrapAndApplyHeader(connection.replies().buffer(), at, header)
            .roomId(roomId).reference(reference).templateId(templateId).code(code);
        return true;
    }

    boolean goodbye(final Connection connection, final TrunkCode code)
    {
        final int at = claim(connection, GoodbyeEncoder.BLOCK_LENGTH);
        if (ByteFifo.NO_ROOM == at)
        {
            return false;
        }
        goodbye.wrapAndApplyHeader(connection.replies().buffer(), at, header).code(code);
        return true;
    }

    private static int claim(final Connection connection, final int bodyLength)
    {
        return BatchSender.claim(connection.replies(), OVERHEAD + bodyLength);
    }
}
