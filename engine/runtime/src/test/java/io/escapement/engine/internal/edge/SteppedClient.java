package io.escapement.engine.internal.edge;

import io.aeron.logbuffer.FrameDescriptor;
import io.escapement.codecs.TrunkMessages;
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
import io.escapement.codecs.trunk.MessageHeaderDecoder;
import io.escapement.codecs.trunk.RejectDecoder;
import io.escapement.codecs.trunk.StandbyDecoder;
import io.escapement.codecs.trunk.TrunkCode;
import io.escapement.codecs.trunk.WelcomeDecoder;
import io.escapement.engine.internal.queue.ControlSignal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/** A client of a {@link SteppedEdge}: sends any message at any time, and decodes the replies to text. */
final class SteppedClient
{
    static final String IDENTITY = "client";

    final SteppedEdge edge;
    private final String host;
    MemoryTransport.MemoryImage control;
    long trunkId;
    long attachToken;
    long resumeHigh;
    long resumeLow;
    long standbyToken;
    byte[] playerToken = {};
    /** Of the last offer. */
    int feedId;
    int feedSessionId;

    SteppedClient(final SteppedEdge edge)
    {
        this(edge, null);
    }

    /** A client on a host; null for a host without others. */
    SteppedClient(final SteppedEdge edge, final String host)
    {
        this.edge = edge;
        this.host = host;
        connect();
    }

    /** A client with a trunk whose players must log in. */
    static SteppedClient welcomed(final SteppedEdge edge)
    {
        return welcomed(edge, "right");
    }

    static SteppedClient welcomed(final SteppedEdge edge, final String credentials)
    {
        final SteppedClient client = new SteppedClient(edge);
        client.send(ClientMessages.hello(TrunkMessages.PROTOCOL_VERSION, IDENTITY));
        client.send(ClientMessages.proof(credentials));
        final List<String> replies = client.takeReplies();
        if (!List.of("Challenge", "Welcome").equals(replies))
        {
            throw new AssertionError(replies);
        }
        return client;
    }

    /** A client that stands by. */
    static SteppedClient standingBy(final SteppedEdge edge)
    {
        final SteppedClient client = new SteppedClient(edge);
        client.hello();
        client.send(ClientMessages.stand("right"));
        final List<String> replies = client.takeReplies();
        if (2 != replies.size() || !replies.get(1).startsWith("Standby"))
        {
            throw new AssertionError(replies);
        }
        return client;
    }

    /** Open a control stream, in addition to any that is open. */
    void connect()
    {
        control = edge.transport.connect(TrunkMessages.CONTROL_STREAM_ID);
        control.source = null == host ? control.source : host;
        edge.step();
    }

    /** Know the tokens of another client's trunk. */
    void takeOver(final SteppedClient other)
    {
        other.takeReplies();
        trunkId = other.trunkId;
        attachToken = other.attachToken;
        resumeHigh = other.resumeHigh;
        resumeLow = other.resumeLow;
    }

    void disconnect()
    {
        edge.transport.disconnect(control);
        edge.step();
    }

    MemoryTransport.MemoryImage connect(final int loop)
    {
        final MemoryTransport.MemoryImage image = edge.transport.connect(TrunkMessages.loopStreamId(loop));
        edge.step();
        return image;
    }

    /** Open a loop stream, up to the reply that entries are admitted. */
    MemoryTransport.MemoryImage attached(final int loop, final int link)
    {
        final MemoryTransport.MemoryImage image = attach(loop, link, false);
        final List<String> replies = takeReplies();
        if (!List.of("Attached " + loop).equals(replies))
        {
            throw new AssertionError(replies);
        }
        return image;
    }

    /** Open a loop stream, until its loop has attached it. */
    MemoryTransport.MemoryImage attach(final int loop, final int link, final boolean isShared)
    {
        final MemoryTransport.MemoryImage image = connect(loop);
        image.isShared = isShared;
        image.send(ClientMessages.attach(trunkId, attachToken));
        edge.step(3);
        edge.signal(ControlSignal.ATTACHED, loop, link);
        edge.step();
        return image;
    }

    void send(final byte[] message)
    {
        control.send(message);
        edge.step(2);
    }

    void sendFragmented(final byte[] message)
    {
        control.send(message, FrameDescriptor.BEGIN_FRAG_FLAG);
        edge.step(2);
    }

    void hello()
    {
        send(ClientMessages.hello(TrunkMessages.PROTOCOL_VERSION, IDENTITY));
    }

    void resume(final String credentials)
    {
        send(ClientMessages.resume(trunkId, resumeHigh, resumeLow, credentials));
    }

    /** The replies since the last call. */
    List<String> takeReplies()
    {
        final List<String> replies = new ArrayList<>();
        if (null != control.response)
        {
            control.response.take().forEach((message) -> replies.add(decode(new UnsafeBuffer(message))));
        }
        return replies;
    }

    private String decode(final UnsafeBuffer buffer)
    {
        final MessageHeaderDecoder header = new MessageHeaderDecoder();
        header.wrap(buffer, 0);
        return switch (header.templateId())
        {
            case ChallengeDecoder.TEMPLATE_ID -> "Challenge";
            case WelcomeDecoder.TEMPLATE_ID ->
            {
                final WelcomeDecoder welcome = new WelcomeDecoder().wrapAndApplyHeader(buffer, 0, header);
                trunkId = welcome.trunkId();
                attachToken = welcome.attachToken();
                resumeHigh = welcome.resumeToken().high();
                resumeLow = welcome.resumeToken().low();
                yield 0 == welcome.isResumed() ? "Welcome" : "Welcome resumed";
            }
            case StandbyDecoder.TEMPLATE_ID ->
            {
                final StandbyDecoder standby = new StandbyDecoder().wrapAndApplyHeader(buffer, 0, header);
                standbyToken = standby.attachToken();
                yield "Standby at " + standby.memberId() + (standby.memberId() == standby.leaderMemberId() ?
                    ", which leads in " + standby.incarnation() : " of " + standby.leaderMemberId());
            }
            case LeadingDecoder.TEMPLATE_ID ->
            {
                final LeadingDecoder leading = new LeadingDecoder().wrapAndApplyHeader(buffer, 0, header);
                yield "Leading " + leading.memberId() + " in " + leading.incarnation();
            }
            case LogInSessionDecoder.TEMPLATE_ID ->
            {
                final LogInSessionDecoder session = new LogInSessionDecoder().wrapAndApplyHeader(buffer, 0, header);
                final long requestId = session.requestId();
                final byte[] bytes = new byte[session.sessionLength()];
                session.getSession(bytes, 0, bytes.length);
                yield "LogInSession " + requestId + " " + new String(bytes, StandardCharsets.US_ASCII);
            }
            case LogInReplyDecoder.TEMPLATE_ID ->
            {
                final LogInReplyDecoder reply = new LogInReplyDecoder().wrapAndApplyHeader(buffer, 0, header);
                final long requestId = reply.requestId();
                final int status = reply.status();
                playerToken = new byte[reply.tokenLength()];
                reply.getToken(playerToken, 0, playerToken.length);
                yield "LogInReply " + requestId + " " + (0 == status ? "NONE" : code(status));
            }
            case RejectDecoder.TEMPLATE_ID ->
                "Reject " + code(new RejectDecoder().wrapAndApplyHeader(buffer, 0, header).code());
            case AttachedDecoder.TEMPLATE_ID ->
                "Attached " + new AttachedDecoder().wrapAndApplyHeader(buffer, 0, header).loop();
            case EntryRefusedDecoder.TEMPLATE_ID ->
            {
                final EntryRefusedDecoder refused = new EntryRefusedDecoder().wrapAndApplyHeader(buffer, 0, header);
                yield "EntryRefused " + refused.reference() + " " + code(refused.code());
            }
            case FeedOfferedDecoder.TEMPLATE_ID ->
            {
                final FeedOfferedDecoder offer = new FeedOfferedDecoder().wrapAndApplyHeader(buffer, 0, header);
                feedId = offer.feedId();
                feedSessionId = offer.sessionId();
                final String text = "FeedOffered " + offer.loop() + " on " + offer.streamId();
                final byte[] group = new byte[offer.groupLength()];
                offer.getGroup(group, 0, group.length);
                yield text + (0 == group.length ? "" : " to " + new String(group, StandardCharsets.US_ASCII));
            }
            case GoodbyeDecoder.TEMPLATE_ID ->
                "Goodbye " + new GoodbyeDecoder().wrapAndApplyHeader(buffer, 0, header).code();
            case KeepaliveReplyDecoder.TEMPLATE_ID -> "KeepaliveReply";
            default -> "template " + header.templateId();
        };
    }

    private static String code(final int code)
    {
        return code < TrunkCode.PROTOCOL_VERSION.value() ?
            RefusalCode.get((short)code).name() : TrunkCode.get((short)code).name();
    }
}
