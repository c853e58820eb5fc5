package io.escapement.tokens;

import io.escapement.config.ConfigException;
import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.CachedEpochClock;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** The service with its threads, and its options. */
class TokenLogInTest
{
    private static final String CLAIMS = "{\"iss\":\"" + Issuer.NAME + "\",\"aud\":\"" + Issuer.AUDIENCE +
        "\",\"player\":7,\"exp\":1900000000}";

    private final Issuer issuer = new Issuer();
    private final CachedEpochClock clock = new CachedEpochClock();
    private final BlockingQueue<String> replies = new LinkedBlockingQueue<>();
    @TempDir
    private Path directory;
    private Path keys;

    @BeforeEach
    void write()
    {
        clock.update(1_800_000_000_000L);
        keys = Tests.writeSecret(directory.resolve("keys"), issuer.keys());
    }

    @Test
    void shouldReplyAndKeepNoToken() throws IOException, InterruptedException
    {
        try (TokenLogIn logIn = TokenLogIn.launch(
            Issuer.options(keys.toString()).playerClaim("player").epochClock(clock)))
        {
            final byte[] token = issuer.token("EdDSA", CLAIMS);
            logIn.logIn(1, token, (status, playerId) -> replies.add(status + " " + playerId));
            assertEquals("0 7", replies.take());
            assertArrayEquals(new byte[token.length], token);
            logIn.logIn(1, new byte[3], (status, playerId) -> replies.add(status + " " + playerId));
            assertEquals(TokenCode.NOT_A_TOKEN.value() + " 0", replies.take());
            final Map<String, Long> counters = new TreeMap<>();
            logIn.forEachCounter(counters::put);
            assertEquals(List.of(1L, 1L, 0L), List.of(counters.get("log_ins"), counters.get("refused NOT_A_TOKEN"),
                counters.get("refused EXPIRED")));
        }
    }

    @Test
    void shouldRefuseBeyondTheQueueAndAfterTheEnd() throws IOException, InterruptedException
    {
        final CountDownLatch isBusy = new CountDownLatch(1);
        final CountDownLatch isReleased = new CountDownLatch(1);
        final TokenLogIn logIn = TokenLogIn.launch(Issuer.options(keys.toString()).workers(1).epochClock(clock));
        try (logIn)
        {
            logIn.logIn(1, new byte[0], (status, playerId) ->
            {
                isBusy.countDown();
                awaitInterrupt(isReleased);
            });
            isBusy.await();
            for (int i = 0; i <= TokenLogIn.QUEUE_LIMIT; i++)
            {
                logIn.logIn(1, new byte[0], (status, playerId) -> replies.add(Integer.toString(status)));
            }
            assertEquals(List.of(Integer.toString(TokenCode.LOG_IN_QUEUE_FULL.value())), List.copyOf(replies));
        }
        assertEquals(TokenLogIn.QUEUE_LIMIT,
            replies.stream().filter(Integer.toString(TokenCode.STOPPING.value())::equals).count());
        logIn.logIn(1, new byte[0], (status, playerId) -> replies.add("late " + status));
        assertEquals(1, replies.stream().filter(("late " + TokenCode.STOPPING.value())::equals).count());
    }

    private static void awaitInterrupt(final CountDownLatch latch)
    {
        try
        {
            latch.await();
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void shouldRefuseOptionsThatCannotWork() throws IOException
    {
        refuses("tokens.keys: null: name a file or a URL of a key set", options().keys(null));
        refuses("tokens.keys: none: cannot be read: name a file of a key set", options().keys("none"));
        refuses("tokens.keys: http://login.example.com/keys: use https: whoever is on the path could replace the keys",
            options().keys("http://login.example.com/keys"));
        refuses("tokens.keys: ftp://127.0.0.1/keys: use https: whoever is on the path could replace the keys",
            options().keys("ftp://127.0.0.1/keys"));
        refuses("tokens.keys: https://user:secret@host/: name a URL as https://HOST/PATH",
            options().keys("https://user:secret@host/"));
        refuses("tokens.issuer: null: name the issuer of the tokens, as in their claim iss", options().issuer(null));
        refuses("tokens.audience:  : name the audience of the tokens, as in their claim aud", options().audience(" "));
        refuses("tokens.skewNs: -1: use 0 to 600000000000", options().skewNs(-1));
        refuses("tokens.workers: 0: use 1 to 64", options().workers(0));
        refuses("tokens.retryNs: 1: use 5000000000 to " + Long.MAX_VALUE, options().retryNs(1));
        refuses("tokens.banned: " + directory + "/none: cannot be read: name a text file with a player per line, at " +
            "most 10000", options().banned(directory.resolve("none")));
        Files.setPosixFilePermissions(keys, PosixFilePermissions.fromString("rw-r--r--"));
        final String message = assertThrows(ConfigException.class, options()::conclude).getMessage();
        final String start = "tokens.keys: " + keys + ": has a secret: ";
        assertEquals(start, message.substring(0, Math.min(message.length(), start.length())));
        Tests.writeSecret(keys, Issuer.set(issuer.jwk("ES256", "")));
        final TokenLogInContext concluded = options().skewNs(TimeUnit.SECONDS.toNanos(1)).conclude();
        assertThrows(IllegalStateException.class, () -> concluded.issuer("other"));
    }

    private TokenLogInContext options() throws IOException
    {
        return Issuer.options(keys.toString());
    }

    private static void refuses(final String message, final TokenLogInContext options)
    {
        assertEquals(message, assertThrows(ConfigException.class, options::conclude).getMessage());
    }
}
