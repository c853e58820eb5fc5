package io.escapement.client;

import io.aeron.logbuffer.FragmentHandler;
import io.aeron.logbuffer.Header;
import io.escapement.client.TrunkClient.State;
import io.escapement.codecs.SchemaRules;
import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.trunk.AttachedDecoder;
import io.escapement.codecs.trunk.ChallengeDecoder;
import io.escapement.codecs.trunk.EntryRefusedDecoder;
import io.escapement.codecs.trunk.GoodbyeDecoder;
import io.escapement.codecs.trunk.KeepaliveReplyDecoder;
import io.escapement.codecs.trunk.LeadingDecoder;
import io.escapement.codecs.trunk.LogInReplyDecoder;
import io.escapement.codecs.trunk.LogInSessionDecoder;
import io.escapement.codecs.trunk.MessageHeaderDecoder;
import io.escapement.codecs.trunk.RejectDecoder;
import io.escapement.codecs.trunk.StandbyDecoder;
import io.escapement.codecs.trunk.TrunkCode;
import io.escapement.codecs.trunk.WelcomeDecoder;
import org.agrona.DirectBuffer;

/**
 * Decodes the batches of the control stream. Messages are handled in order up to the first malformed one, which is
 * counted and ends its batch. A message that the trunk's state does not allow is counted and dropped.
 */
final class TrunkAdapter implements FragmentHandler
{
    private final TrunkSession session;
    private final EgressAdapter egress;
    private final TrunkListener listener;
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private long malformed;

    TrunkAdapter(final TrunkSession session, final EgressAdapter egress, final TrunkListener listener)
    {
        this.session = session;
        this.egress = egress;
        this.listener = listener;
    }

    /** Messages that were dropped as malformed, each with the rest of its batch, or as unexpected. */
    long malformed()
    {
        return malformed;
    }

    @Override
    public void onFragment(final DirectBuffer buffer, final int offset, final int length, final Header ignored)
    {
        session.onActivity();
        final int end = offset + length;
        int at = offset;
        while (at < end && State.DOWN != session.state())
        {
            final int entryLength = TrunkMessages.entryLength(buffer, at, end);
            if (entryLength < 0)
            {
                onMalformed(~entryLength);
                return;
            }
            final int message = at + TrunkMessages.ENTRY_HEADER_LENGTH;
            final int templateId = SchemaRules.templateId(buffer, message);
            if (!isExpected(templateId) || !onMessage(templateId, buffer, message))
            {
                malformed++;
            }
            at += TrunkMessages.ENTRY_HEADER_LENGTH + entryLength;
        }
    }

    /** The first answer is of another version of the schema, so this client cannot read the engine. */
    private void onMalformed(final int code)
    {
        malformed++;
        if (RefusalCode.UNKNOWN_VERSION.value() == code && State.GREETED == session.state())
        {
            session.onReject(TrunkCode.PROTOCOL_VERSION.value());
        }
    }

    private boolean isExpected(final int templateId)
    {
        final State state = session.state();
        return switch (templateId)
        {
            case ChallengeDecoder.TEMPLATE_ID -> State.GREETED == state;
            case WelcomeDecoder.TEMPLATE_ID -> session.isAsking();
            case StandbyDecoder.TEMPLATE_ID -> session.isStandby() && State.PROVEN == state;
            case LeadingDecoder.TEMPLATE_ID -> isStandingBy(state);
            case RejectDecoder.TEMPLATE_ID, GoodbyeDecoder.TEMPLATE_ID -> true;
            case AttachedDecoder.TEMPLATE_ID, KeepaliveReplyDecoder.TEMPLATE_ID ->
                State.UP == state || isStandingBy(state);
            default -> State.UP == state;
        };
    }

    /** Whether the client stands by, perhaps with a request for a trunk on its way. */
    private boolean isStandingBy(final State state)
    {
        return State.STANDBY == state || session.isStandby() && session.isAsking();
    }

    /** Handle a message, and return false if it does not belong on this stream. */
    private boolean onMessage(final int templateId, final DirectBuffer buffer, final int offset)
    {
        switch (templateId)
        {
            case ChallengeDecoder.TEMPLATE_ID ->
            {
                final ChallengeDecoder challenge = new ChallengeDecoder();
                challenge.wrapAndApplyHeader(buffer, offset, header);
                session.onChallenge(challenge.nonce().high(), challenge.nonce().low());
            }
            case WelcomeDecoder.TEMPLATE_ID ->
                session.onWelcome(new WelcomeDecoder().wrapAndApplyHeader(buffer, offset, header));
            case RejectDecoder.TEMPLATE_ID ->
                session.onReject(new RejectDecoder().wrapAndApplyHeader(buffer, offset, header).code());
            case GoodbyeDecoder.TEMPLATE_ID ->
                session.onDown(new GoodbyeDecoder().wrapAndApplyHeader(buffer, offset, header).codeRaw());
            case StandbyDecoder.TEMPLATE_ID ->
                session.onStandby(Standby.of(new StandbyDecoder().wrapAndApplyHeader(buffer, offset, header)));
            case LeadingDecoder.TEMPLATE_ID ->
                session.onLeading(new LeadingDecoder().wrapAndApplyHeader(buffer, offset, header).incarnation());
            case AttachedDecoder.TEMPLATE_ID ->
            {
                return session.onAttached(new AttachedDecoder().wrapAndApplyHeader(buffer, offset, header).loop());
            }
            case LogInSessionDecoder.TEMPLATE_ID -> onLogInSession(buffer, offset);
            case LogInReplyDecoder.TEMPLATE_ID -> onLogInReply(buffer, offset);
            case KeepaliveReplyDecoder.TEMPLATE_ID ->
            {
                final KeepaliveReplyDecoder reply = new KeepaliveReplyDecoder();
                reply.wrapAndApplyHeader(buffer, offset, header);
                session.onKeepaliveReply(reply.clientTimeNs(), reply.serverTimeNs());
            }
            case EntryRefusedDecoder.TEMPLATE_ID ->
            {
                final EntryRefusedDecoder refused = new EntryRefusedDecoder();
                refused.wrapAndApplyHeader(buffer, offset, header);
                egress.onRefused(refused.templateId(), refused.roomId(), refused.seatIndex(), refused.reference(),
                    refused.code());
            }
            default ->
            {
                return false;
            }
        }
        return true;
    }

    private void onLogInSession(final DirectBuffer buffer, final int offset)
    {
        final LogInSessionDecoder message = new LogInSessionDecoder().wrapAndApplyHeader(buffer, offset, header);
        final byte[] bytes = new byte[message.sessionLength()];
        message.getSession(bytes, 0, bytes.length);
        listener.onSession(message.requestId(), bytes);
    }

    private void onLogInReply(final DirectBuffer buffer, final int offset)
    {
        final LogInReplyDecoder reply = new LogInReplyDecoder().wrapAndApplyHeader(buffer, offset, header);
        final byte[] token = new byte[reply.tokenLength()];
        reply.getToken(token, 0, token.length);
        listener.onLogIn(reply.requestId(), reply.status(), reply.playerId(), token);
    }
}
