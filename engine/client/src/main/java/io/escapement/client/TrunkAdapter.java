package io.escapement.client;

import io.aeron.logbuffer.FragmentHandler;
import io.aeron.logbuffer.Header;
import io.escapement.client.TrunkClient.State;
import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.layout.SchemaRules;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.trunk.AttachedDecoder;
import io.escapement.codecs.trunk.ChallengeDecoder;
import io.escapement.codecs.trunk.EntryRefusedDecoder;
import io.escapement.codecs.trunk.FeedOfferedDecoder;
import io.escapement.codecs.trunk.GoodbyeDecoder;
import io.escapement.codecs.trunk.KeepaliveReplyDecoder;
import io.escapement.codecs.trunk.LeadingDecoder;
import io.escapement.codecs.trunk.LogInReplyDecoder;
import io.escapement.codecs.trunk.LogInSessionDecoder;
import io.escapement.codecs.trunk.RejectDecoder;
import io.escapement.codecs.trunk.StandbyDecoder;
import io.escapement.codecs.trunk.TrunkCode;
import io.escapement.codecs.trunk.TrunkDispatcher;
import io.escapement.codecs.trunk.WelcomeDecoder;
import org.agrona.DirectBuffer;

/**
 * Decodes the batches of the control stream. Messages are handled in order up to the first malformed one, which is
 * counted and ends its batch. A message that the trunk's state does not allow is counted and dropped.
 */
final class TrunkAdapter extends TrunkDispatcher implements FragmentHandler
{
    private static final int NONE = RefusalCode.NONE.value();

    private final TrunkSession session;
    private final EgressAdapter egress;
    private final TrunkListener listener;
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
            if (isExpected(SchemaRules.templateId(buffer, message)))
            {
                dispatch(buffer, message);
            }
            else
            {
                malformed++;
            }
            at += TrunkMessages.ENTRY_HEADER_LENGTH + entryLength;
        }
    }

    /** The first answer is of another version of the schema. Therefore this client cannot read the engine. */
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

    /** Whether the client is on standby, perhaps with a request for a trunk on its way. */
    private boolean isStandingBy(final State state)
    {
        return State.STANDBY == state || session.isStandby() && session.isAsking();
    }

    /** A message that does not belong on this stream. */
    @Override
    protected int refused(final int templateId)
    {
        malformed++;
        return NONE;
    }

    @Override
    protected int onChallenge(final ChallengeDecoder challenge)
    {
        session.onChallenge(challenge.nonce().high(), challenge.nonce().low());
        return NONE;
    }

    @Override
    protected int onWelcome(final WelcomeDecoder welcome)
    {
        session.onWelcome(welcome);
        return NONE;
    }

    @Override
    protected int onReject(final RejectDecoder reject)
    {
        session.onReject(reject.code());
        return NONE;
    }

    @Override
    protected int onGoodbye(final GoodbyeDecoder goodbye)
    {
        session.onDown(goodbye.codeRaw());
        return NONE;
    }

    @Override
    protected int onStandby(final StandbyDecoder standby)
    {
        session.onStandby(Standby.of(standby));
        return NONE;
    }

    @Override
    protected int onLeading(final LeadingDecoder leading)
    {
        session.onLeading(leading.incarnation());
        return NONE;
    }

    @Override
    protected int onAttached(final AttachedDecoder attached)
    {
        malformed += session.onAttached(attached.loop()) ? 0 : 1;
        return NONE;
    }

    @Override
    protected int onFeedOffered(final FeedOfferedDecoder feedOffered)
    {
        session.onFeedOffered(feedOffered);
        return NONE;
    }

    @Override
    protected int onLogInSession(final LogInSessionDecoder logInSession)
    {
        final byte[] bytes = new byte[logInSession.sessionLength()];
        logInSession.getSession(bytes, 0, bytes.length);
        listener.onSession(logInSession.requestId(), bytes);
        return NONE;
    }

    @Override
    protected int onLogInReply(final LogInReplyDecoder logInReply)
    {
        final byte[] token = new byte[logInReply.tokenLength()];
        logInReply.getToken(token, 0, token.length);
        listener.onLogIn(logInReply.requestId(), logInReply.status(), logInReply.playerId(), token);
        return NONE;
    }

    @Override
    protected int onKeepaliveReply(final KeepaliveReplyDecoder keepaliveReply)
    {
        session.onKeepaliveReply(keepaliveReply.clientTimeNs(), keepaliveReply.serverTimeNs());
        return NONE;
    }

    @Override
    protected int onEntryRefused(final EntryRefusedDecoder entryRefused)
    {
        egress.onRefused(entryRefused.templateId(), entryRefused.roomId(), entryRefused.seatIndex(),
            entryRefused.reference(), entryRefused.code());
        return NONE;
    }
}
