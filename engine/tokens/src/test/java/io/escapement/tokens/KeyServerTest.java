package io.escapement.tokens;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import io.escapement.testsupport.LoggedLines;
import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A server of keys that turns bad while players log in. */
@RealTime("a server that hangs")
class KeyServerTest
{
    private static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(400);
    private static final String CLAIMS = "{\"iss\":\"" + Issuer.NAME + "\",\"aud\":\"" + Issuer.AUDIENCE +
        "\",\"sub\":7,\"exp\":4000000000}";

    private final Issuer issuer = new Issuer();
    private final CountDownLatch end = new CountDownLatch(1);
    private final AtomicInteger requests = new AtomicInteger();
    private final BlockingQueue<Integer> replies = new LinkedBlockingQueue<>();
    private volatile HttpHandler handler = this::keys;
    private HttpServer server;
    private TokenLogIn logIn;

    @BeforeEach
    void start() throws IOException
    {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/keys", (exchange) ->
        {
            requests.incrementAndGet();
            handler.handle(exchange);
        });
        server.start();
        logIn = TokenLogIn.launch(Issuer.options("http://127.0.0.1:" + server.getAddress().getPort() + "/keys")
            .timeoutNs(RETRY_NS).retryNs(RETRY_NS).refreshNs(RETRY_NS));
        Tests.await(() -> 0 < count("key_loads"), "the first keys");
    }

    @AfterEach
    void stop()
    {
        end.countDown();
        logIn.close();
        server.stop(0);
    }

    @Test
    void shouldLogInWhileTheServerHangs() throws InterruptedException
    {
        turnsBad("key_timeouts", "did not answer within 400 ms", (exchange) -> awaitEnd());
    }

    @Test
    void shouldLogInWhileTheServerSendsABytePerSecond() throws InterruptedException
    {
        turnsBad("key_timeouts", "did not answer within 400 ms", (exchange) ->
        {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write('{');
            exchange.getResponseBody().flush();
            awaitEnd();
        });
    }

    @Test
    void shouldReadNoTenMegabytes() throws InterruptedException
    {
        final AtomicInteger sent = new AtomicInteger();
        turnsBad("key_too_long", "answered with more than 65536 bytes", (exchange) ->
        {
            exchange.sendResponseHeaders(200, 0);
            sent.set(0);
            try (OutputStream out = exchange.getResponseBody())
            {
                for (int i = 0; i < 10 * 1_024; i++)
                {
                    out.write(new byte[1_024]);
                    sent.addAndGet(1_024);
                }
            }
        });
        Tests.await(() -> sent.get() > 0, "an answer");
        assertTrue(sent.get() < 10 * 1_024 * 1_024, () -> sent + " bytes were taken");
    }

    @Test
    void shouldKeepTheKeysWhenTheServerAnswersRubbish() throws InterruptedException
    {
        turnsBad("key_malformed", "is no JSON Web Key Set", (exchange) -> answer(exchange, 200, "<html>"));
    }

    @Test
    void shouldNotFollowARedirect() throws InterruptedException
    {
        turnsBad("key_redirects", "redirects with status 302: name the final URL", (exchange) ->
        {
            exchange.getResponseHeaders().add(
                "Location", "http://127.0.0.1:" + server.getAddress().getPort() + "/evil");
            answer(exchange, 302, "");
        });
    }

    @Test
    void shouldKeepTheKeysWhenTheServerFails() throws InterruptedException
    {
        turnsBad("key_statuses", "answered with status 500", (exchange) -> answer(exchange, 500, "sorry"));
    }

    @Test
    void shouldKeepTheKeysWhenTheServerIsGone() throws InterruptedException
    {
        server.stop(0);
        Tests.await(() -> count("key_unreachable") > 0, "a failure");
        assertEquals(0, logIn());
    }

    private void turnsBad(final String counter, final String reason, final HttpHandler bad)
        throws InterruptedException
    {
        try (LoggedLines log = new LoggedLines("io.escapement.tokens"))
        {
            final int before = requests.get();
            handler = bad;
            Tests.await(() -> requests.get() > before, "the next request");
            for (int i = 0; i < 20; i++)
            {
                assertEquals(0, logIn(), "during the request");
            }
            Tests.await(() -> count(counter) > 0 && log.has(reason), () -> counter + " in " + log.all());
            assertEquals(0, logIn(), "after the failure");
            final long loads = count("key_loads");
            handler = this::keys;
            Tests.await(() -> count("key_loads") > loads, "keys again");
        }
    }

    private int logIn() throws InterruptedException
    {
        logIn.logIn(1, issuer.token("RS256", CLAIMS), (status, playerId) -> replies.add(status));
        return replies.take();
    }

    private long count(final String name)
    {
        final Map<String, Long> counters = new ConcurrentHashMap<>();
        logIn.forEachCounter(counters::put);
        return counters.get(name);
    }

    private void keys(final HttpExchange exchange) throws IOException
    {
        answer(exchange, 200, issuer.keys());
    }

    private static void answer(final HttpExchange exchange, final int status, final String text) throws IOException
    {
        final byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, 0 == body.length ? -1 : body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private void awaitEnd()
    {
        try
        {
            end.await();
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }
}
