package io.escapement.examples.common;

import io.escapement.codecs.PlayerMessages;
import io.escapement.codecs.layout.SchemaRules;
import io.escapement.codecs.player.EventDecoder;
import io.escapement.codecs.player.HelloEncoder;
import io.escapement.codecs.player.JoinEncoder;
import io.escapement.codecs.player.JoinedDecoder;
import io.escapement.codecs.player.LogInEncoder;
import io.escapement.codecs.player.LoggedInDecoder;
import io.escapement.codecs.player.MessageEncoder;
import io.escapement.codecs.player.MessageHeaderDecoder;
import io.escapement.codecs.player.MessageHeaderEncoder;
import io.escapement.codecs.player.PlayerLayout;
import io.escapement.codecs.player.RefusedDecoder;
import io.escapement.codecs.player.StateDecoder;
import io.escapement.codecs.player.WelcomeDecoder;
import io.escapement.lobby.codecs.AnswerDecoder;
import io.escapement.lobby.codecs.AskEncoder;
import io.escapement.lobby.codecs.LobbyEncoder;
import io.escapement.lobby.codecs.LobbyLayout;
import io.escapement.testsupport.Tests;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A player on the JDK's WebSocket, in place of a page. It keeps all that it receives, as {@code <room>:<payload>} for
 * events and {@code joined <room>}, {@code refused <code>} for the rest.
 */
public final class WebPlayer implements WebSocket.Listener, AutoCloseable
{
    /** The first room of the chat and of the turns. */
    public static final long LOBBY_ROOM_ID = 1;

    private static final int NAME_LABEL = 0;
    private static final long NO_ANSWER = -1;
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final Queue<String> received = new ConcurrentLinkedQueue<>();
    private final Queue<byte[]> payloads = new ConcurrentLinkedQueue<>();
    private final UnsafeBuffer out = new UnsafeBuffer(new byte[1_024]);
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final MessageHeaderDecoder in = new MessageHeaderDecoder();
    private final WebSocket socket;
    private byte[] partial = {};
    private long requestId;

    /**
     * Connect, and log in with a key.
     *
     * @param url of the page.
     * @param key of the guest, 16 bytes or more.
     */
    public WebPlayer(final String url, final String key)
    {
        socket = HTTP.newWebSocketBuilder().subprotocols(PlayerMessages.SUBPROTOCOL)
            .buildAsync(URI.create(url.replace("http:", "ws:")), this).join();
        send(new HelloEncoder().wrapAndApplyHeader(out, 0, header).protocolVersion(1).applicationVersion(0)
            .flushMs((short)0).putResumeToken(new byte[16], 0, 16).encodedLength());
        await("welcome"::equals, "welcome");
        final byte[] credentials = key.getBytes(StandardCharsets.UTF_8);
        send(new LogInEncoder().wrapAndApplyHeader(out, 0, header).requestId(++requestId)
            .putCredentials(credentials, 0, credentials.length).encodedLength());
        await((text) -> text.startsWith("loggedIn"), "the log-in");
    }

    /** Join a room, and wait for the seat. */
    public WebPlayer join(final long roomId, final String args)
    {
        askToJoin(roomId, args);
        await(("joined " + roomId)::equals, "joined " + roomId);
        return this;
    }

    /** Ask for a seat. */
    public void askToJoin(final long roomId, final String args)
    {
        final byte[] bytes = args.getBytes(StandardCharsets.UTF_8);
        send(new JoinEncoder().wrapAndApplyHeader(out, 0, header).requestId(++requestId).roomId(roomId)
            .isSpectator((short)0).putArgs(bytes, 0, bytes.length).encodedLength());
    }

    /** Ask the lobby for a room with a name, which it opens if there is none, and join it. */
    public long joinOrCreate(final int typeId, final String name, final String args)
    {
        payloads.clear();
        final UnsafeBuffer ask = new UnsafeBuffer(new byte[512]);
        final AskEncoder message = new LobbyEncoder().ask(ask, 0, 1, typeId, false);
        final byte[] label = name.getBytes(StandardCharsets.UTF_8);
        message.labelsCount(1).next().key((short)NAME_LABEL).putValue(label, 0, label.length);
        message.putArgs(new byte[0], 0, 0);
        say(LOBBY_ROOM_ID,
            Arrays.copyOf(ask.byteArray(), MessageHeaderEncoder.ENCODED_LENGTH + message.encodedLength()));
        Tests.await(() -> answer() != NO_ANSWER, () -> "the answer of the lobby, but " + received);
        join(answer(), args);
        return answer();
    }

    private long answer()
    {
        for (final byte[] payload : payloads)
        {
            final UnsafeBuffer bytes = new UnsafeBuffer(payload);
            if (0 == LobbyLayout.RULES.validate(bytes, 0, payload.length))
            {
                return new AnswerDecoder()
                    .wrapAndApplyHeader(bytes, 0, new io.escapement.lobby.codecs.MessageHeaderDecoder()).roomId();
            }
        }
        return NO_ANSWER;
    }

    /** Send a text to a room. */
    public void say(final long roomId, final String text)
    {
        say(roomId, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Send bytes to a room. */
    public void say(final long roomId, final byte[] bytes)
    {
        send(new MessageEncoder().wrapAndApplyHeader(out, 0, header).roomId(roomId)
            .putPayload(bytes, 0, bytes.length).encodedLength());
    }

    private void send(final int length)
    {
        final byte[] bytes = new byte[MessageHeaderEncoder.ENCODED_LENGTH + length];
        out.getBytes(0, bytes);
        socket.sendBinary(ByteBuffer.wrap(bytes), true).join();
    }

    /** Wait for a message, and return the first. */
    public String await(final Predicate<String> wanted, final String name)
    {
        Tests.await(() -> received.stream().anyMatch(wanted),
            () -> name + ", but " + received);
        return received.stream().filter(wanted).findFirst().orElseThrow();
    }

    /** Wait for an event of a room that ends with a text. */
    public String awaitEvent(final long roomId, final String end)
    {
        return await((text) -> text.startsWith(roomId + ":") && text.endsWith(end), end);
    }

    /** All that was received. */
    public List<String> received()
    {
        return List.copyOf(received);
    }

    /** The payloads of all events and states. */
    public List<byte[]> payloads()
    {
        return List.copyOf(payloads);
    }

    /** Forget all that was received. */
    public void clear()
    {
        received.clear();
        payloads.clear();
    }

    @Override
    public CompletionStage<?> onBinary(final WebSocket from, final ByteBuffer data, final boolean last)
    {
        final byte[] whole = new byte[partial.length + data.remaining()];
        System.arraycopy(partial, 0, whole, 0, partial.length);
        data.get(whole, partial.length, whole.length - partial.length);
        partial = last ? new byte[0] : whole;
        if (last)
        {
            onMessage(new UnsafeBuffer(whole));
        }
        from.request(1);
        return null;
    }

    private void onMessage(final UnsafeBuffer message)
    {
        assert 0 == PlayerLayout.RULES.validate(message, 0, message.capacity());
        switch (SchemaRules.templateId(message, 0))
        {
            case WelcomeDecoder.TEMPLATE_ID -> received.add("welcome");
            case LoggedInDecoder.TEMPLATE_ID -> received.add(
                "loggedIn " + new LoggedInDecoder().wrapAndApplyHeader(message, 0, in).status());
            case JoinedDecoder.TEMPLATE_ID -> received.add(
                "joined " + new JoinedDecoder().wrapAndApplyHeader(message, 0, in).roomId());
            case RefusedDecoder.TEMPLATE_ID -> received.add(
                "refused " + new RefusedDecoder().wrapAndApplyHeader(message, 0, in).codeRaw());
            case EventDecoder.TEMPLATE_ID ->
            {
                final EventDecoder event = new EventDecoder().wrapAndApplyHeader(message, 0, in);
                final byte[] payload = new byte[event.payloadLength()];
                event.getPayload(payload, 0, payload.length);
                payloads.add(payload);
                received.add(event.roomId() + ":" + new String(payload, StandardCharsets.UTF_8));
            }
            case StateDecoder.TEMPLATE_ID ->
            {
                final StateDecoder state = new StateDecoder().wrapAndApplyHeader(message, 0, in);
                final byte[] payload = new byte[state.payloadLength()];
                state.getPayload(payload, 0, payload.length);
                payloads.add(payload);
            }
            default ->
            {
            }
        }
    }

    @Override
    public CompletionStage<?> onClose(final WebSocket from, final int statusCode, final String reason)
    {
        received.add("closed " + statusCode);
        return null;
    }

    /** Cut the connection. */
    @Override
    public void close()
    {
        socket.abort();
    }
}
