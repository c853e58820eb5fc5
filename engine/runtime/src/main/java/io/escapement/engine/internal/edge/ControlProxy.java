package io.escapement.engine.internal.edge;

import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.trunk.TrunkCode;
import io.escapement.codecs.trunk.TrunkEncoder;
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
    private final UnsafeBuffer bytes = new UnsafeBuffer(0, 0);
    private final TrunkEncoder messages = new TrunkEncoder();

    ControlProxy(final EdgeContext context)
    {
        this.context = context;
    }

    boolean challenge(final ControlStream control, final long nonceHigh, final long nonceLow)
    {
        return reply(control, messages.challenge(buffer, 0, nonceHigh, nonceLow), true);
    }

    boolean welcome(final ControlStream control, final Trunk trunk, final long nowNs, final boolean isResumed)
    {
        return reply(control, messages.welcome(buffer, 0, trunk.id(), trunk.resumeHigh(), trunk.resumeLow(),
            trunk.attachToken(), nowNs, context.trunks().keepaliveNs(), context.trunks().graceNs(), trunk.loops(),
            TrunkMessages.MAX_PAYLOAD_LENGTH, context.queues().batchEntries(), TrunkMessages.MAX_MESSAGE_LENGTH,
            isResumed, trunk.isTrusted()), true);
    }

    boolean reject(final ControlStream control, final int code)
    {
        return reply(control, messages.reject(buffer, 0, code), true);
    }

    boolean standby(final ControlStream control, final Standbys.Role role, final int loops)
    {
        return reply(control, messages.standby(buffer, 0, control.standbyToken(), context.trunks().keepaliveNs(),
            role.incarnation(), role.memberId(), role.leaderMemberId(), loops, context.queues().batchEntries()), true);
    }

    boolean leading(final ControlStream control, final Standbys.Role role)
    {
        return reply(control, messages.leading(buffer, 0, role.incarnation(), role.memberId()), true);
    }

    /** Attached, from the reserve unless it answers an Attach that the client repeated. */
    boolean attached(final ControlStream control, final int loop, final boolean isRepeated)
    {
        return reply(control, messages.attached(buffer, 0, loop), !isRepeated);
    }

    boolean feedOffered(
        final ControlStream control,
        final int feedId,
        final int sessionId,
        final int streamId,
        final int loop,
        final byte[] group)
    {
        bytes.wrap(group);
        return reply(control, messages.feedOffered(
            buffer, 0, feedId, sessionId, streamId, loop, bytes, 0, group.length), true);
    }

    boolean logInReply(
        final ControlStream control, final long requestId, final int status, final long playerId, final byte[] token)
    {
        bytes.wrap(token);
        return reply(
            control, messages.logInReply(buffer, 0, requestId, playerId, status, bytes, 0, token.length), false);
    }

    /** The session of the LogInReply that follows. Not sent without a session. */
    boolean logInSession(final ControlStream control, final long requestId, final byte[] session)
    {
        bytes.wrap(session);
        return 0 == session.length ||
            reply(control, messages.logInSession(buffer, 0, requestId, bytes, 0, session.length), false);
    }

    boolean keepaliveReply(final ControlStream control, final long clientTimeNs, final long nowNs)
    {
        return reply(control, messages.keepaliveReply(buffer, 0, clientTimeNs, nowNs), false);
    }

    boolean entryRefused(
        final ControlStream control,
        final int templateId,
        final long roomId,
        final int seatIndex,
        final long reference,
        final int code)
    {
        return reply(
            control, messages.entryRefused(buffer, 0, roomId, reference, templateId, code, seatIndex), false);
    }

    boolean goodbye(final ControlStream control, final TrunkCode code)
    {
        return reply(control, messages.goodbye(buffer, 0, code), true);
    }

    /** Queue the encoded message. It uses the reserve if the client waits for it and cannot re-request it. */
    private boolean reply(final ControlStream control, final int length, final boolean isFromReserve)
    {
        final int at = control.claim(TrunkMessages.ENTRY_HEADER_LENGTH + length, isFromReserve);
        if (ByteFifo.NO_ROOM == at)
        {
            return false;
        }
        control.replies().buffer().putBytes(at, buffer, 0, length);
        return true;
    }
}
