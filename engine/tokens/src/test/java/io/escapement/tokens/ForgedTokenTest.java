package io.escapement.tokens;

import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.agrona.concurrent.CachedEpochClock;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Each kind of forged or bad token is refused by its name, at a time that the test sets. */
class ForgedTokenTest
{
    private static final long NOW_S = 1_800_000_000;
    private static final String TIMES = ",\"exp\":" + (NOW_S + 60) + ",\"nbf\":" + NOW_S + ",\"iat\":" + NOW_S;
    private static final String ISSUED =
        "{\"iss\":\"" + Issuer.NAME + "\",\"aud\":\"" + Issuer.AUDIENCE + '"';
    private static final String CLAIMS = ISSUED + ",\"sub\":7" + TIMES + '}';

    private static final Issuer ISSUER = new Issuer();
    private static final Issuer STRANGER = new Issuer();
    private static final CachedEpochClock CLOCK = new CachedEpochClock();
    private static final TokenCounters COUNTERS = new TokenCounters();

    private static TokenVerifier verifier;

    private record Forgery(String name, TokenCode code, Supplier<byte[]> token)
    {
    }

    @BeforeAll
    static void readKeys(@TempDir final Path directory) throws IOException
    {
        final String keys = Issuer.set(
            ISSUER.jwk("HS256", ""), ISSUER.jwk("RS256", ""), ISSUER.jwk("ES256", ""), ISSUER.jwk("EdDSA", ""),
            ISSUER.jwk("encrypts", "RS256", ",\"use\":\"enc\""),
            ISSUER.jwk("signs", "RS256", ",\"key_ops\":[\"sign\"]"),
            ISSUER.jwk("longer", "RS256", ",\"alg\":\"RS512\""));
        final Path banned = directory.resolve("banned");
        Tests.writeSecret(banned, "# cheaters\n13\neve\n\n" + PlayerIds.ofText("mallory") + '\n');
        CLOCK.update(NOW_S * 1_000);
        final TokenLogInContext context = Issuer.options(
            Tests.writeSecret(directory.resolve("keys"), keys).toString()).banned(banned).epochClock(CLOCK).conclude();
        verifier =
            new TokenVerifier(context, context.newKeyRefresh(COUNTERS), context.newBanList(COUNTERS));
    }

    @Test
    void shouldLogInByEachAlgorithm()
    {
        for (final String algorithm : Issuer.ALGORITHMS)
        {
            assertEquals("7", outcome(ISSUER.token(algorithm, CLAIMS)), algorithm);
        }
        assertEquals("7", outcome(ISSUER.token("ES256", CLAIMS.replace(
            '"' + Issuer.AUDIENCE + '"', "[\"other\",\"" + Issuer.AUDIENCE + "\"]"))), "one of several audiences");
        assertEquals(Long.toString(PlayerIds.ofText("ann")), outcome(token(claims("\"ann\""))));
        assertEquals("4611686018427387903", outcome(token(claims("4611686018427387903"))), "the largest number");
    }

    /** Behind each limit of time is one millisecond in which the token is valid. */
    @Test
    void shouldAllowTheSkewAndNotMore()
    {
        final String since = "{" + ISSUED.substring(1) + ",\"sub\":7,\"exp\":" + NOW_S + "}";
        final String until = ISSUED + ",\"sub\":7,\"exp\":" + (NOW_S + 900) + ",\"nbf\":" + NOW_S + "}";
        try
        {
            CLOCK.update((NOW_S + 30) * 1_000 - 1);
            assertEquals("7", outcome(token(since)));
            CLOCK.update((NOW_S + 30) * 1_000);
            assertEquals("EXPIRED", outcome(token(since)));
            CLOCK.update((NOW_S - 30) * 1_000);
            assertEquals("7", outcome(token(until)));
            CLOCK.update((NOW_S - 30) * 1_000 - 1);
            assertEquals("NOT_YET_VALID", outcome(token(until)));
        }
        finally
        {
            CLOCK.update(NOW_S * 1_000);
        }
    }

    @TestFactory
    Stream<DynamicTest> shouldRefuse()
    {
        return forgeries().stream().map((forgery) -> DynamicTest.dynamicTest(forgery.name,
            () -> assertEquals(forgery.code.name(), outcome(forgery.token.get()))));
    }

    @Test
    void shouldForgeEachCodeOfAToken()
    {
        final TreeSet<TokenCode> missing = new TreeSet<>(Arrays.asList(TokenCode.values()));
        forgeries().forEach((forgery) -> missing.remove(forgery.code));
        assertEquals(List.of(TokenCode.NO_KEYS, TokenCode.PLAYER_ID_TAKEN, TokenCode.LOG_IN_QUEUE_FULL,
            TokenCode.STOPPING), List.copyOf(missing), "other tests have these");
        assertTrue(forgeries().size() >= 25);
    }

    @Test
    void shouldRefuseEachChangedByte()
    {
        for (final String algorithm : Issuer.ALGORITHMS)
        {
            final byte[] token = ISSUER.token(algorithm, CLAIMS);
            // The last character of a signature has bits that no byte uses.
            for (int i = 0; i < token.length - 1; i++)
            {
                final byte[] changed = token.clone();
                changed[i] = (byte)('A' == token[i] ? 'B' : 'A');
                final int at = i;
                assertTrue(outcome(changed).matches("[A-Z].*"), () -> algorithm + " with another byte " + at);
            }
        }
    }

    private static List<Forgery> forgeries()
    {
        return Stream.of(forgedHeaders(), forgedKeysAndSignatures(), forgedClaims()).flatMap(List::stream).toList();
    }

    private static List<Forgery> forgedHeaders()
    {
        return List.of(
            new Forgery("empty credentials", TokenCode.NOT_A_TOKEN, () -> new byte[0]),
            new Forgery("two parts", TokenCode.NOT_A_TOKEN, () -> Issuer.ascii("e30.e30")),
            new Forgery("four parts", TokenCode.NOT_A_TOKEN, () -> Issuer.ascii(text(token(CLAIMS)) + ".AA")),
            new Forgery("padding", TokenCode.NOT_A_TOKEN, () -> Issuer.ascii(text(token(CLAIMS)) + "==")),
            new Forgery("a new line", TokenCode.NOT_A_TOKEN, () -> Issuer.ascii(text(token(CLAIMS)) + '\n')),
            new Forgery("bytes beyond ASCII", TokenCode.NOT_A_TOKEN,
                () -> new byte[]{(byte)0xC3, (byte)0xA9, '.', '.'}),
            new Forgery("a huge token", TokenCode.TOKEN_TOO_LONG, () -> new byte[1_281]),
            new Forgery("a huge header", TokenCode.HEADER_TOO_LONG,
                () -> withHeader(Issuer.header("ES256", ",\"x\":\"" + "x".repeat(400) + '"'))),
            new Forgery("a header that is not UTF-8", TokenCode.NOT_UTF8, () -> Issuer.ascii(
                Issuer.base64(new byte[]{'{', '"', (byte)0xFF, '"', ':', '1', '}'}) + ".e30.AA")),
            new Forgery("a header that is no JSON", TokenCode.BAD_JSON, () -> withHeader("{alg:ES256}")),
            new Forgery("text after the header", TokenCode.BAD_JSON,
                () -> withHeader(Issuer.header("ES256", "") + "{}")),
            new Forgery("a header that is a list", TokenCode.BAD_JSON, () -> withHeader("[]")),
            new Forgery("a duplicate alg", TokenCode.DUPLICATE_MEMBER,
                () -> withHeader(Issuer.header("ES256", ",\"alg\":\"none\""))),
            new Forgery("a duplicate alg that is escaped", TokenCode.DUPLICATE_MEMBER,
                () -> withHeader(Issuer.header("ES256", ",\"\\u0061lg\":\"none\""))),
            new Forgery("a header too deep", TokenCode.NESTED_TOO_DEEP,
                () -> withHeader(Issuer.header("ES256", ",\"x\":[[[[]]]]"))),
            new Forgery("a kid that is a number", TokenCode.BAD_HEADER,
                () -> withHeader("{\"alg\":\"ES256\",\"kid\":1}")),
            new Forgery("an alg that is null", TokenCode.BAD_HEADER, () -> withHeader("{\"alg\":null}")),
            new Forgery("alg none", TokenCode.UNSIGNED,
                () -> unsigned("{\"alg\":\"none\",\"kid\":\"ES256\"}")),
            new Forgery("alg nOnE", TokenCode.UNSIGNED, () -> unsigned("{\"alg\":\"nOnE\"}")),
            new Forgery("no alg", TokenCode.UNKNOWN_ALGORITHM, () -> withHeader("{\"kid\":\"ES256\"}")),
            new Forgery("alg RS512", TokenCode.UNKNOWN_ALGORITHM, () -> withHeader(Issuer.header("RS512", ""))),
            new Forgery("another typ", TokenCode.OTHER_TYPE,
                () -> withHeader("{\"alg\":\"ES256\",\"kid\":\"ES256\",\"typ\":\"logout+jwt\"}")),
            new Forgery("crit", TokenCode.CRITICAL_HEADER,
                () -> withHeader(Issuer.header("ES256", ",\"crit\":[\"exp\"]"))),
            new Forgery("b64 false", TokenCode.UNENCODED_PAYLOAD,
                () -> withHeader(Issuer.header("ES256", ",\"b64\":false,\"crit\":[\"b64\"]"))));
    }

    private static List<Forgery> forgedKeysAndSignatures()
    {
        return List.of(
            new Forgery("an embedded key", TokenCode.EMBEDDED_KEY, () -> STRANGER.token("ES256",
                Issuer.header("ES256", ",\"jwk\":" + STRANGER.jwk("ES256", "")), bytes(CLAIMS))),
            new Forgery("an address of keys", TokenCode.EMBEDDED_KEY,
                () -> withHeader(Issuer.header("ES256", ",\"jku\":\"https://evil.example\""))),
            new Forgery("an address of a certificate", TokenCode.EMBEDDED_KEY,
                () -> withHeader(Issuer.header("ES256", ",\"x5u\":\"https://evil.example\""))),
            new Forgery("a certificate", TokenCode.EMBEDDED_KEY,
                () -> withHeader(Issuer.header("ES256", ",\"x5c\":[\"AA\"]"))),
            new Forgery("HS256 by the public key", TokenCode.KEY_OF_OTHER_ALGORITHM, ForgedTokenTest::byPublicKey),
            new Forgery("an unknown kid", TokenCode.UNKNOWN_KEY,
                () -> withHeader("{\"alg\":\"ES256\",\"kid\":\"../../keys\"}")),
            new Forgery("no kid among several keys", TokenCode.NO_KEY_ID, () -> withHeader("{\"alg\":\"ES256\"}")),
            new Forgery("a key that encrypts", TokenCode.KEY_OF_OTHER_USE, () -> byRsa("encrypts")),
            new Forgery("a key that does not verify", TokenCode.KEY_OF_OTHER_USE, () -> byRsa("signs")),
            new Forgery("a key of RS512", TokenCode.KEY_OF_OTHER_ALGORITHM, () -> byRsa("longer")),
            new Forgery("ES256 by the key of EdDSA", TokenCode.KEY_OF_OTHER_ALGORITHM,
                () -> withHeader("{\"alg\":\"ES256\",\"kid\":\"EdDSA\"}")),
            new Forgery("no signature", TokenCode.BAD_SIGNATURE_LENGTH,
                () -> unsigned(Issuer.header("ES256", ""))),
            new Forgery("a longer signature", TokenCode.BAD_SIGNATURE_LENGTH,
                () -> Issuer.ascii(text(token(CLAIMS)) + "AAAA")),
            new Forgery("zeros as a signature of ES256", TokenCode.BAD_SIGNATURE,
                () -> signedBy("ES256", new byte[64])),
            new Forgery("zeros as a signature of EdDSA", TokenCode.BAD_SIGNATURE,
                () -> signedBy("EdDSA", new byte[64])),
            new Forgery("ones as a signature of EdDSA", TokenCode.BAD_SIGNATURE,
                () -> signedBy("EdDSA", filled(64))),
            new Forgery("ones as a signature of ES256", TokenCode.BAD_SIGNATURE,
                () -> signedBy("ES256", filled(64))),
            new Forgery("another key of HS256", TokenCode.BAD_SIGNATURE, () -> signedBy("HS256", new byte[32])),
            new Forgery("another key of RS256", TokenCode.BAD_SIGNATURE, () -> STRANGER.token("RS256", CLAIMS)),
            new Forgery("another key of ES256", TokenCode.BAD_SIGNATURE, () -> STRANGER.token("ES256", CLAIMS)),
            new Forgery("another key of EdDSA", TokenCode.BAD_SIGNATURE, () -> STRANGER.token("EdDSA", CLAIMS)),
            new Forgery("other claims under a signature", TokenCode.BAD_SIGNATURE, () -> Issuer.ascii(
                text(token(CLAIMS)).replaceFirst("\\.[^.]*\\.", "." + Issuer.base64(bytes(claims("8"))) + "."))));
    }

    private static List<Forgery> forgedClaims()
    {
        return List.of(
            new Forgery("claims that are not UTF-8", TokenCode.NOT_UTF8, () -> ISSUER.token("ES256",
                Issuer.header("ES256", ""), CLAIMS.replace(":7", ":\"\u00E9\"").getBytes(StandardCharsets.ISO_8859_1))),
            new Forgery("half of a pair in a name", TokenCode.BAD_JSON, () -> token(claims("\"\\ud800\""))),
            new Forgery("a duplicate claim", TokenCode.DUPLICATE_MEMBER,
                () -> token(ISSUED + ",\"sub\":7,\"sub\":8" + TIMES + '}')),
            new Forgery("claims too deep", TokenCode.NESTED_TOO_DEEP,
                () -> token(ISSUED + ",\"sub\":7,\"x\":" + "[".repeat(300) + "]".repeat(300) + TIMES + '}')),
            new Forgery("no exp", TokenCode.NO_EXPIRY, () -> token(ISSUED + ",\"sub\":7}")),
            new Forgery("exp that is a text", TokenCode.BAD_TIME,
                () -> token(ISSUED + ",\"sub\":7,\"exp\":\"" + (NOW_S + 60) + "\"}")),
            new Forgery("exp that is no date", TokenCode.BAD_TIME, () -> token(ISSUED + ",\"sub\":7,\"exp\":1e300}")),
            new Forgery("expired", TokenCode.EXPIRED, () -> token(ISSUED + ",\"sub\":7,\"exp\":" + (NOW_S - 30) + '}')),
            new Forgery("not valid yet", TokenCode.NOT_YET_VALID, () -> token(
                CLAIMS.replace("\"nbf\":" + NOW_S, "\"nbf\":" + (NOW_S + 31)))),
            new Forgery("issued in the future", TokenCode.NOT_YET_VALID, () -> token(
                CLAIMS.replace("\"iat\":" + NOW_S, "\"iat\":" + (NOW_S + 31)))),
            new Forgery("another issuer", TokenCode.OTHER_ISSUER,
                () -> token(CLAIMS.replace(Issuer.NAME, Issuer.NAME + "evil"))),
            new Forgery("no issuer", TokenCode.OTHER_ISSUER,
                () -> token(CLAIMS.replace("\"iss\"", "\"issuer\""))),
            new Forgery("another audience", TokenCode.OTHER_AUDIENCE,
                () -> token(CLAIMS.replace(Issuer.AUDIENCE, "other-game"))),
            new Forgery("no audience", TokenCode.OTHER_AUDIENCE, () -> token(CLAIMS.replace("\"aud\"", "\"for\""))),
            new Forgery("no player", TokenCode.NO_PLAYER, () -> token(CLAIMS.replace("\"sub\"", "\"subject\""))),
            new Forgery("player null", TokenCode.NO_PLAYER, () -> token(claims("null"))),
            new Forgery("player 0", TokenCode.BAD_PLAYER, () -> token(claims("0"))),
            new Forgery("player -7", TokenCode.BAD_PLAYER, () -> token(claims("-7"))),
            new Forgery("player 2^62", TokenCode.BAD_PLAYER, () -> token(claims("4611686018427387904"))),
            new Forgery("player 2^64", TokenCode.BAD_PLAYER, () -> token(claims("18446744073709551616"))),
            new Forgery("player 7.5", TokenCode.BAD_PLAYER, () -> token(claims("7.5"))),
            new Forgery("player true", TokenCode.BAD_PLAYER, () -> token(claims("true"))),
            new Forgery("player of no letters", TokenCode.BAD_PLAYER, () -> token(claims("\"\""))),
            new Forgery("a long player", TokenCode.BAD_PLAYER, () -> token(claims('"' + "x".repeat(257) + '"'))),
            new Forgery("a banned number", TokenCode.BANNED, () -> token(claims("13"))),
            new Forgery("a banned text", TokenCode.BANNED, () -> token(claims("\"eve\""))),
            new Forgery("a banned player id of a text", TokenCode.BANNED, () -> token(claims("\"mallory\""))));
    }

    private static String claims(final String player)
    {
        return CLAIMS.replace("\"sub\":7", "\"sub\":" + player);
    }

    private static byte[] token(final String claims)
    {
        return ISSUER.token("ES256", claims);
    }

    private static byte[] withHeader(final String header)
    {
        return ISSUER.token("ES256", header, bytes(CLAIMS));
    }

    private static byte[] byRsa(final String id)
    {
        return ISSUER.token("RS256", "{\"alg\":\"RS256\",\"kid\":\"" + id + "\"}", bytes(CLAIMS));
    }

    private static byte[] unsigned(final String header)
    {
        return Issuer.ascii(Issuer.base64(bytes(header)) + '.' + Issuer.base64(bytes(CLAIMS)) + '.');
    }

    private static byte[] signedBy(final String algorithm, final byte[] signature)
    {
        final String input = Issuer.base64(bytes(Issuer.header(algorithm, ""))) + '.' + Issuer.base64(bytes(CLAIMS));
        return Issuer.ascii(input + '.' + Issuer.base64(signature));
    }

    /** The oldest trick: everybody knows the public key, and HMAC takes any bytes as a secret. */
    private static byte[] byPublicKey()
    {
        final String input = Issuer.base64(bytes("{\"alg\":\"HS256\",\"kid\":\"RS256\"}")) + '.' +
            Issuer.base64(bytes(CLAIMS));
        return Issuer.ascii(input + '.' + Issuer.base64(
            Issuer.mac(ISSUER.rsa.getPublic().getEncoded(), Issuer.ascii(input))));
    }

    private static byte[] filled(final int length)
    {
        final byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte)0xFF);
        return bytes;
    }

    private static String outcome(final byte[] token)
    {
        return Issuer.outcome(verifier, token);
    }

    private static byte[] bytes(final String text)
    {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(final byte[] token)
    {
        return new String(token, StandardCharsets.US_ASCII);
    }
}
