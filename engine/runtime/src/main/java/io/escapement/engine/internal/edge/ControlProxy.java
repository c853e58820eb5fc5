package io.escapement.engine.internal.edge;

import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.trunk.AttachedEncoder;
import io.escapement.codecs.trunk.ChallengeEncoder;
import io.escapement.codecs.trunk.EntryRefusedEncoder;
import io.escapement.codecs.trunk.GoodbyeEncoder;
import io.escapement.codecs.trunk.KeepaliveReplyEncoder;
import io.escapement.codecs.trunk.LeadingEncoder;
import io.escapement.codecs.trunk.LogInReplyEncoder;
import io.escapement.codecs.trunk.LogInSessionEncoder;
import io.escapement.codecs.trunk.MessageHeaderEncoder;
import io.escapement.codecs.trunk.RejectEncoder;
import io.escapement.codecs.trunk.StandbyEncoder;
import io.escapement.codecs.trunk.TrunkCode;
import io.escapement.codecs.trunk.WelcomeEncoder;
import io.escapement.engine.internal.queue.ByteFifo;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Encodes the edge's control messages into a control stream's queue of replies, in the version of the schema that its
 * client reads. Returns false when the queue is full.
 */
final class ControlProxy
{
    private final EdgeContext context;
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[RoomCommands.MAX_COMMAND_LENGTH]);
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final ChallengeEncoder challenge = new ChallengeEncoder();
    private final WelcomeEncoder welcome = new WelcomeEncoder();
    private final RejectEncoder reject = new RejectEncoder();
    private final StandbyEncoder standby = new StandbyEncoder();
    private final LeadingEncoder leading = new LeadingEncoder();
    private final AttachedEncoder attached = new AttachedEncoder();
    private final LogInReplyEncoder logInReply = new LogInReplyEncoder();
    private final LogInSessionEncoder logInSession = new LogInSessionEncoder();
    private final KeepaliveReplyEncoder keepaliveReply = new KeepaliveReplyEncoder();
    private final EntryRefusedEncoder entryRefused = new EntryRefusedEncoder();
    private final GoodbyeEncoder goodbye = new GoodbyeEncoder();

    ControlProxy(final EdgeContext context)
    {
        this.context = context;
    }

    boolean challenge(final ControlStream control, final long nonceHigh, final long nonceLow)
    {
        challenge.wrapAndApplyHeader(buffer, 0, header).nonce().high(nonceHigh).low(nonceLow);
        return reply(control, challenge.encodedLength(), true);
    }

    boolean welcome(final ControlStream control, final Trunk trunk, final long nowNs, final boolean isResumed)
    {
        welcome.wrapAndApplyHeader(buffer, 0, header)
            .trunkId(trunk.id())
            .attachToken(trunk.attachToken())
            .serverTimeNs(nowNs)
            .keepaliveNs(context.trunks().keepaliveNs())
            .graceNs(context.trunks().graceNs())
            .loops(trunk.loops())
            .maxPayloadLength(TrunkMessages.MAX_PAYLOAD_LENGTH)
            .maxBatchEntries(context.queues().batchEntries())
            .maxMessageLength(TrunkMessages.MAX_MESSAGE_LENGTH)
            .isResumed((short)(isResumed ? 1 : 0))
            .isTrusted((short)(trunk.isTrusted() ? 1 : 0))
            .resumeToken().high(trunk.resumeHigh()).low(trunk.resumeLow());
        return reply(control, welcome.encodedLength(), true);
    }

    boolean reject(final ControlStream control, final int code)
    {
        reject.wrapAndApplyHeader(buffer, 0, header).code(code);
        return reply(control, reject.encodedLength(), true);
    }

    boolean standby(final ControlStream control, final Standbys.Role role, final int loops)
    {
        standby.wrapAndApplyHeader(buffer, 0, header)
            .attachToken(control.standbyToken())
            .keepaliveNs(context.trunks().keepaliveNs())
            .incarnation(role.incarnation())
            .memberId(role.memberId())
            .leaderMemberId(role.leaderMemberId())
            .loops(loops)
            .maxBatchEntries(context.queues().batchEntries());
        return reply(control, standby.encodedLength(), true);
    }

    boolean leading(final ControlStream control, final Standbys.Role role)
    {
        leading.wrapAndApplyHeader(buffer, 0, header).incarnation(role.incarnation()).memberId(role.memberId());
        return reply(control, leading.encodedLength(), true);
    }

    /** Attached, from the reserve unless it answers an Attach that the client repeated. */
    boolean attached(final ControlStream control, final int loop, final boolean isRepeated)
    {
        attached.wrapAndApplyHeader(buffer, 0, header).loop(loop);
        return reply(control, attached.encodedLength(), !isRepeated);
    }

    boolean logInReply(
        final ControlStream control, final long requestId, final int status, final long playerId, final byte[] token)
    {
        logInReply.wrapAndApplyHeader(buffer, 0, header)
            .requestId(requestId).playerId(playerId).status(status).putToken(token, 0, token.length);
        return reply(control, logInReply.encodedLength(), false);
    }

    /** The session of the LogInReply that follows. Nothing without a session. */
    boolean logInSession(final ControlStream control, final long requestId, final byte[] session)
    {
        if (0 == session.length)
        {
            return true;
        }
        logInSession.wrapAndApplyHeader(buffer, 0, header)
            .requestId(requestId).putSession(session, 0, session.length);
        return reply(control, logInSession.encodedLength(), false);
    }

    boolean keepaliveReply(final ControlStream control, final long clientTimeNs, final long nowNs)
    {
        keepaliveReply.wrapAndApplyHeader(buffer, 0, header)
            .clientTimeNs(clientTimeNs).serverTimeNs(nowNs);
        return reply(control, keepaliveReply.encodedLength(), false);
    }

    boolean entryRefused(
        final ControlStream control,
        final int templateId,
        final long roomId,
        final int seatIndex,
        final long reference,
        final int code)
    {
        entryRefused.wrapAndApplyHeader(buffer, 0, header)
            .roomId(roomId).reference(reference).templateId(templateId).code(code)
            .seatIndex(seatIndex);
        return reply(control, entryRefused.encodedLength(), false);
    }

    boolean goodbye(final ControlStream control, final TrunkCode code)
    {
        goodbye.wrapAndApplyHeader(buffer, 0, header).code(code);
        return reply(control, goodbye.encodedLength(), true);
    }

    /** Queue the encoded message. From the reserve if the client waits for it and cannot ask for it again. */
    private boolean reply(final ControlStream control, final int bodyLength, final boolean isFromReserve)
    {
        final int length = MessageHeaderEncoder.ENCODED_LENGTH + bodyLength;
        final int at = control.claim(TrunkMessages.ENTRY_HEADER_LENGTH + length, isFromReserve);
        if (ByteFifo.NO_ROOM == at)
        {
            return false;
        }
        control.replies().buffer().putBytes(at, buffer, 0, length);
        return true;
    }
}
