package io.escapement.tokens;

import io.escapement.testsupport.LoggedLines;
import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.CachedEpochClock;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** When keys are loaded, by a clock that the test sets and a source that fails when the test says so. */
class KeyRefreshTest
{
    private static final long START_MS = 1_800_000_000_000L;
    private static final long RETRY_MS = 30_000;
    private static final long REFRESH_MS = 300_000;
    private static final String NO_SET = "is no JSON Web Key Set";
    private static final String CLAIMS = "{\"iss\":\"" + Issuer.NAME + "\",\"aud\":\"" + Issuer.AUDIENCE +
        "\",\"sub\":7,\"exp\":1900000000}";

    private final Issuer issuer = new Issuer();
    private final TokenCounters counters = new TokenCounters();
    private final CachedEpochClock clock = new CachedEpochClock();
    private final FakeSource source = new FakeSource();
    private KeyRefresh refresh;
    private TokenVerifier verifier;

    private static final class FakeSource implements KeySource
    {
        private final List<Long> loads = new ArrayList<>();
        private CachedEpochClock clock;
        private String keys;
        private KeyFailure failure;

        @Override
        public KeySet load() throws KeyFailure
        {
            loads.add(clock.time() - START_MS);
            if (null != failure)
            {
                throw failure;
            }
            return KeySet.parse(keys.getBytes(StandardCharsets.UTF_8), false);
        }

        @Override
        public boolean hasChanged()
        {
            return false;
        }
    }

    @BeforeEach
    void start() throws IOException
    {
        clock.update(START_MS);
        source.clock = clock;
        source.keys = Issuer.set(issuer.jwk("first", "ES256", ""));
        final TokenLogInContext context =
            Issuer.options("https://login.example.com/keys").epochClock(clock).conclude();
        refresh = new KeyRefresh(context, source, null, counters);
        verifier = new TokenVerifier(context, refresh, context.newBanList(counters));
    }

    @Test
    void shouldRefuseUntilTheFirstKeysAndLoadThemAtTheInterval()
    {
        assertEquals("NO_KEYS", logIn("first"));
        assertTrue(refresh.poll(clock.time()));
        assertEquals("7", logIn("first"));
        pollUntil(2 * REFRESH_MS);
        assertEquals(List.of(0L, REFRESH_MS, 2 * REFRESH_MS), source.loads);
        assertEquals(3, counters.count(TokenCounter.KEY_LOADS));
    }

    @Test
    void shouldLoadTheKeysOfARotationAtTheFirstUnknownKid()
    {
        refresh.poll(clock.time());
        pollUntil(RETRY_MS + 5_000);
        source.keys = Issuer.set(issuer.jwk("first", "ES256", ""), issuer.jwk("second", "EdDSA", ""));
        assertEquals("UNKNOWN_KEY", logIn("second", "EdDSA"));
        assertTrue(refresh.poll(clock.time()));
        assertEquals("7", logIn("second", "EdDSA"));
        assertEquals("7", logIn("first"));

        source.keys = Issuer.set(issuer.jwk("second", "EdDSA", ""));
        pollUntil(RETRY_MS + 5_000 + REFRESH_MS);
        assertEquals("UNKNOWN_KEY", logIn("first"), "withdrawn");
    }

    @Test
    void shouldLoadOncePerRetryTimeForAFloodOfUnknownKids()
    {
        refresh.poll(clock.time());
        for (int i = 0; i < 100_000; i++)
        {
            clock.advance(1);
            assertEquals(i < 10, i < 10 && "UNKNOWN_KEY".equals(logIn("invented" + i)));
            refresh.onUnknownKey();
            refresh.poll(clock.time());
        }
        assertEquals(List.of(0L, RETRY_MS, 2 * RETRY_MS, 3 * RETRY_MS), source.loads);
        assertEquals(100_010, counters.count(TokenCounter.KEY_REQUESTS));
    }

    @Test
    void shouldKeepTheKeysAndCountAndLogEachFailure()
    {
        refresh.poll(clock.time());
        try (LoggedLines log = new LoggedLines("io.escapement.tokens"))
        {
            long at = REFRESH_MS;
            for (final KeyFailure.Kind kind : KeyFailure.Kind.values())
            {
                source.failure = new KeyFailure(kind, "fails as " + kind);
                pollUntil(at);
                assertEquals(at, source.loads.get(source.loads.size() - 1), () -> "failed as " + kind);
                assertEquals(1, counters.count(kind.counter()), kind::name);
                assertEquals("7", logIn("first"), kind::name);
                at += RETRY_MS;
            }
            final String line = "keys not loaded: https://login.example.com/keys: fails as ";
            assertEquals(line + "TIMEOUT (failure 1, next attempt in 30000 ms; 1 keys stay in use)", log.all().get(0));
            assertEquals(line + "UNREACHABLE (failure 6, next attempt in 30000 ms; 1 keys stay in use)",
                log.all().get(5));
            source.failure = null;
            pollUntil(at);
            assertEquals("keys loaded: https://login.example.com/keys: 1 keys", log.all().get(6));
        }
    }

    @Test
    void shouldSayThatLogInsAreRefusedWithoutKeys()
    {
        source.keys = "rubbish";
        try (LoggedLines log = new LoggedLines("io.escapement.tokens"))
        {
            refresh.poll(clock.time());
            assertEquals(List.of("keys not loaded: https://login.example.com/keys: " + NO_SET + " (failure 1, " +
                "next attempt in 30000 ms; log-ins are refused as NO_KEYS until then)"), log.all());
        }
        assertNull(refresh.keys());
    }

    @Test
    void shouldRefuseSetsThatAreNone() throws KeyFailure
    {
        final String two = Issuer.set(issuer.jwk("a", "ES256", ""), issuer.jwk("a", "EdDSA", ""));
        for (final String[] set : new String[][]{
            {"", NO_SET}, {"{}", NO_SET}, {"[".repeat(5_000), NO_SET}, {"{\"keys\":" + "[".repeat(5_000), NO_SET},
            {"{\"keys\":[7]}", NO_SET},
            {Issuer.set("{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"AA\",\"y\":\"AA\"}"), NO_SET},
            {Issuer.set(issuer.jwk("HS256", "")),
                "has no key for HS256 (only in a file), RS256, ES256 or EdDSA with Ed25519"},
            {two, "has two keys with the kid 'a'"}})
        {
            assertEquals(set[1], reason(set[0]), set[0]);
        }
        final String[] many = new String[KeySet.MAX_KEYS + 1];
        for (int i = 0; i < many.length; i++)
        {
            many[i] = issuer.jwk("key" + i, "EdDSA", "");
        }
        assertEquals("has more than 32 keys", reason(Issuer.set(many)));
        final KeySet mixed = KeySet.parse(Issuer.set(issuer.jwk("a", "ES256", ""), "{\"kty\":\"new\",\"kid\":\"b\"}")
            .getBytes(StandardCharsets.UTF_8), false);
        assertEquals(1, mixed.size(), "keys of later types do no harm");
    }

    @Test
    void shouldTakeTheOnlyKeyForATokenWithoutAKid()
    {
        refresh.poll(clock.time());
        assertEquals("7", Issuer.outcome(verifier, issuer.token("ES256", "{\"alg\":\"ES256\"}", Issuer.ascii(CLAIMS))));
    }

    @Test
    void shouldReadAFileThatHasChanged(@TempDir final Path directory) throws IOException
    {
        final Path file = directory.resolve("keys");
        Tests.writeSecret(file, source.keys);
        final TokenLogInContext context = Issuer.options(file.toString()).epochClock(clock).conclude();
        refresh = context.newKeyRefresh(counters);
        verifier = new TokenVerifier(context, refresh, context.newBanList(counters));
        assertEquals("7", logIn("first"), "before the first poll");
        refresh.poll(clock.time());
        Tests.writeSecret(file, Issuer.set(issuer.jwk("second", "EdDSA", "")));
        clock.advance(RETRY_MS - 1);
        assertFalse(refresh.poll(clock.time()));
        clock.advance(1);
        assertTrue(refresh.poll(clock.time()));
        assertEquals("7", logIn("second", "EdDSA"));
        clock.advance(RETRY_MS);
        assertFalse(refresh.poll(clock.time()), "it has not changed since");
    }

    private String reason(final String set)
    {
        try
        {
            KeySet.parse(set.getBytes(StandardCharsets.UTF_8), false);
            return "";
        }
        catch (final KeyFailure ex)
        {
            assertEquals(KeyFailure.Kind.MALFORMED, ex.kind());
            return ex.getMessage();
        }
    }

    /** Poll each second up to a time after the start. */
    private void pollUntil(final long endMs)
    {
        while (clock.time() - START_MS < endMs)
        {
            clock.advance(1_000);
            refresh.poll(clock.time());
        }
    }

    private String logIn(final String id)
    {
        return logIn(id, "ES256");
    }

    private String logIn(final String id, final String algorithm)
    {
        return Issuer.outcome(verifier, issuer.token(
            algorithm, "{\"alg\":\"" + algorithm + "\",\"kid\":\"" + id + "\"}", Issuer.ascii(CLAIMS)));
    }
}
