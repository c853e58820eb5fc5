package io.escapement.gateway;

import io.escapement.codecs.sync.SyncSchema;
import io.escapement.testsupport.Tests;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Files of a directory and of the class path, as the bytes that a browser receives. */
class StaticFilesTest
{
    private static final int LONG = StaticFiles.MAX_KEPT_LENGTH + 100_001;
    private static final String SCRIPT = "const answer = 42;\n".repeat(50);

    /** Has the files of a map, and one that is on a disk. */
    private static final class Pages extends ClassLoader
    {
        private static final String ROOT = "META-INF/resources/";
        private final Map<String, byte[]> bytesByNameMap = new HashMap<>();
        private Path onDisk;

        @Override
        public InputStream getResourceAsStream(final String name)
        {
            try
            {
                final byte[] bytes = bytesByNameMap.get(name.substring(ROOT.length()));
                return null != bytes ? new ByteArrayInputStream(bytes) :
                    null == getResource(name) ? null : Files.newInputStream(onDisk);
            }
            catch (final IOException ex)
            {
                throw new UncheckedIOException(ex);
            }
        }

        @Override
        public URL getResource(final String name)
        {
            try
            {
                return null != onDisk && name.endsWith("/" + onDisk.getFileName()) ? onDisk.toUri().toURL() : null;
            }
            catch (final MalformedURLException ex)
            {
                throw new IllegalArgumentException(ex);
            }
        }
    }

    /** A status, the lines of a head in lower case, and a body. */
    private record Answer(int status, List<String> head, byte[] body)
    {
        static Answer of(final byte[] bytes)
        {
            final String text = new String(bytes, StandardCharsets.ISO_8859_1);
            final int end = text.indexOf("\r\n\r\n");
            final List<String> head = text.substring(0, end).toLowerCase(Locale.ROOT).lines().toList();
            return new Answer(Integer.parseInt(head.get(0).split(" ")[1]), head,
                Arrays.copyOfRange(bytes, end + 4, bytes.length));
        }

        String header(final String name)
        {
            final List<String> values = head.stream().filter((line) -> line.startsWith(name + ": "))
                .map((line) -> line.substring(name.length() + 2)).toList();
            assertTrue(values.size() <= 1, values::toString);
            return values.isEmpty() ? null : values.get(0);
        }

        String text()
        {
            return new String(body, StandardCharsets.UTF_8);
        }
    }

    /** A client's socket that takes nothing until the test calls take. */
    private static final class SlowSocket extends ChannelOutboundHandlerAdapter
    {
        private final ArrayDeque<ChannelPromise> untaken = new ArrayDeque<>();

        @Override
        public void write(final ChannelHandlerContext channel, final Object message, final ChannelPromise promise)
        {
            untaken.add(promise);
            channel.write(message);
        }

        void take()
        {
            final int count = untaken.size();
            for (int i = 0; i < count; i++)
            {
                untaken.remove().trySuccess();
            }
        }
    }

    private final Pages pages = new Pages();
    private final List<EmbeddedChannel> channels = new ArrayList<>();
    private final List<String> logged = new ArrayList<>();
    private final Handler log = new Handler()
    {
        @Override
        public void publish(final LogRecord record)
        {
            logged.add(record.getMessage());
        }

        @Override
        public void flush()
        {
            // Records are not buffered.
        }

        @Override
        public void close()
        {
            Logger.getLogger("io.escapement.gateway").removeHandler(this);
        }
    };

    @TempDir
    Path directory;
    private GatewayBench bench;
    private StaticFiles files;

    @AfterEach
    void close()
    {
        log.close();
        channels.forEach(EmbeddedChannel::finishAndReleaseAll);
    }

    private EmbeddedChannel connected()
    {
        if (null == bench)
        {
            bench = new GatewayBench(new GatewayContext().files(directory));
            files = new StaticFiles(pages, directory, "index.html", Runnable::run);
        }
        final EmbeddedChannel channel = new EmbeddedChannel();
        channel.freezeTime();
        channels.add(channel);
        final Newcomer client =
            new Newcomer(channel, bench.admission, bench.addresses, bench.counters, bench.clock, null);
        // Time passes, so that no rate of the address is a limit.
        bench.clock.advance(TimeUnit.SECONDS.toNanos(1));
        assertTrue(client.count(InetAddress.getLoopbackAddress()));
        Listener.addDecoders(channel.pipeline(),
            new WebHandler(bench.context, bench.counters, bench.sessions, files, client));
        return channel;
    }

    private static void request(final EmbeddedChannel channel, final String request)
    {
        channel.writeInbound(Unpooled.copiedBuffer(request, StandardCharsets.US_ASCII));
        channel.runPendingTasks();
    }

    /** All bytes until the gateway sends no more. */
    private static byte[] sent(final EmbeddedChannel channel)
    {
        final ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (ByteBuf part = channel.readOutbound(); null != part; part = channel.readOutbound())
        {
            final byte[] bytes = new byte[part.readableBytes()];
            part.readBytes(bytes).release();
            all.writeBytes(bytes);
            channel.runPendingTasks();
        }
        return all.toByteArray();
    }

    private static String get(final String path, final String... headers)
    {
        return "GET " + path + " HTTP/1.1\r\nHost: a\r\n" + String.join("", Stream.of(headers)
            .map((header) -> header + "\r\n").toList()) + "\r\n";
    }

    private Answer answer(final String request)
    {
        final EmbeddedChannel channel = connected();
        request(channel, request);
        final Answer answer = Answer.of(sent(channel));
        assertEquals(answer.status() < 400 && !request.contains("HTTP/1.0"), channel.isActive());
        channel.close();
        return answer;
    }

    private Path write(final String name, final byte[] bytes) throws IOException
    {
        final Path file = directory.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.write(file, bytes);
    }

    private static byte[] random(final int length)
    {
        final byte[] bytes = new byte[length];
        new SplittableRandom(7).nextBytes(bytes);
        return bytes;
    }

    @ParameterizedTest
    @CsvSource({"jpg, image/jpeg", "jpeg, image/jpeg", "gif, image/gif", "avif, image/avif", "png, image/png",
        "mp3, audio/mpeg", "ogg, audio/ogg", "opus, audio/ogg", "wav, audio/wav", "m4a, audio/mp4", "mp4, video/mp4",
        "webm, video/webm", "wasm, application/wasm", "ttf, font/ttf", "otf, font/otf", "woff, font/woff",
        "woff2, font/woff2", "bin, application/octet-stream", "glb, model/gltf-binary", "gltf, model/gltf+json",
        "xml, application/xml", "pdf, application/pdf", "html, text/html; charset=utf-8",
        "mjs, text/javascript; charset=utf-8"})
    void shouldServeWhatGamesHave(final String ending, final String type) throws IOException
    {
        write("a/x." + ending, SCRIPT.getBytes(StandardCharsets.US_ASCII));
        pages.bytesByNameMap.put("b/x." + ending, SCRIPT.getBytes(StandardCharsets.US_ASCII));
        for (final String name : List.of("/a/x.", "/b/x."))
        {
            final Answer answer = answer(get(name + ending));
            assertEquals(200, answer.status(), name);
            assertEquals(type, answer.header("content-type"));
            assertEquals(SCRIPT, answer.text());
            assertEquals("no-cache", answer.header("cache-control"));
        }
    }

    @Test
    void shouldLogOnceThatAnEndingIsUnknown() throws IOException
    {
        Logger.getLogger("io.escapement.gateway").addHandler(log);
        write("a/game.xyz", new byte[1]);
        assertEquals(404, answer(get("/nothing.abc")).status());
        assertEquals(404, answer(get("/nothing.html")).status());
        assertEquals(List.of(), logged, "a stranger's guess");
        assertEquals(404, answer(get("/a/game.xyz")).status());
        assertEquals(404, answer(get("/a/game.xyz")).status());
        assertEquals(List.of("a/game.xyz is not served: no content type for the ending xyz"), logged);
    }

    @Test
    void shouldStreamALongFileOfTheDirectoryAndOfTheClassPath() throws IOException
    {
        final byte[] bytes = random(LONG);
        write("long.wasm", bytes);
        pages.onDisk = Files.write(Files.createTempDirectory(directory, "path").resolve("other.wasm"), bytes);
        for (final String path : List.of("/long.wasm", "/other.wasm"))
        {
            final Answer answer = answer(get(path, "Accept-Encoding: gzip"));
            assertEquals(200, answer.status(), path);
            assertEquals(Integer.toString(LONG), answer.header("content-length"));
            assertArrayEquals(bytes, answer.body(), path);
            final Answer again = answer(get(path, "If-None-Match: " + answer.header("etag")));
            assertEquals(304, again.status(), path);
            assertEquals(0, again.body().length);
            assertEquals(LONG, Integer.parseInt(
                answer("HEAD " + path + " HTTP/1.1\r\nHost: a\r\n\r\n").header("content-length")));
        }
    }

    @Test
    void shouldStreamALongFileOfAJar() throws IOException
    {
        final byte[] bytes = random(LONG);
        final Path jar = directory.resolve("pages.jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar)))
        {
            out.putNextEntry(new JarEntry(Pages.ROOT + "x.wasm"));
            out.write(bytes);
        }
        try (URLClassLoader loader = new URLClassLoader(new URL[]{jar.toUri().toURL()}))
        {
            bench = new GatewayBench();
            files = new StaticFiles(loader, null, "index.html", Runnable::run);
            assertArrayEquals(bytes, answer(get("/x.wasm")).body());
            assertArrayEquals(bytes, answer(get("/x.wasm")).body(), "known");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, Download.CHUNK, Download.CHUNK + 1, 3 * Download.CHUNK, 3 * Download.CHUNK + 7})
    void shouldSendEachLengthAndThenTheNextAnswer(final int length) throws IOException
    {
        final byte[] bytes = random(length);
        write("x.png", bytes);
        final EmbeddedChannel channel = connected();
        for (int i = 0; i < 3; i++)
        {
            request(channel, get("/x.png"));
            assertArrayEquals(bytes, Answer.of(sent(channel)).body());
        }
        request(channel, "GET /x.png HTTP/1.0\r\n\r\n");
        final Answer last = Answer.of(sent(channel));
        assertArrayEquals(bytes, last.body());
        assertEquals("close", last.header("connection"));
        assertFalse(channel.isActive());
    }

    @Test
    void shouldAnswerHeadWithoutABodyAndWithTheLengthOfTheEncoding() throws IOException
    {
        write("x.js", SCRIPT.getBytes(StandardCharsets.US_ASCII));
        final Answer got = answer(get("/x.js", "Accept-Encoding: gzip"));
        final Answer head = answer("HEAD /x.js HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n");
        assertEquals(got.head(), head.head());
        assertEquals(0, head.body().length);
        assertEquals(304, answer("HEAD /x.js HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\nIf-None-Match: " +
            got.header("etag") + "\r\n\r\n").status());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"gzip|true", "GZIP|true", "br, gzip|true", "gzip, br|true",
        "gzip;q=0.5, br|true", "br;q=1, gzip ; q=0.001|true", "gzip;q=0|false", "gzip; q=0.000, br|false", "br|false",
        "x-gzip|false", "gzipped|false", "''|false"})
    void shouldCompressForThoseWhoAccept(final String accepted, final boolean isGzip) throws IOException
    {
        write("x.js", SCRIPT.getBytes(StandardCharsets.US_ASCII));
        final Answer plain = answer(get("/x.js"));
        final Answer answer = answer(get("/x.js", "Accept-Encoding: " + accepted));
        assertEquals(isGzip ? "gzip" : null, answer.header("content-encoding"));
        assertEquals("accept-encoding", answer.header("vary"));
        assertEquals("accept-encoding", plain.header("vary"));
        assertEquals(Integer.toString(answer.body().length), answer.header("content-length"));
        assertEquals(isGzip, !plain.header("etag").equals(answer.header("etag")));
        assertEquals(SCRIPT, isGzip ? new String(new GZIPInputStream(
            new ByteArrayInputStream(answer.body())).readAllBytes(), StandardCharsets.UTF_8) : answer.text());
    }

    @Test
    void shouldNotCompressWhatIsNotShorterThen() throws IOException
    {
        write("x.js", new byte[]{'1'});
        write("x.png", new byte[10_000]);
        for (final String path : List.of("/x.js", "/x.png"))
        {
            final Answer answer = answer(get(path, "Accept-Encoding: gzip"));
            assertNull(answer.header("content-encoding"));
            assertNull(answer.header("vary"));
        }
    }

    @Test
    void shouldAnswer304ToWhoHasTheBytes() throws IOException
    {
        write("x.js", SCRIPT.getBytes(StandardCharsets.US_ASCII));
        final String tag = answer(get("/x.js")).header("etag");
        final String gzipTag = answer(get("/x.js", "Accept-Encoding: gzip")).header("etag");
        assertTrue(tag.matches("\"[0-9a-f]{32}\""), tag);
        for (final String known : List.of(tag, "W/" + tag, "\"a\", " + tag, "*", "\"a\"\r\nIf-None-Match: " + tag))
        {
            final Answer answer = answer(get("/x.js", "If-None-Match: " + known));
            assertEquals(304, answer.status(), known);
            assertEquals(0, answer.body().length);
            assertNull(answer.header("content-length"));
            assertEquals(tag, answer.header("etag"));
            assertEquals("no-cache", answer.header("cache-control"));
            assertEquals("accept-encoding", answer.header("vary"));
        }
        for (final String other : List.of(gzipTag, "\"a\"", tag.substring(1), "\"*\""))
        {
            assertEquals(200, answer(get("/x.js", "If-None-Match: " + other)).status(), other);
        }
        assertEquals(304, answer(get("/x.js", "Accept-Encoding: gzip", "If-None-Match: " + gzipTag)).status());
        assertEquals(200, answer(get("/x.js", "Accept-Encoding: gzip", "If-None-Match: " + tag)).status());
    }

    @ParameterizedTest
    @ValueSource(strings = {"app.3f9a1c2b.js", "app.3F9A1C2B.js", "index-DkX81mZa.js", "assets/index-DkX81mZa.css",
        "main.3f9a1c2b4d.js.map",
        "a-3f9a1c2b4d5e6f708192.png", "x.0a1b2c3d4e5f60718293a4b5c6d7e8f9.wasm"})
    void shouldHaveNamesWithAHashKept(final String name) throws IOException
    {
        write(name, new byte[1]);
        assertEquals("public, max-age=31536000, immutable", answer(get("/" + name)).header("cache-control"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"app.js", "client.js", "3f9a1c2b.js", "app3f9a1c2b.js", "app.3f9a1c2.js",
        "app.3f9a1c2bc.js", "map-20240101.json", "level-00000012.json", "a-deadbeef.js", "atlas-Sprite2x.png",
        "a-defaults.js", "a-GameOver.js", "tile-Boss3Map.png", "ui-p1Score2.png", "tile-v2Boss3D.png",
        "level-Forest01.json", "3f9a1c2b/app.js", "a.3f9a1c2b/app.js", "jquery-3.7.1.min.js", "x.a1b.defg.map",
        "index-DkX81mZaQ.js", "v2-a-B3c.js"})
    void shouldHaveOtherNamesAskedForAgain(final String name)
    {
        assertFalse(StaticFiles.isHashed(name));
    }

    @Test
    void shouldReadAgainWhatHasChanged() throws IOException
    {
        pages.bytesByNameMap.put("x.js", "path".getBytes(StandardCharsets.US_ASCII));
        assertEquals("path", answer(get("/x.js")).text());
        final Path file = write("x.js", "one".getBytes(StandardCharsets.US_ASCII));
        assertEquals("one", answer(get("/x.js")).text());
        final FileTime time = Files.getLastModifiedTime(file);
        write("x.js", "three".getBytes(StandardCharsets.US_ASCII));
        Files.setLastModifiedTime(file, time);
        final Answer three = answer(get("/x.js"));
        assertEquals("three", three.text(), "another length");
        write("x.js", "seven".getBytes(StandardCharsets.US_ASCII));
        Files.setLastModifiedTime(file, FileTime.fromMillis(time.toMillis() + 1_000));
        final Answer seven = answer(get("/x.js", "If-None-Match: " + three.header("etag")));
        assertEquals("seven", seven.text(), "another time");
        Files.delete(file);
        assertEquals("path", answer(get("/x.js")).text());
    }

    @Test
    void shouldServeTheIndexOfTheDirectory() throws IOException
    {
        pages.bytesByNameMap.put("index.html", "path".getBytes(StandardCharsets.US_ASCII));
        assertEquals("path", answer(get("/")).text());
        write("index.html", "page".getBytes(StandardCharsets.US_ASCII));
        write("a/index.html", "inner".getBytes(StandardCharsets.US_ASCII));
        assertEquals("page", answer(get("/?a=b")).text());
        assertEquals("inner", answer(get("/a/")).text());
    }

    @Test
    void shouldNotLeaveTheDirectory(@TempDir final Path outside) throws IOException
    {
        Files.writeString(outside.resolve("secret.txt"), "secret");
        write("a/x.txt", "in".getBytes(StandardCharsets.US_ASCII));
        write(".git/x.txt", "hidden".getBytes(StandardCharsets.US_ASCII));
        write("a/.x.txt", "hidden".getBytes(StandardCharsets.US_ASCII));
        Files.createDirectory(directory.resolve("directory.txt"));
        Files.createSymbolicLink(directory.resolve("out.txt"), outside.resolve("secret.txt"));
        Files.createSymbolicLink(directory.resolve("out"), outside);
        Files.createSymbolicLink(directory.resolve("hidden.txt"), directory.resolve(".git/x.txt"));
        Files.createSymbolicLink(directory.resolve("in.txt"), directory.resolve("a/x.txt"));
        assertEquals("in", answer(get("/in.txt")).text());
        final String name = outside.getFileName() + "/secret.txt";
        for (final String path : List.of("/out.txt", "/out/secret.txt", "/hidden.txt", "/.git/x.txt", "/a/.x.txt",
            "/directory.txt", "/../" + name, "/a/../../" + name, "/%2e%2e/" + name, "/..%2f" + name, "/a/..%5c" + name,
            "/a//x.txt", "//a/x.txt", "/a/x.txt/", "/a/x.txt%00.txt", "/a/./x.txt", outside + "/secret.txt", "a/x.txt",
            "http://a/a/x.txt", "/a\\x.txt"))
        {
            assertEquals(404, answer(get(path)).status(), path);
        }
    }

    @Test
    void shouldKeepALimitedNumberOfFilesAndServeTheOthersToo() throws IOException
    {
        final byte[] script = SCRIPT.getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; i <= StaticFiles.MAX_FILES; i++)
        {
            write("x" + i + ".txt", script);
            final Answer answer = answer(get("/x" + i + ".txt", "Accept-Encoding: gzip"));
            assertEquals(i < StaticFiles.MAX_FILES ? "gzip" : null, answer.header("content-encoding"), "file " + i);
        }
        final Answer last = answer(get("/x" + StaticFiles.MAX_FILES + ".txt"));
        assertEquals(SCRIPT, last.text());
        pages.onDisk = write("path/y.js", script);
        assertEquals(SCRIPT, answer(get("/y.js")).text());
    }

    @Test
    void shouldKeepALimitedLengthAndServeTheOthersToo() throws IOException
    {
        final byte[] bytes = new byte[StaticFiles.MAX_KEPT_LENGTH];
        for (int i = 0; i <= StaticFiles.MAX_KEPT / bytes.length; i++)
        {
            final Path file = write("x" + i + ".png", bytes);
            final Answer answer = answer("HEAD /x" + i + ".png HTTP/1.1\r\nHost: a\r\n\r\n");
            final boolean isKept = i < StaticFiles.MAX_KEPT / bytes.length;
            assertEquals(isKept, answer.header("etag").matches("\"[0-9a-f]{32}\""), "file " + i);
            if (0 == i)
            {
                // The memory of the changed file is free.
                bytes[0] = 1;
                Files.write(file, bytes);
                Files.setLastModifiedTime(file, FileTime.fromMillis(1_000));
                assertNotEquals(answer.header("etag"), answer(get("/x0.png")).header("etag"));
            }
        }
        assertArrayEquals(bytes, answer(get("/x" + StaticFiles.MAX_KEPT / bytes.length + ".png")).body());
    }

    private void pass(final EmbeddedChannel channel, final long seconds)
    {
        bench.clock.advance(TimeUnit.SECONDS.toNanos(seconds));
        channel.advanceTimeBy(seconds, TimeUnit.SECONDS);
        channel.runScheduledPendingTasks();
        channel.runPendingTasks();
    }

    @Test
    void shouldWaitForAClientThatTakesALongFileSlowly() throws IOException
    {
        final byte[] bytes = random(20 * Download.CHUNK);
        write("x.png", bytes);
        final EmbeddedChannel channel = connected();
        final SlowSocket socket = new SlowSocket();
        channel.pipeline().addFirst(socket);
        request(channel, get("/x.png") + get("/x.png", "If-None-Match: *"));
        final ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int i = 0; i < 20; i++)
        {
            assertTrue(channel.isActive(), "after " + 9 * i + " s");
            final byte[] chunk = sent(channel);
            assertTrue(chunk.length < Download.CHUNK + 1_024, () -> chunk.length + " bytes are queued");
            all.writeBytes(chunk);
            pass(channel, 9);
            socket.take();
            channel.runPendingTasks();
        }
        assertArrayEquals(bytes, Answer.of(all.toByteArray()).body(), "no second answer in between");
        assertEquals(304, Answer.of(sent(channel)).status());
        socket.take();
        pass(channel, 4);
        assertTrue(channel.isActive());
        pass(channel, 2);
        assertFalse(channel.isActive(), "without a request for 5 s");
    }

    private static boolean isOpen(final Path file) throws IOException
    {
        final Path real = file.toRealPath();
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd")))
        {
            return descriptors.anyMatch((descriptor) ->
            {
                try
                {
                    return Files.isSameFile(descriptor, real);
                }
                catch (final IOException ignored)
                {
                    return false;
                }
            });
        }
    }

    private EmbeddedChannel begun(final Path file, final SlowSocket socket)
    {
        final EmbeddedChannel channel = connected();
        channel.pipeline().addFirst(socket);
        request(channel, get("/" + file.getFileName()));
        assertTrue(sent(channel).length >= Download.CHUNK);
        return channel;
    }

    @Test
    void shouldCloseAClientThatTakesNothingAndTheFile() throws IOException
    {
        final Path file = write("x.png", new byte[LONG]);
        final EmbeddedChannel channel = begun(file, new SlowSocket());
        pass(channel, 9);
        assertTrue(channel.isActive());
        assertTrue(isOpen(file));
        pass(channel, 1);
        assertFalse(channel.isActive());
        assertEquals(1, bench.count(GatewayCounter.CLOSED_HANDSHAKE_TIMEOUT));
        assertFalse(isOpen(file));
    }

    @Test
    void shouldCloseTheFileOfAClientThatIsGone() throws IOException
    {
        final Path file = write("x.png", new byte[LONG]);
        final EmbeddedChannel channel = begun(file, new SlowSocket());
        assertTrue(isOpen(file));
        channel.close();
        assertFalse(isOpen(file));
    }

    /** It would never come to the length that its head has. */
    @Test
    void shouldCloseAConnectionWhoseFileHasBecomeShorter() throws IOException
    {
        final Path file = write("x.png", new byte[LONG]);
        final SlowSocket socket = new SlowSocket();
        final EmbeddedChannel channel = begun(file, socket);
        try (FileChannel cut = FileChannel.open(file, StandardOpenOption.WRITE))
        {
            cut.truncate(Download.CHUNK + 1);
        }
        socket.take();
        channel.runPendingTasks();
        assertFalse(channel.isActive());
        assertFalse(isOpen(file));
    }

    @Test
    void shouldSendThePolicyOfTheContext() throws IOException
    {
        bench = new GatewayBench(new GatewayContext().contentSecurityPolicy("default-src 'self' https://a.example"));
        files = new StaticFiles(pages, directory, "index.html", Runnable::run);
        write("x.js", new byte[1]);
        for (final String path : List.of("/x.js", "/nothing.js", "/health"))
        {
            assertEquals("default-src 'self' https://a.example",
                answer(get(path)).header("content-security-policy"));
        }
    }

    @Test
    void shouldServeTheSchemasOfRooms() throws Exception
    {
        final SyncSchema.Builder builder = SyncSchema.named("race");
        builder.field("lap", SyncSchema.Type.INT32);
        final SyncSchema schema = builder.build();
        bench = new GatewayBench();
        files = StaticFiles.of(new GatewayContext().pages(pages).files(directory).schema(schema), Runnable::run);
        final Answer answer = answer(get("/escapement/schemas/race.json"));
        assertEquals("application/json", answer.header("content-type"));
        assertEquals(schema.toJson(), answer.text());
        assertEquals(404, answer(get("/escapement/schemas/other.json")).status());
    }

    @Test
    void shouldServeALongFileOverTls(@TempDir final Path secrets) throws Exception
    {
        final TestCertificate certificate = TestCertificate.write(secrets, TestCertificate.FIRST);
        final byte[] bytes = random(40 * Download.CHUNK + 7);
        write("x.glb", bytes);
        try (ListenerBench listener = new ListenerBench(new GatewayContext().files(directory)
            .certificate(certificate.chain(), certificate.key()), pages, "index.html"))
        {
            final URI uri = URI.create("https://localhost:" + listener.port + "/x.glb");
            final CompletableFuture<HttpResponse<byte[]>> answer = certificate.client().sendAsync(
                HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofByteArray());
            Tests.await(() ->
            {
                listener.turn();
                return answer.isDone();
            }, "an answer");
            assertEquals("model/gltf-binary", answer.get().headers().firstValue("content-type").orElseThrow());
            assertArrayEquals(bytes, answer.get().body());
        }
    }
}
