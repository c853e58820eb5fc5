package io.escapement.server;

import io.escapement.accounts.Credentials;
import io.escapement.arena.client.ArenaSender;
import io.escapement.arena.codecs.RoomPageDecoder;
import io.escapement.arena.lobby.LobbyRoom;
import io.escapement.codecs.PlayerMessages;
import io.escapement.codecs.layout.SchemaRules;
import io.escapement.codecs.player.EngineAwayDecoder;
import io.escapement.codecs.player.EngineBackDecoder;
import io.escapement.codecs.player.EventDecoder;
import io.escapement.codecs.player.GatewayCode;
import io.escapement.codecs.player.GoodbyeEncoder;
import io.escapement.codecs.player.HelloEncoder;
import io.escapement.codecs.player.JoinEncoder;
import io.escapement.codecs.player.JoinedDecoder;
import io.escapement.codecs.player.LogInEncoder;
import io.escapement.codecs.player.LoggedInDecoder;
import io.escapement.codecs.player.MessageEncoder;
import io.escapement.codecs.player.MessageHeaderDecoder;
import io.escapement.codecs.player.MessageHeaderEncoder;
import io.escapement.codecs.player.RefusedDecoder;
import io.escapement.codecs.player.WelcomeDecoder;
import io.escapement.testsupport.Tests;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** A player in the lobby on the JDK's WebSocket, in place of a page. It keeps what it receives, as lines. */
final class WebPlayer implements WebSocket.Listener, AutoCloseable
{
    static final String AWAY = "engine away";
    static final String BACK = "engine back";
    /** Then the request's number. */
    static final String PAGE = "page ";
    static final String UNREACHABLE = "refused " + GatewayCode.ENGINE_UNREACHABLE;

    private static final String CLOSED = "closed ";
    private static final byte[] PASSWORD = "nobody would guess this".getBytes(StandardCharsets.US_ASCII);
    private static final long LOBBY = LobbyRoom.ROOM_ID;

    private final List<String> received = new CopyOnWriteArrayList<>();
    private final UnsafeBuffer out = new UnsafeBuffer(new byte[1_024]);
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final MessageHeaderDecoder in = new MessageHeaderDecoder();
    private final ByteArrayOutputStream partial = new ByteArrayOutputStream();
    private final ArenaSender sender = new ArenaSender(this::toLobby);
    private final WebSocket socket;
    private volatile byte[] resumeToken;

    /** Connect to a gateway, sign up and take a seat in the lobby. */
    WebPlayer(final String url, final String name)
    {
        this(url, new byte[PlayerMessages.RESUME_TOKEN_LENGTH]);
        enter(Credentials.signUp(name, PASSWORD, ""));
    }

    private WebPlayer(final String url, final byte[] token)
    {
        socket = HttpClient.newHttpClient().newWebSocketBuilder().subprotocols(PlayerMessages.SUBPROTOCOL)
            .buildAsync(URI.create(url.replace("http:", "ws:")), this).join();
        send(new HelloEncoder().wrapAndApplyHeader(out, 0, header).protocolVersion(1).applicationVersion(0)
            .flushMs((short)0).putResumeToken(token, 0, token.length).encodedLength());
        await("welcome");
    }

    /** As a player who has an account. */
    static WebPlayer known(final String url, final String name)
    {
        final WebPlayer player = new WebPlayer(url, new byte[PlayerMessages.RESUME_TOKEN_LENGTH]);
        player.enter(Credentials.logIn(name, PASSWORD, ""));
        return player;
    }

    /** Connect with the session of a player whose connection was lost, and wait for the seat in the lobby. */
    static WebPlayer returning(final String url, final WebPlayer lost)
    {
        final WebPlayer player = new WebPlayer(url, lost.resumeToken);
        player.await("joined " + LOBBY);
        return player;
    }

    private void enter(final byte[] credentials)
    {
        send(new LogInEncoder().wrapAndApplyHeader(out, 0, header).requestId(1)
            .putCredentials(credentials, 0, credentials.length).encodedLength());
        await("logged in 0");
        join();
        await("joined " + LOBBY);
    }

    /** Request a seat in the lobby. */
    void join()
    {
        send(new JoinEncoder().wrapAndApplyHeader(out, 0, header).requestId(2).roomId(LOBBY).isSpectator((short)0)
            .putArgs(PASSWORD, 0, 0).encodedLength());
    }

    /** End the session in order. The gateway closes the connection. */
    void goodbye()
    {
        send(new GoodbyeEncoder().wrapAndApplyHeader(out, 0, header).encodedLength());
        Tests.await(() -> received.stream().anyMatch((line) -> line.startsWith(CLOSED)), received::toString);
    }

    /** Ask the lobby for its arenas. */
    void ask(final long number)
    {
        sender.listRooms(number, 0, "");
    }

    /** All that was received. */
    List<String> received()
    {
        return received;
    }

    void await(final String line)
    {
        Tests.await(() -> received.contains(line), () -> "'" + line + "' in " + received);
    }

    private void toLobby(final DirectBuffer buffer, final int offset, final int length)
    {
        send(new MessageEncoder().wrapAndApplyHeader(out, 0, header).roomId(LOBBY)
            .putPayload(buffer, offset, length).encodedLength());
    }

    private void send(final int length)
    {
        final byte[] bytes = new byte[MessageHeaderEncoder.ENCODED_LENGTH + length];
        out.getBytes(0, bytes);
        socket.sendBinary(ByteBuffer.wrap(bytes), true).join();
    }

    @Override
    public CompletionStage<?> onBinary(final WebSocket from, final ByteBuffer data, final boolean isLast)
    {
        final byte[] bytes = new byte[data.remaining()];
        data.get(bytes);
        partial.writeBytes(bytes);
        if (isLast)
        {
            final String line = lineOf(new UnsafeBuffer(partial.toByteArray()));
            if (null != line)
            {
                received.add(line);
            }
            partial.reset();
        }
        from.request(1);
        return null;
    }

    private String lineOf(final UnsafeBuffer message)
    {
        return switch (SchemaRules.templateId(message, 0))
        {
            case WelcomeDecoder.TEMPLATE_ID -> welcome(new WelcomeDecoder().wrapAndApplyHeader(message, 0, in));
            case LoggedInDecoder.TEMPLATE_ID ->
                "logged in " + new LoggedInDecoder().wrapAndApplyHeader(message, 0, in).status();
            case JoinedDecoder.TEMPLATE_ID ->
                "joined " + new JoinedDecoder().wrapAndApplyHeader(message, 0, in).roomId();
            case RefusedDecoder.TEMPLATE_ID ->
                refusal(new RefusedDecoder().wrapAndApplyHeader(message, 0, in).codeRaw());
            case EngineAwayDecoder.TEMPLATE_ID -> AWAY;
            case EngineBackDecoder.TEMPLATE_ID -> BACK;
            case EventDecoder.TEMPLATE_ID -> pageOf(new EventDecoder().wrapAndApplyHeader(message, 0, in));
            default -> "template " + SchemaRules.templateId(message, 0);
        };
    }

    private String welcome(final WelcomeDecoder welcome)
    {
        final byte[] token = new byte[PlayerMessages.RESUME_TOKEN_LENGTH];
        welcome.getResumeToken(token, 0, token.length);
        resumeToken = token;
        return "welcome";
    }

    private static String refusal(final int code)
    {
        return GatewayCode.ENGINE_UNREACHABLE.value() == code ? UNREACHABLE : "refused " + code;
    }

    /** An answer of the lobby, or null for its news. */
    private static String pageOf(final EventDecoder event)
    {
        final UnsafeBuffer payload = new UnsafeBuffer(new byte[event.payloadLength()]);
        event.getPayload(payload, 0, payload.capacity());
        return RoomPageDecoder.TEMPLATE_ID == SchemaRules.templateId(payload, 0) ?
            PAGE + new RoomPageDecoder().wrapAndApplyHeader(
                payload, 0, new io.escapement.arena.codecs.MessageHeaderDecoder()).requestId() : null;
    }

    @Override
    public CompletionStage<?> onClose(final WebSocket from, final int statusCode, final String reason)
    {
        received.add(CLOSED + statusCode);
        return null;
    }

    /** Cut the connection without a close. */
    void lose()
    {
        socket.abort();
    }

    @Override
    public void close()
    {
        lose();
    }
}
