package io.escapement.server;

import io.escapement.codecs.PlayerMessages;
import io.escapement.codecs.layout.SchemaRules;
import io.escapement.codecs.player.HelloEncoder;
import io.escapement.codecs.player.JoinEncoder;
import io.escapement.codecs.player.JoinedDecoder;
import io.escapement.codecs.player.LeftDecoder;
import io.escapement.codecs.player.LogInEncoder;
import io.escapement.codecs.player.LoggedInDecoder;
import io.escapement.codecs.player.MessageHeaderDecoder;
import io.escapement.codecs.player.MessageHeaderEncoder;
import io.escapement.codecs.player.WelcomeDecoder;
import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** Players log in by tokens at the program's gateway, play, and are banned. */
@RealTime("a server with a gateway")
class TokenServerTest
{
    private static final byte[] SECRET = "a secret of thirty-two bytes, or more".getBytes(StandardCharsets.US_ASCII);
    private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();
    private static final int BANNED = 1230;
    private static final int EXPIRED = 1223;

    private static final long ROOM = 1;
    private static final List<String> FLAGS = List.of("-XX:TieredStopAtLevel=1", "-Xmx512m",
        "--enable-native-access=ALL-UNNAMED", "--add-opens", "java.base/jdk.internal.misc=ALL-UNNAMED",
        "--add-opens", "java.base/sun.nio.ch=ALL-UNNAMED");

    private final List<String> lines = new CopyOnWriteArrayList<>();
    @TempDir
    private Path directory;

    /** A page in miniature: it sends a request, and takes the next message. */
    private static final class Page implements WebSocket.Listener, AutoCloseable
    {
        private final BlockingQueue<UnsafeBuffer> messages = new LinkedBlockingQueue<>();
        private final UnsafeBuffer out = new UnsafeBuffer(new byte[PlayerMessages.MAX_REQUEST_LENGTH]);
        private final MessageHeaderEncoder header = new MessageHeaderEncoder();
        private final WebSocket socket;

        Page(final String url) throws InterruptedException
        {
            socket = HttpClient.newHttpClient().newWebSocketBuilder().subprotocols(PlayerMessages.SUBPROTOCOL)
                .buildAsync(URI.create(url.replace("http:", "ws:")), this).join();
            send(new HelloEncoder().wrapAndApplyHeader(out, 0, header).protocolVersion(1).applicationVersion(0)
                .flushMs((short)0).putResumeToken(new byte[16], 0, 16).encodedLength());
            take(WelcomeDecoder.TEMPLATE_ID);
        }

        int logIn(final byte[] token) throws InterruptedException
        {
            send(new LogInEncoder().wrapAndApplyHeader(out, 0, header).requestId(1)
                .putCredentials(token, 0, token.length).encodedLength());
            return new LoggedInDecoder().wrapAndApplyHeader(
                take(LoggedInDecoder.TEMPLATE_ID), 0, new MessageHeaderDecoder()).status();
        }

        void join(final long roomId) throws InterruptedException
        {
            send(new JoinEncoder().wrapAndApplyHeader(out, 0, header).requestId(2).roomId(roomId).isSpectator((short)0)
                .putArgs(SECRET, 0, 0).encodedLength());
            take(JoinedDecoder.TEMPLATE_ID);
        }

        UnsafeBuffer take(final int templateId) throws InterruptedException
        {
            final UnsafeBuffer message = messages.take();
            assertEquals(templateId, SchemaRules.templateId(message, 0));
            return message;
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
            messages.add(new UnsafeBuffer(bytes));
            from.request(1);
            return null;
        }

        @Override
        public void close()
        {
            socket.abort();
        }
    }

    @Test
    void shouldLogInByTokenAndRemoveABannedPlayer() throws Exception
    {
        final String jar = GameJar.game(directory.resolve("snake.jar"), "Snake", 1).toString();
        final Path keys = Tests.writeSecret(directory.resolve("keys"),
            "{\"keys\":[{\"kty\":\"oct\",\"kid\":\"a\",\"k\":\"" + BASE64.encodeToString(SECRET) + "\"}]}");
        final Path banned = Tests.writeSecret(directory.resolve("banned"), "# nobody\n");
        try (ChildCommand server = new ChildCommand("serve", FLAGS, List.of("serve", "--demo-accounts", "--types", jar,
            "--journal", "none", "--trunk-limit", "4", "--web-port", "0", "--listen", DemoCommand.freeEndpoint(),
            "--respond", DemoCommand.freeEndpoint(), "--log-in", "token", "--jwks", keys.toString(),
            "--jwt-issuer", "me", "--jwt-audience", "snake", "--banned", banned.toString()), lines::add))
        {
            Tests.await(() -> lines.stream().anyMatch((line) -> line.startsWith("web ")), lines::toString);
            final String url = lines.stream().filter((line) -> line.startsWith("web ")).findAny().orElseThrow()
                .substring("web ".length());
            Tests.await(() -> isReady(url), () -> "a gateway in " + lines);
            try (Page ann = new Page(url); Page ben = new Page(url))
            {
                assertEquals(EXPIRED, ann.logIn(token("ann", 1_000_000_000)));
                assertEquals(0, ann.logIn(token("ann", 4_000_000_000L)));
                ann.join(ROOM);
                assertEquals(0, ben.logIn(token("ben", 4_000_000_000L)));
                ben.join(ROOM);
                final Path next = Files.writeString(directory.resolve("next"), "ann\n");
                Files.move(next, banned, StandardCopyOption.ATOMIC_MOVE);
                ann.take(LeftDecoder.TEMPLATE_ID);
                assertEquals(List.of(), List.copyOf(ben.messages));
                try (Page again = new Page(url))
                {
                    assertEquals(BANNED, again.logIn(token("ann", 4_000_000_000L)));
                }
            }
            assertEquals(0, server.end(), lines::toString);
        }
    }

    private static boolean isReady(final String url)
    {
        try
        {
            return HttpURLConnection.HTTP_OK ==
                ((HttpURLConnection)URI.create(url + "ready").toURL().openConnection()).getResponseCode();
        }
        catch (final IOException ex)
        {
            return false;
        }
    }

    /** A token as long as tokens of RS256 with roles are. */
    private static byte[] token(final String player, final long expiryS) throws GeneralSecurityException
    {
        final String input = base64("{\"alg\":\"HS256\",\"kid\":\"a\"}") + '.' + base64("{\"iss\":\"me\"," +
            "\"aud\":\"snake\",\"sub\":\"" + player + "\",\"exp\":" + expiryS + ",\"x\":\"" + "x".repeat(750) + "\"}");
        final Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(SECRET, "HmacSHA256"));
        return (input + '.' + BASE64.encodeToString(mac.doFinal(input.getBytes(StandardCharsets.US_ASCII))))
            .getBytes(StandardCharsets.US_ASCII);
    }

    private static String base64(final String text)
    {
        return BASE64.encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
