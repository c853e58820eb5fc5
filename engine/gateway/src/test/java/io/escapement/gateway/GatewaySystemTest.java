package io.escapement.gateway;

import io.escapement.codecs.PlayerMessages;
import io.escapement.codecs.player.CloseCode;
import io.escapement.codecs.player.GatewayCode;
import io.escapement.testsupport.MetricsPage;
import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.Tests;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A gateway before an engine, both turned by the test, and the JDK's WebSocket as the players' clients. */
@RealTime("an engine and a gateway by the clock of the machine")
class GatewaySystemTest extends GatewaySystem
{
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldPlayAndReturnToTheSeatAfterACut(final boolean isTls)
    {
        launch(context(isTls));
        final BrowserClient ann = seated(7);
        final BrowserClient bob = seated(8);
        ann.message(roomId, "hello");
        await("the message", () -> ann.has("event hello") && bob.has("event hello"));

        ann.cut();
        await("away", () -> calls.contains("away 7"));
        final BrowserClient back = BrowserClient.returning(http, uri(), ann.token);
        await("a connection", back::isOpen);
        back.hello(ann.token);
        await("the seat", () -> back.has("joined 0 " + roomId + " 7 return") && back.has("state full state"));
        assertEquals(0, gateway.counter(GatewayCounter.RESUME_TOKENS_UNKNOWN));
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

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldCloseWithTheCodeOfTheReason(final boolean isTls)
    {
        launch(context(isTls));
        final BrowserClient text = connected();
        text.socket().sendText("hello", true);
        await("TEXT", () -> CloseCode.TEXT.value() == text.closeCode);
        final BrowserClient big = connected();
        big.sendRaw(new byte[PlayerMessages.MAX_REQUEST_LENGTH + 1]);
        await("TOO_BIG", () -> CloseCode.TOO_BIG.value() == big.closeCode);
        final BrowserClient pieces = connected();
        for (int i = 0; i < 3; i++)
        {
            pieces.socket().sendBinary(ByteBuffer.wrap(new byte[1 + PlayerMessages.MAX_REQUEST_LENGTH / 3]), false)
                .join();
        }
        await("TOO_BIG in pieces", () -> CloseCode.TOO_BIG.value() == pieces.closeCode);
        final BrowserClient malformed = connected();
        malformed.sendRaw(new byte[30]);
        await("MALFORMED", () -> CloseCode.MALFORMED.value() == malformed.closeCode);
        assertEquals(1, gateway.counter(GatewayCounter.CLOSED_TEXT));
        assertEquals(2, gateway.counter(GatewayCounter.CLOSED_TOO_BIG));
        assertEquals(1, gateway.counter(GatewayCounter.CLOSED_MALFORMED));
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
    void shouldServePagesAndHealthAndRefuseOtherOrigins()
    {
        launch(context().origin("https://game.example"));
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
    void shouldServeMetricsOfStatesTimesAndCodes()
    {
        launch(context());
        final BrowserClient stranger = connected();
        stranger.join(3, roomId);
        await("NOT_LOGGED_IN", () -> stranger.all().size() > 1);
        final BrowserClient player = seated(7);
        player.message(roomId, "hello");
        await("the message", () -> player.has("event hello"));
        final BrowserClient lost = seated(8);
        lost.cut();
        await("away", () -> calls.contains("away 8") && 1 == gateway.detached());
        final String text = get(gateway.metricsPort(), "/metrics").body();
        MetricsPage.parse(text);
        final List<String> lines = text.lines().toList();
        for (final String line : List.of("connections 2", "connections_greeted 2", "sessions 3",
            "sessions_detached 1", "seats 2", "trunks_up 1", "log_ins_total 2",
            "refusals_total{code=\"NOT_LOGGED_IN\"} 1", "closes_total{code=\"FULL\"} 0"))
        {
            assertTrue(lines.contains("escapement_gateway_" + line), () -> line + lines);
        }
        assertTrue(metric(lines, "work_seconds_total{worker=\"0\"}") > 0);
        assertTrue(metric(lines, "trunk_round_trip_seconds{worker=\"0\"}") > 0, lines::toString);
        final double flushes = metric(lines, "flush_seconds_count");
        assertTrue(flushes > 0);
        assertEquals(flushes, metric(lines, "flush_seconds_bucket{le=\"+Inf\"}"));
        assertTrue(metric(lines, "flush_seconds_sum") > 0);
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

    @Test
    void shouldServeTlsAndReadAChangedCertificate() throws Exception
    {
        final TestCertificate first = TestCertificate.write(directory, TestCertificate.FIRST);
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

        final TestCertificate second = TestCertificate.write(directory, TestCertificate.SECOND);
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
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldGiveTheSeatBackThroughAnotherGateway(final boolean isTls)
    {
        launch(context(isTls));
        other = Gateway.invoked(context(isTls));
        await("the other's trunk", other::isReady);
        final BrowserClient ann = seated(7);
        final BrowserClient bob = seated(other, 8);
        ann.cut();
        await("away", () -> calls.contains("away 7"));
        final BrowserClient back = seated(other, 7);
        await("the full state", () -> calls.contains("back 7") && back.has("state full state"));

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
