package io.escapement.tokens;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.util.Base64URL;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.EpochClock;

/**
 * Decides who a token is. It checks the header first, because the header names the key, and then the signature. The
 * claims are last, because they are worthless before. The key decides about the algorithm. Any thread.
 */
final class TokenVerifier
{
    static final int MAX_HEADER_LENGTH = 512;

    /** Claims are flat, but for a few objects of roles. */
    private static final int DEPTH_LIMIT = 4;
    /** Keys are taken only from the options. */
    private static final List<String> KEY_PARAMETERS = List.of("jwk", "jku", "x5u", "x5c");
    private static final Set<String> TYPES = Set.of("jwt", "at+jwt");
    /** Beyond are no dates, and sums would overflow. */
    private static final double MAX_SECONDS = 1e12;

    private final KeyRefresh keys;
    private final BanList bans;
    private final EpochClock clock;
    private final String issuer;
    private final String audience;
    private final String playerClaim;
    private final int lengthLimit;
    private final long skewMs;
    private final PlayerIds playerIds = new PlayerIds();

    TokenVerifier(final TokenLogInContext context, final KeyRefresh keys, final BanList bans)
    {
        this.keys = keys;
        this.bans = bans;
        clock = context.epochClock();
        issuer = context.issuer();
        audience = context.audience();
        playerClaim = context.playerClaim();
        lengthLimit = context.tokenLimit();
        skewMs = TimeUnit.NANOSECONDS.toMillis(context.skewNs());
    }

    /** The player id of a token. */
    long verify(final byte[] token) throws TokenRefusal
    {
        TokenRefusal.check(token.length <= lengthLimit, TokenCode.TOKEN_TOO_LONG);
        final int headerEnd = nextDot(token, 0);
        final int claimsEnd = nextDot(token, headerEnd + 1);
        for (int i = 0; i < token.length; i++)
        {
            TokenRefusal.check(isBase64(token[i]) || i == headerEnd || i == claimsEnd, TokenCode.NOT_A_TOKEN);
        }
        TokenRefusal.check(headerEnd <= MAX_HEADER_LENGTH, TokenCode.HEADER_TOO_LONG);
        final Map<String, Object> header = TokenJson.parse(decode(token, 0, headerEnd), DEPTH_LIMIT);
        final TokenKey key = key(header);
        final byte[] signature = decode(token, claimsEnd + 1, token.length);
        TokenRefusal.check(key.signatureLength() == signature.length, TokenCode.BAD_SIGNATURE_LENGTH);
        TokenRefusal.check(isSigned(key, Arrays.copyOf(token, claimsEnd), signature), TokenCode.BAD_SIGNATURE);
        return player(TokenJson.parse(decode(token, headerEnd + 1, claimsEnd), DEPTH_LIMIT));
    }

    private TokenKey key(final Map<String, Object> header) throws TokenRefusal
    {
        final String name = text(header, "alg");
        TokenRefusal.check(!"none".equalsIgnoreCase(name), TokenCode.UNSIGNED);
        final TokenAlgorithm algorithm = TokenAlgorithm.of(name);
        TokenRefusal.check(null != algorithm, TokenCode.UNKNOWN_ALGORITHM);
        final String type = text(header, "typ");
        TokenRefusal.check(null == type || TYPES.stream().anyMatch(type::equalsIgnoreCase), TokenCode.OTHER_TYPE);
        TokenRefusal.check(!header.containsKey("b64"), TokenCode.UNENCODED_PAYLOAD);
        TokenRefusal.check(!header.containsKey("crit"), TokenCode.CRITICAL_HEADER);
        TokenRefusal.check(KEY_PARAMETERS.stream().noneMatch(header::containsKey), TokenCode.EMBEDDED_KEY);
        final String id = text(header, "kid");
        final KeySet set = keys.keys();
        TokenRefusal.check(null != set, TokenCode.NO_KEYS);
        final TokenKey key = set.find(id);
        if (null == key && null != id)
        {
            keys.onUnknownKey();
        }
        TokenRefusal.check(null != key, null == id ? TokenCode.NO_KEY_ID : TokenCode.UNKNOWN_KEY);
        TokenRefusal.check(key.isForSignatures(), TokenCode.KEY_OF_OTHER_USE);
        TokenRefusal.check(algorithm == key.algorithm(), TokenCode.KEY_OF_OTHER_ALGORITHM);
        return key;
    }

    private static boolean isSigned(final TokenKey key, final byte[] input, final byte[] signature)
    {
        try
        {
            return key.verifier().verify(
                new JWSHeader(key.algorithm().jws()), input, Base64URL.encode(signature));
        }
        catch (final JOSEException ex)
        {
            throw new IllegalStateException("a key cannot verify", ex);
        }
    }

    private long player(final Map<String, Object> claims) throws TokenRefusal
    {
        final long nowMs = clock.time();
        TokenRefusal.check(claims.containsKey("exp"), TokenCode.NO_EXPIRY);
        TokenRefusal.check(nowMs - skewMs < timeMs(claims, "exp"), TokenCode.EXPIRED);
        TokenRefusal.check(
            !claims.containsKey("nbf") || timeMs(claims, "nbf") <= nowMs + skewMs, TokenCode.NOT_YET_VALID);
        TokenRefusal.check(
            !claims.containsKey("iat") || timeMs(claims, "iat") <= nowMs + skewMs, TokenCode.NOT_YET_VALID);
        TokenRefusal.check(issuer.equals(claims.get("iss")), TokenCode.OTHER_ISSUER);
        final Object found = claims.get("aud");
        TokenRefusal.check(audience.equals(found) || found instanceof List<?> all && all.contains(audience),
            TokenCode.OTHER_AUDIENCE);
        final Object player = claims.get(playerClaim);
        TokenRefusal.check(null != player, TokenCode.NO_PLAYER);
        final long playerId = playerIds.of(player);
        TokenRefusal.check(!bans.isBanned(player.toString(), playerId), TokenCode.BANNED);
        return playerId;
    }

    private static long timeMs(final Map<String, Object> claims, final String name) throws TokenRefusal
    {
        TokenRefusal.check(claims.get(name) instanceof Number number && Math.abs(number.doubleValue()) <= MAX_SECONDS,
            TokenCode.BAD_TIME);
        return (long)(((Number)claims.get(name)).doubleValue() * TimeUnit.SECONDS.toMillis(1));
    }

    private static String text(final Map<String, Object> header, final String name) throws TokenRefusal
    {
        final Object value = header.get(name);
        TokenRefusal.check(value instanceof String || !header.containsKey(name), TokenCode.BAD_HEADER);
        return (String)value;
    }

    private static int nextDot(final byte[] token, final int from) throws TokenRefusal
    {
        for (int i = from; i < token.length; i++)
        {
            if ('.' == token[i])
            {
                return i;
            }
        }
        throw new TokenRefusal(TokenCode.NOT_A_TOKEN);
    }

    private static boolean isBase64(final byte character)
    {
        return character >= 'a' && character <= 'z' || character >= 'A' && character <= 'Z' ||
            character >= '0' && character <= '9' || '-' == character || '_' == character;
    }

    private static byte[] decode(final byte[] token, final int from, final int to) throws TokenRefusal
    {
        try
        {
            return Base64.getUrlDecoder().decode(new String(token, from, to - from, StandardCharsets.US_ASCII));
        }
        catch (final IllegalArgumentException ex)
        {
            // One character of four is left over.
            throw new TokenRefusal(TokenCode.NOT_A_TOKEN);
        }
    }
}
