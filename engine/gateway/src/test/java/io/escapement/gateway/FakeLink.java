package io.escapement.gateway;

import io.escapement.codecs.layout.SchemaRules;
import io.escapement.codecs.player.CloseCode;
import io.escapement.codecs.player.EventDecoder;
import io.escapement.codecs.player.GoAwayDecoder;
import io.escapement.codecs.player.GoodbyeEncoder;
import io.escapement.codecs.player.HelloEncoder;
import io.escapement.codecs.player.JoinEncoder;
import io.escapement.codecs.player.JoinedDecoder;
import io.escapement.codecs.player.LeaveEncoder;
import io.escapement.codecs.player.LeftDecoder;
import io.escapement.codecs.player.LogInEncoder;
import io.escapement.codecs.player.LoggedInDecoder;
import io.escapement.codecs.player.MessageEncoder;
import io.escapement.codecs.player.MessageHeaderDecoder;
import io.escapement.codecs.player.MessageHeaderEncoder;
import io.escapement.codecs.player.PingEncoder;
import io.escapement.codecs.player.PlayerLayout;
import io.escapement.codecs.player.PongDecoder;
import io.escapement.codecs.player.RefusedDecoder;
import io.escapement.codecs.player.SeatAwayDecoder;
import io.escapement.codecs.player.StateDecoder;
import io.escapement.codecs.player.WelcomeDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** A player's client and its connection in memory. Received messages are kept as text. */
final class FakeLink implements PlayerLink
{
    static final byte[] NO_TOKEN = new byte[16];

    /** Encodes nothing: receivers get the parts. */
    static final class FakeShared implements SharedMessage
    {
        private byte[] bytes;

        @Override
        public void encode(
            final DirectBuffer prefix,
            final int prefixLength,
            final DirectBuffer buffer,
            final int offset,
            final int length)
        {
            bytes = new byte[prefixLength + length];
            prefix.getBytes(0, bytes, 0, prefixLength);
            buffer.getBytes(offset, bytes, prefixLength, length);
        }

        @Override
        public void release()
        {
            bytes = null;
        }
    }

    /** Takes the player's messages to a gateway. */
    @FunctionalInterface
    interface Outgoing
    {
        void send(DirectBuffer buffer, int length);
    }

    final List<String> received = new ArrayList<>();
    Outgoing outgoing = (buffer, length) -> this.connection.onMessage(buffer, 0, length);
    final UnsafeBuffer out = new UnsafeBuffer(new byte[1_024]);
    /** Of the last LoggedIn. */
    String sessionToken;
    byte[] token = NO_TOKEN;
    /** Of its Hello. */
    short flushMs;
    /** Of the last GoAway. */
    long goAwayMs;
    CloseCode closed;
    boolean isReading = true;
    /** Whether the worker has a place for it. */
    boolean hasPlace = true;
    boolean isTaking = true;
    long queuedBytes;
    int pings;
    int pongs;
    int flushes;
    PlayerConnection connection;
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final MessageHeaderDecoder in = new MessageHeaderDecoder();

    FakeLink open(final Sessions sessions, final String address)
    {
        connection = sessions.accept(this, address, sessions.nowNs() + sessions.limits().handshakeNs());
        return this;
    }

    // The player's side

    void hello(final byte[] resumeToken)
    {
        final HelloEncoder hello = new HelloEncoder().wrapAndApplyHeader(out, 0, header);
        deliver(hello.protocolVersion(1).applicationVersion(1)
            .flushMs(flushMs).putResumeToken(resumeToken, 0, 16).encodedLength());
    }

    void logIn(final long requestId, final String name)
    {
        deliver(new LogInEncoder().wrapAndApplyHeader(out, 0, header).requestId(requestId)
            .putCredentials(bytes(name), 0, name.length()).encodedLength());
    }

    void join(final long requestId, final long roomId)
    {
        join(requestId, roomId, false);
    }

    void join(final long requestId, final long roomId, final boolean isSpectator)
    {
        deliver(new JoinEncoder().wrapAndApplyHeader(out, 0, header).requestId(requestId).roomId(roomId)
            .isSpectator((short)(isSpectator ? 1 : 0)).putArgs(NO_TOKEN, 0, 0).encodedLength());
    }

    void leave(final long roomId)
    {
        leave(roomId, 0);
    }

    void leave(final long roomId, final int code)
    {
        deliver(new LeaveEncoder().wrapAndApplyHeader(out, 0, header).roomId(roomId).code(code).encodedLength());
    }

    void message(final long roomId, final String text)
    {
        deliver(new MessageEncoder().wrapAndApplyHeader(out, 0, header).roomId(roomId)
            .putPayload(bytes(text), 0, text.length()).encodedLength());
    }

    void pingGateway(final long timeNs)
    {
        deliver(new PingEncoder().wrapAndApplyHeader(out, 0, header).clientTimeNs(timeNs).encodedLength());
    }

    void goodbye()
    {
        deliver(new GoodbyeEncoder().wrapAndApplyHeader(out, 0, header).encodedLength());
    }

    void lose()
    {
        connection.onClosed();
    }

    private void deliver(final int length)
    {
        outgoing.send(out, 8 + length);
    }

    List<String> take()
    {
        final List<String> taken = new ArrayList<>(received);
        received.clear();
        return taken;
    }

    static byte[] bytes(final String text)
    {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    // The gateway's side

    @Override
    public void send(final DirectBuffer buffer, final int offset, final int length)
    {
        if (0 != PlayerLayout.RULES.validate(buffer, offset, length))
        {
            throw new AssertionError("the gateway sent a malformed message");
        }
        if (!isTaking)
        {
            queuedBytes += length;
        }
        received.add(text(buffer, offset));
    }

    @Override
    public void send(final SharedMessage message)
    {
        final byte[] bytes = ((FakeShared)message).bytes;
        send(new UnsafeBuffer(bytes), 0, bytes.length);
    }

    private String text(final DirectBuffer buffer, final int offset)
    {
        switch (SchemaRules.templateId(buffer, offset))
        {
            case WelcomeDecoder.TEMPLATE_ID ->
            {
                final WelcomeDecoder welcome = new WelcomeDecoder().wrapAndApplyHeader(buffer, offset, in);
                token = new byte[16];
                welcome.getResumeToken(token, 0, 16);
                return "welcome " + (1 == welcome.isResumed() ? "resumed" : "new");
            }
            case LoggedInDecoder.TEMPLATE_ID ->
            {
                final LoggedInDecoder logged = new LoggedInDecoder().wrapAndApplyHeader(buffer, offset, in);
                final String text = "loggedIn " + logged.requestId() + " " + logged.status() + " " + logged.playerId();
                final byte[] session = new byte[logged.sessionTokenLength()];
                logged.getSessionToken(session, 0, session.length);
                sessionToken = new String(session, StandardCharsets.US_ASCII);
                return text;
            }
            case JoinedDecoder.TEMPLATE_ID ->
            {
                final JoinedDecoder joined = new JoinedDecoder().wrapAndApplyHeader(buffer, offset, in);
                return "joined " + joined.requestId() + " " + joined.roomId() + " " + joined.playerId() + flags(joined);
            }
            case SeatAwayDecoder.TEMPLATE_ID ->
            {
                final SeatAwayDecoder away = new SeatAwayDecoder().wrapAndApplyHeader(buffer, offset, in);
                return "away " + away.roomId() + " " + away.reason();
            }
            case LeftDecoder.TEMPLATE_ID ->
            {
                final LeftDecoder left = new LeftDecoder().wrapAndApplyHeader(buffer, offset, in);
                return "left " + left.roomId() + " " + left.reason() + (0 == left.code() ? "" : " " + left.code());
            }
            case RefusedDecoder.TEMPLATE_ID ->
            {
                final RefusedDecoder refused = new RefusedDecoder().wrapAndApplyHeader(buffer, offset, in);
                return "refused " + refused.roomId() + " " + refused.reference() + " " + refused.templateId() + " " +
                    refused.codeRaw();
            }
            case GoAwayDecoder.TEMPLATE_ID ->
            {
                final GoAwayDecoder go = new GoAwayDecoder().wrapAndApplyHeader(buffer, offset, in);
                goAwayMs = go.withinMs();
                return "goAway " + go.code();
            }
            case PongDecoder.TEMPLATE_ID ->
            {
                return "pong " + new PongDecoder().wrapAndApplyHeader(buffer, offset, in).clientTimeNs();
            }
            case EventDecoder.TEMPLATE_ID ->
            {
                final EventDecoder event = new EventDecoder().wrapAndApplyHeader(buffer, offset, in);
                final byte[] payload = new byte[event.payloadLength()];
                event.getPayload(payload, 0, payload.length);
                return "event " + of(event.turn()) + new String(payload, StandardCharsets.US_ASCII);
            }
            case StateDecoder.TEMPLATE_ID ->
            {
                final StateDecoder state = new StateDecoder().wrapAndApplyHeader(buffer, offset, in);
                final byte[] payload = new byte[state.payloadLength()];
                state.getPayload(payload, 0, payload.length);
                return "state " + of(state.turn()) + new String(payload, StandardCharsets.US_ASCII);
            }
            default ->
            {
                return "template " + SchemaRules.templateId(buffer, offset);
            }
        }
    }

    private static String of(final long turn)
    {
        return 0 == turn ? "" : "of turn " + turn + " ";
    }

    private static String flags(final JoinedDecoder joined)
    {
        return (1 == joined.isReturn() ? " return" : "") + (1 == joined.isSpectator() ? " to watch" : "") +
            answer(joined);
    }

    private static String answer(final JoinedDecoder joined)
    {
        final byte[] answer = new byte[joined.answerLength()];
        joined.getAnswer(answer, 0, answer.length);
        return 0 == answer.length ? "" : " " + new String(answer, StandardCharsets.US_ASCII);
    }

    @Override
    public boolean greet(final boolean hasSession)
    {
        return hasPlace;
    }

    @Override
    public void ping()
    {
        pings++;
    }

    @Override
    public void pong(final DirectBuffer buffer, final int offset, final int length)
    {
        pongs++;
        queuedBytes += isTaking ? 0 : length;
    }

    @Override
    public void flush()
    {
        flushes++;
    }

    @Override
    public long queuedBytes()
    {
        return queuedBytes;
    }

    @Override
    public void isReading(final boolean value)
    {
        isReading = value;
    }

    @Override
    public void close(final CloseCode code)
    {
        closed = code;
    }
}
