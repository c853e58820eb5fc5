package io.escapement.gateway;

import io.escapement.codecs.PlayerMessages;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** A player's client on the JDK's WebSocket, which shares no code with the gateway. Messages are kept as text. */
final class BrowserClient implements WebSocket.Listener
{
    final Queue<String> received = new ConcurrentLinkedQueue<>();
    volatile int closeCode = -1;
    /** Without it, what the gateway sends stays in the socket. */
    volatile boolean isReading = true;
    volatile byte[] token = FakeLink.NO_TOKEN;
    private final CompletableFuture<WebSocket> opening;
    /** Encodes and decodes as the fake does. */
    private final FakeLink codec = new FakeLink();
    private byte[] partial = {};

    /** Headers are names and values in turn. */
    BrowserClient(final HttpClient http, final String uri, final String... headers)
    {
        this(http.newWebSocketBuilder().subprotocols(PlayerMessages.SUBPROTOCOL), uri, headers);
    }

    private BrowserClient(final WebSocket.Builder builder, final String uri, final String... headers)
    {
        for (int i = 0; i < headers.length; i += 2)
        {
            builder.header(headers[i], headers[i + 1]);
        }
        opening = builder.buildAsync(URI.create(uri), this);
    }

    /** A player who comes back: its upgrade has the token of its session, as its Hello will. */
    static BrowserClient returning(final HttpClient http, final String uri, final byte[] resumeToken)
    {
        return new BrowserClient(http.newWebSocketBuilder().subprotocols(PlayerMessages.SUBPROTOCOL,
            PlayerMessages.RESUME_SUBPROTOCOL + HexFormat.of().formatHex(resumeToken)), uri);
    }

    boolean isOpen()
    {
        return opening.isDone() && !opening.isCompletedExceptionally();
    }

    boolean isRefused()
    {
        return opening.isCompletedExceptionally();
    }

    WebSocket socket()
    {
        return opening.join();
    }

    /** For its Hello: the gateway may hold messages to it this long, and send them together. */
    void flushMs(final int value)
    {
        codec.flushMs = (short)value;
    }

    void hello(final byte[] resumeToken)
    {
        send((link) -> link.hello(resumeToken));
    }

    void logIn(final long requestId, final String name)
    {
        send((link) -> link.logIn(requestId, name));
    }

    void join(final long requestId, final long roomId)
    {
        send((link) -> link.join(requestId, roomId));
    }

    void leave(final long roomId)
    {
        send((link) -> link.leave(roomId));
    }

    void message(final long roomId, final String text)
    {
        send((link) -> link.message(roomId, text));
    }

    void goodbye()
    {
        send(FakeLink::goodbye);
    }

    private void send(final Consumer<FakeLink> message)
    {
        codec.outgoing = (buffer, length) ->
        {
            final byte[] bytes = new byte[length];
            buffer.getBytes(0, bytes);
            socket().sendBinary(ByteBuffer.wrap(bytes), true).join();
        };
        message.accept(codec);
    }

    void sendRaw(final byte[] bytes)
    {
        socket().sendBinary(ByteBuffer.wrap(bytes), true).join();
    }

    /** Go on reading. */
    void read()
    {
        isReading = true;
        socket().request(1);
    }

    /** Cut the connection without a close. */
    void cut()
    {
        socket().abort();
    }

    boolean has(final String text)
    {
        return received.contains(text);
    }

    List<String> all()
    {
        return List.copyOf(received);
    }

    @Override
    public CompletionStage<?> onBinary(final WebSocket socket, final ByteBuffer data, final boolean last)
    {
        final byte[] whole = new byte[partial.length + data.remaining()];
        System.arraycopy(partial, 0, whole, 0, partial.length);
        data.get(whole, partial.length, whole.length - partial.length);
        partial = last ? new byte[0] : whole;
        if (last)
        {
            final DirectBuffer message = new UnsafeBuffer(whole);
            codec.send(message, 0, whole.length);
            token = codec.token;
            received.addAll(codec.take());
        }
        if (isReading)
        {
            socket.request(1);
        }
        return null;
    }

    @Override
    public CompletionStage<?> onClose(final WebSocket socket, final int statusCode, final String reason)
    {
        closeCode = statusCode;
        return null;
    }

    @Override
    public void onError(final WebSocket socket, final Throwable error)
    {
        closeCode = 1_006;
    }
}
