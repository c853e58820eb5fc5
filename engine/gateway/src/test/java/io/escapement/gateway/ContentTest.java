package io.escapement.gateway;

import io.escapement.config.ConfigException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Answers with bytes that a program makes, in its time. */
class ContentTest
{
    private final List<String> asked = new ArrayList<>();
    private final CompletableFuture<byte[]> made = new CompletableFuture<>();
    private final GatewayBench bench = new GatewayBench(new GatewayContext().content("/films/", this::make));
    private final EmbeddedChannel channel = WebSocketLinkTest.connected(bench);

    private CompletableFuture<byte[]> make(final String path)
    {
        asked.add(path);
        if ("broken".equals(path))
        {
            throw new IllegalStateException("a secret of the program");
        }
        return made;
    }

    @AfterEach
    void close()
    {
        channel.finishAndReleaseAll();
    }

    private void get(final String line)
    {
        channel.writeInbound(Unpooled.copiedBuffer(line + " HTTP/1.1\r\nHost: a\r\n\r\n", StandardCharsets.US_ASCII));
        channel.runPendingTasks();
    }

    private byte[] sent()
    {
        final ByteArrayOutputStream all = new ByteArrayOutputStream();
        channel.runPendingTasks();
        for (ByteBuf part = channel.readOutbound(); null != part; part = channel.readOutbound())
        {
            final byte[] bytes = new byte[part.readableBytes()];
            part.readBytes(bytes).release();
            all.writeBytes(bytes);
            channel.runPendingTasks();
        }
        return all.toByteArray();
    }

    private String answer()
    {
        return new String(sent(), StandardCharsets.ISO_8859_1);
    }

    private static byte[] random(final int length)
    {
        final byte[] bytes = new byte[length];
        new SplittableRandom(7).nextBytes(bytes);
        return bytes;
    }

    @Test
    void shouldSendWhatIsMadeLaterAndThenTheNextAnswer()
    {
        final byte[] bytes = random(3 * Download.CHUNK + 7);
        get("GET /films/a/7?token=1");
        get("GET /health");
        assertEquals(0, sent().length);
        made.complete(bytes);
        final byte[] sent = sent();
        final String text = new String(sent, StandardCharsets.ISO_8859_1);
        final int end = text.indexOf("\r\n\r\n") + 4;
        assertTrue(text.startsWith("HTTP/1.1 200 "), text.substring(0, end));
        final List<String> head = text.substring(0, end).toLowerCase(Locale.ROOT).lines().toList();
        assertTrue(head.containsAll(List.of("content-type: application/octet-stream",
            "content-length: " + bytes.length, "cache-control: public, max-age=31536000, immutable",
            "x-content-type-options: nosniff", "referrer-policy: no-referrer",
            "content-security-policy: " + GatewayContext.CONTENT_SECURITY_POLICY_DEFAULT)), head::toString);
        assertArrayEquals(bytes, text.substring(end, end + bytes.length).getBytes(StandardCharsets.ISO_8859_1));
        assertTrue(text.substring(end + bytes.length).startsWith("HTTP/1.1 200 "), "the next answer");
        assertEquals(List.of("a/7"), asked);
    }

    @Test
    void shouldAnswerHeadWithTheLengthAlone()
    {
        made.complete(new byte[100_000]);
        get("HEAD /films/a");
        final String answer = answer();
        assertTrue(answer.startsWith("HTTP/1.1 200 ") && answer.endsWith("\r\n\r\n"), answer);
        assertTrue(answer.contains("content-length: 100000\r\n"), answer);
    }

    @Test
    void shouldAnswerNullWith404()
    {
        made.complete(null);
        get("GET /films/none");
        assertTrue(answer().startsWith("HTTP/1.1 404 "));
        assertFalse(channel.isActive());
    }

    @Test
    void shouldSayWhyThereIsNothingNow()
    {
        made.completeExceptionally(new ContentSource.Unavailable("It has not ended."));
        get("GET /films/a");
        final String answer = answer();
        assertTrue(answer.startsWith("HTTP/1.1 503 ") && answer.endsWith("\r\n\r\nIt has not ended.\n"), answer);
        assertTrue(answer.contains("cache-control: no-cache"), answer);
    }

    @ParameterizedTest
    @ValueSource(strings = {"fails", "broken"})
    void shouldShowNoFaultOfTheProgram(final String path)
    {
        made.completeExceptionally(new IllegalStateException("a secret of the program"));
        get("GET /films/" + path);
        final String answer = answer();
        assertTrue(answer.startsWith("HTTP/1.1 503 ") && answer.endsWith("\r\n\r\nService Unavailable\n"), answer);
    }

    @Test
    void shouldNotSendMoreThanItsLimit()
    {
        made.complete(new byte[ContentSource.MAX_LENGTH + 1]);
        get("GET /films/a");
        assertTrue(answer().startsWith("HTTP/1.1 503 "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/films/../secret", "/films/a//b", "/films/.a", "/films/%2e%2e/a", "/films/a\\b"})
    void shouldNotAskForAnotherPlace(final String path)
    {
        get("GET " + path);
        assertTrue(answer().startsWith("HTTP/1.1 404 "));
        assertEquals(List.of(), asked);
    }

    @Test
    void shouldNotAskForALongPath()
    {
        get("GET /films/" + "a".repeat(ContentSource.MAX_PATH_LENGTH + 1));
        assertTrue(answer().startsWith("HTTP/1.1 404 "));
        assertEquals(List.of(), asked);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/films", "/film/a", "/test/page.html"})
    void shouldNotAskForOtherPaths(final String path)
    {
        get("GET " + path);
        assertTrue(answer().startsWith("HTTP/1.1 "));
        assertEquals(List.of(), asked);
    }

    @Test
    void shouldSendNothingToAClientThatIsGone()
    {
        get("GET /films/a");
        channel.close();
        made.complete(new byte[10]);
        assertEquals(0, sent().length);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "films/", "/films", "/fi lms/", "/../"})
    void shouldRefuseAPathThatIsNone(final String path)
    {
        final GatewayContext context = new GatewayContext().udp("127.0.0.1:1", "127.0.0.1:2").secret(new byte[16])
            .content(path, this::make);
        assertTrue(assertThrows(ConfigException.class, context::conclude).getMessage().contains("content"));
    }
}
