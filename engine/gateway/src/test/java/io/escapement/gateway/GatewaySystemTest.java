package io.escapement.gateway;

import io.aeron.driver.MediaDriver;
import io.escapement.codecs.GatewayCode;
import io.escapement.codecs.player.CloseCode;
import io.escapement.driver.DriverDirectory;
import io.escapement.engine.Engine;
import io.escapement.engine.EngineContext;
import io.escapement.engine.ThreadingMode;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.testsupport.Tests;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A gateway before an engine, both turned by the test, and the JDK's WebSocket as the players' programs. */
@Timeout(120)
class GatewaySystemTest
{
    private static final byte[] SECRET = "a secret that the tests share".getBytes(StandardCharsets.US_ASCII);
    private static final int PATIENCE_SECONDS = 30;

    /** Echoes messages, and notes who is away and back. */
    private final class Echo implements RoomLogic
    {
        private Room room;

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            room = opened;
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            room.sendEvent(room.everyone(), buffer, offset, length);
        }

        @Override
        public void onAway(final Seat seat)
        {
            calls.add("away " + seat.playerId());
        }

        @Override
        public void onBack(final Seat seat)
        {
            calls.add("back " + seat.playerId());
            final byte[] picture = "picture".getBytes(StandardCharsets.US_ASCII);
            room.sendState(seat, new UnsafeBuffer(picture), 0, picture.length);
        }

        @Override
        public void onStateLost(final Seat seat)
        {
            calls.add("lost " + seat.playerId());
        }
    }

    /** The system's clock, which a test can put forward. */
    private static final class ShiftedClock implements NanoClock
    {
        private volatile long shiftNs;

        void advance(final long ns)
        {
            shiftNs += ns;
        }

        @Override
        public long nanoTime()
        {
            return System.nanoTime() + shiftNs;
        }
    }

    private final List<String> calls = new CopyOnWriteArrayList<>();
    private final List<Throwable> errors = new CopyOnWriteArrayList<>();
    private final String ingress = "127.0.0.1:" + Tests.freePort();
    private final String response = "127.0.0.1:" + Tests.freePort();
    private final Engine engine = launchEngine();
    private final long roomId = engine.openRoom(1).roomId();
    private final HttpClient http = HttpClient.newHttpClient();
    private final ShiftedClock clock = new ShiftedClock();
    private Gateway gateway;
    /** A second one beside it, in some tests. */
    private Gateway other;

    @AfterEach
    void close()
    {
        CloseHelper.quietCloseAll(gateway, other, engine);
        assertEquals(List.of(), errors);
    }

    private Engine launchEngine()
    {
        final EngineContext context = new EngineContext().loops(1).threadingMode(ThreadingMode.INVOKER)
            .roomType(RoomType.of(1, "echo", 1, Echo::new).seats(64))
            .driverContext(new MediaDriver.Context().aeronDirectoryName(DriverDirectory.temporary())
                .threadingMode(io.aeron.driver.ThreadingMode.INVOKER).termBufferSparseFile(true)
                .publicationTermBufferLength(64 * 1_024).dirDeleteOnStart(true).dirDeleteOnShutdown(true))
            .errorHandler(errors::add);
        context.trunks().secret(SECRET, false).udp(ingress, response).ipc(true);
        context.trunks().logInService((trunkId, credentials, reply) ->
            reply.onReply(0, Long.parseLong(new String(credentials, StandardCharsets.US_ASCII))));
        return Engine.launch(context);
    }

    private GatewayContext context()
    {
        final GatewayContext context = new GatewayContext().clock(clock).udp(ingress, response).secret(SECRET)
            .errorHandler(errors::add).index("test/page.html");
        context.limits().addressRate(1_000);
        return context;
    }

    private void launch(final GatewayContext context)
    {
        gateway = Gateway.invoked(context);
        await("the trunk", gateway::isReady);
    }

    private BrowserClient connected()
    {
        return connected(gateway);
    }

    private BrowserClient connected(final Gateway to)
    {
        final BrowserClient client = new BrowserClient(http, "ws://127.0.0.1:" + to.port() + "/");
        await("a connection", client::isOpen);
        client.hello(FakeLink.NO_TOKEN);
        await("welcome", () -> client.has("welcome new"));
        return client;
    }

    private BrowserClient seated(final int player)
    {
        return seated(gateway, player);
    }

    private BrowserClient seated(final Gateway by, final int player)
    {
        final BrowserClient client = connected(by);
        client.logIn(1, Integer.toString(player));
        await("the log-in", () -> client.has("loggedIn 1 0 " + player));
        client.join(2, roomId);
        await("a seat", () -> client.has("joined 2 " + roomId + " " + player));
        return client;
    }

    private String uri()
    {
        return "ws://127.0.0.1:" + gateway.port() + "/";
    }

    private void await(final String what, final BooleanSupplier condition)
    {
        final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!condition.getAsBoolean())
        {
            if (System.nanoTime() - deadlineNs > 0)
            {
                throw new AssertionError(what + " did not come: " + errors + calls);
            }
            if (0 == engine.invoke() + invoke(gateway) + invoke(other))
            {
                Thread.onSpinWait();
            }
        }
    }

    private static int invoke(final Gateway turned)
    {
        return null == turned ? 0 : turned.invoke();
    }

    @Test
    void shouldPlayAndReturnToTheSeatAfterACut()
    {
        launch(context());
        final BrowserClient ann = seated(7);
        final BrowserClient bob = seated(8);
        ann.message(roomId, "hello");
        await("the message", () -> ann.has("event hello") && bob.has("event hello"));

        ann.cut();
        await("away", () -> calls.contains("away 7"));
        final BrowserClient back = new BrowserClient(http, uri());
        await("a connection", back::isOpen);
        back.hello(ann.token);
        await("the seat", () -> back.has("joined 0 " + roomId + " 7 return") && back.has("state picture"));
        assertTrue(back.has("welcome resumed"));
        assertEquals(List.of("away 7", "back 7"), calls);
        back.message(roomId, "again");
        await("the message", () -> bob.has("event again"));

        back.leave(roomId);
        await("left", () -> back.has("left " + roomId + " 0"));
        back.goodbye();
        await("the end", () -> CloseCode.NORMAL.value() == back.closeCode);
        bob.socket().sendClose(1_000, "");
        await("nobody", () -> 0 == gateway.connections());
    }

    @Test
    void shouldReachTheEngineOverSharedMemory()
    {
        launch(context().udp("127.0.0.1:1", "127.0.0.1:1").ipc(engine.aeronDirectory()));
        final BrowserClient ann = seated(7);
        ann.message(roomId, "hello");
        await("the message", () -> ann.has("event hello"));
    }

    @Test
    void shouldReachTheEngineOfAGroupThatIsThere()
    {
        launch(context().member(ingress, response)
            .member("127.0.0.1:" + Tests.freePort(), "127.0.0.1:" + Tests.freePort()));
        seated(1);
    }

    @Test
    void shouldCloseWithTheCodeOfTheReason()
    {
        launch(context());
        final BrowserClient text = connected();
        text.socket().sendText("hello", true);
        await("TEXT", () -> CloseCode.TEXT.value() == text.closeCode);
        final BrowserClient big = connected();
        big.sendRaw(new byte[1_025]);
        await("TOO_BIG", () -> CloseCode.TOO_BIG.value() == big.closeCode);
        final BrowserClient pieces = connected();
        for (int i = 0; i < 3; i++)
        {
            pieces.socket().sendBinary(ByteBuffer.wrap(new byte[500]), false).join();
        }
        await("TOO_BIG in pieces", () -> CloseCode.TOO_BIG.value() == pieces.closeCode);
        final BrowserClient malformed = connected();
        malformed.sendRaw(new byte[30]);
        await("MALFORMED", () -> CloseCode.MALFORMED.value() == malformed.closeCode);
        final BrowserClient first = seated(7);
        final BrowserClient second = seated(7);
        await("REPLACED", () -> CloseCode.REPLACED.value() == first.closeCode);
        second.join(9, roomId + 1_000);
        await("a refusal", () -> second.all().stream().anyMatch((line) -> line.startsWith("refused")));
        final BrowserClient stranger = connected();
        stranger.join(3, roomId);
        await("NOT_LOGGED_IN", () ->
            stranger.has("refused " + roomId + " 3 3 " + GatewayCode.NOT_LOGGED_IN.value()));
    }

    @Test
    void shouldServePagesAndHealthAndRefuseOtherOrigins() throws Exception
    {
        launch(context().origin("https://game.example").metricsPort(0));
        final HttpResponse<String> page = get(gateway.port(), "/");
        assertEquals(200, page.statusCode());
        assertTrue(page.body().contains("a page of the tests"));
        assertEquals("text/html; charset=utf-8", page.headers().firstValue("content-type").orElseThrow());
        assertTrue(page.headers().firstValue("content-security-policy").orElseThrow().startsWith("default-src 'self'"));
        assertEquals("nosniff", page.headers().firstValue("x-content-type-options").orElseThrow());
        assertEquals(200, get(gateway.port(), "/test/page.html").statusCode());
        assertEquals(200, get(gateway.port(), "/health").statusCode());
        assertEquals(200, get(gateway.port(), "/ready").statusCode());
        for (final String path : List.of("/nothing.html", "/test", "/../pom.xml", "/%2e%2e/x.html",
            "/test/../page.html", "/io/escapement/gateway/Gateway.class", "/metrics"))
        {
            assertEquals(404, get(gateway.port(), path).statusCode(), path);
        }
        final HttpResponse<String> metrics = get(gateway.metricsPort(), "/metrics");
        assertTrue(metrics.body().contains("escapement_gateway_trunks_up 1"), metrics::body);
        assertTrue(metrics.body().contains("escapement_gateway_connections_accepted_total "));

        final BrowserClient wrong = new BrowserClient(http, uri(), "Origin", "https://other.example");
        await("a refusal", wrong::isRefused);
        for (final String origin : List.of("https://game.example", "http://127.0.0.1:" + gateway.port()))
        {
            final BrowserClient right = new BrowserClient(http, uri(), "Origin", origin);
            await(origin, right::isOpen);
        }
        assertEquals(1, gateway.counter(GatewayCounter.ORIGINS_REFUSED));
    }

    @Test
    void shouldLogInWithTheAddressThatAProxyNames()
    {
        final List<String> addresses = new CopyOnWriteArrayList<>();
        final GatewayContext context = context().proxy("127.0.0.1").credentials((credentials, address) ->
        {
            addresses.add(address);
            return credentials;
        });
        context.limits().logInRate(1);
        launch(context);
        assertEquals("loggedIn 1 0 7", logInFrom("203.0.113.7"));
        assertEquals("loggedIn 1 0 7", logInFrom("203.0.113.8"));
        assertEquals("loggedIn 1 " + GatewayCode.TOO_MANY_LOG_INS.value() + " 0", logInFrom("203.0.113.7"));
        assertEquals(List.of("203.0.113.7", "203.0.113.8"), addresses);
    }

    private String logInFrom(final String address)
    {
        final BrowserClient client = new BrowserClient(http, uri(), "X-Forwarded-For", address);
        await("a connection", client::isOpen);
        client.hello(FakeLink.NO_TOKEN);
        client.logIn(1, "7");
        await("an answer", () -> client.all().size() > 1);
        return client.all().get(1);
    }

    private HttpResponse<String> get(final int port, final String path) throws Exception
    {
        final CompletableFuture<HttpResponse<String>> answer = http.sendAsync(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build(),
            HttpResponse.BodyHandlers.ofString());
        await(path, answer::isDone);
        return answer.get();
    }

    @Test
    void shouldServeTlsAndReadAChangedCertificate(@TempDir final Path directory) throws Exception
    {
        final TestCertificate first = TestCertificate.write(directory, "first");
        final GatewayContext context = context().certificate(first.chain(), first.key());
        // The steps of the clock are not the silence of a player.
        context.limits().idleNs(TimeUnit.HOURS.toNanos(1)).slowNs(TimeUnit.HOURS.toNanos(1))
            .logInNs(TimeUnit.HOURS.toNanos(1)).graceNs(TimeUnit.HOURS.toNanos(1));
        launch(context);
        final BrowserClient ann = new BrowserClient(first.client(), "wss://localhost:" + gateway.port() + "/");
        await("a connection", ann::isOpen);
        ann.hello(FakeLink.NO_TOKEN);
        await("welcome", () -> ann.has("welcome new"));
        ann.logIn(1, "7");
        await("the log-in", () -> ann.has("loggedIn 1 0 7"));
        ann.join(2, roomId);
        await("a seat", () -> ann.has("joined 2 " + roomId + " 7"));
        final String text = "t".repeat(400);
        ann.message(roomId, text);
        await("the message", () -> ann.has("event " + text));

        final TestCertificate second = TestCertificate.write(directory, "second");
        Files.move(second.chain(), first.chain(), StandardCopyOption.REPLACE_EXISTING);
        Files.move(second.key(), first.key(), StandardCopyOption.REPLACE_EXISTING);
        clock.advance(Certificates.INTERVAL_NS);
        final BrowserClient bob = new BrowserClient(second.client(), "wss://localhost:" + gateway.port() + "/");
        await("a connection with the new certificate", bob::isOpen);
        // The step of the clock may have ended the trunk's connection, which comes back.
        final long[] sentNs = {System.nanoTime()};
        await("the older connection", () ->
        {
            if (System.nanoTime() - sentNs[0] > TimeUnit.MILLISECONDS.toNanos(100))
            {
                sentNs[0] = System.nanoTime();
                ann.message(roomId, "still here");
            }
            return ann.has("event still here");
        });

        Files.writeString(first.key(), "no key");
        clock.advance(Certificates.INTERVAL_NS);
        final BrowserClient eve = new BrowserClient(second.client(), "wss://localhost:" + gateway.port() + "/");
        await("a connection with the last good one", eve::isOpen);
        assertEquals(1, errors.size());
        assertTrue(errors.remove(0).getMessage().contains("the last one stays"));
    }

    @Test
    void shouldHoldSeatsWhenItIsClosed()
    {
        launch(context());
        final BrowserClient ann = seated(7);
        assertNotNull(ann.token);
        gateway.close();
        await("away", () -> calls.contains("away 7"));
        launch(context());
        final BrowserClient back = seated(7);
        await("back", () -> calls.contains("back 7"));
        assertFalse(back.has("welcome resumed"), "another gateway");
    }

    /** Both have the same identity, as two processes with the same options have. */
    @Test
    void shouldGiveTheSeatBackThroughAnotherGateway()
    {
        launch(context());
        other = Gateway.invoked(context());
        await("the other's trunk", other::isReady);
        final BrowserClient ann = seated(7);
        final BrowserClient bob = seated(other, 8);
        ann.cut();
        await("away", () -> calls.contains("away 7"));
        final BrowserClient back = seated(other, 7);
        await("the picture", () -> calls.contains("back 7") && back.has("state picture"));

        // And to the first again, from a connection that is still there.
        final BrowserClient moved = seated(7);
        await("the news of it", () -> back.has("away " + roomId + " 1"));
        moved.message(roomId, "from here");
        await("the message", () -> moved.has("event from here") && bob.has("event from here"));
        assertFalse(back.has("event from here"), "its seat is elsewhere");
        back.message(roomId, "from there");
        await("a refusal", () -> back.all().stream().anyMatch((line) -> line.startsWith("refused " + roomId)));
        assertEquals(List.of("away 7", "back 7"), calls.subList(0, 2));
        moved.leave(roomId);
        bob.leave(roomId);
        await("free seats", () -> moved.has("left " + roomId + " 0") && bob.has("left " + roomId + " 0"));
    }
}
