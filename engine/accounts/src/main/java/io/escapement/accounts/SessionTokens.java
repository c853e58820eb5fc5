package io.escapement.accounts;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Tokens that log an account in without its password: a client that reconnects does not keep a password, and the
 * server does not hash one.
 *
 * <pre>
 *   1 byte    format, 1
 *   8 bytes   account id
 *   8 bytes   session epoch of the account
 *   8 bytes   end, epoch time in milliseconds
 *   16 bytes  first half of the HMAC-SHA-256 of "session", the bytes before and the account's name
 * </pre>
 *
 * <p>The name is a field of the {@link Credentials} that carry a token. The first key signs and every key verifies, so
 * that keys can be replaced while tokens of the old one are in use. Any thread.
 */
final class SessionTokens
{
    static final int LENGTH = 41;

    private static final String ALGORITHM = "HmacSHA256";
    private static final byte[] PURPOSE = {'s', 'e', 's', 's', 'i', 'o', 'n'};
    private static final byte FORMAT = 1;
    private static final int SIGNED_LENGTH = 25;

    private final List<SecretKeySpec> keys;

    SessionTokens(final List<byte[]> keys)
    {
        this.keys = keys.stream().map((key) -> new SecretKeySpec(key, ALGORITHM)).toList();
    }

    /** The token of an account, until a time. */
    byte[] issue(final String nameKey, final long accountId, final long sessionEpoch, final long endMs)
    {
        final ByteBuffer token = ByteBuffer.allocate(LENGTH)
            .put(FORMAT).putLong(accountId).putLong(sessionEpoch).putLong(endMs);
        return token.put(signature(keys.get(0), token.array(), nameKey), 0, LENGTH - SIGNED_LENGTH).array();
    }

    /**
     * Whether a token was issued by this server for an account of this name.
     *
     * @param token   that a stranger sent.
     * @param nameKey of the account that the credentials name.
     */
    boolean isAuthentic(final byte[] token, final String nameKey)
    {
        return LENGTH == token.length && FORMAT == token[0] && isSigned(token, nameKey);
    }

    /**
     * End of a token that this account may use, in epoch milliseconds; 0 if it may not.
     *
     * @param token  that is authentic.
     * @param stored account of the token's name, or null if it does not exist.
     * @param nowMs  epoch time.
     */
    long endMs(final byte[] token, final AccountRows.Stored stored, final long nowMs)
    {
        if (null == stored)
        {
            return 0;
        }
        final ByteBuffer fields = ByteBuffer.wrap(token, 1, SIGNED_LENGTH - 1);
        final boolean isCurrent =
            stored.accountId() == fields.getLong() && stored.sessionEpoch() == fields.getLong();
        final long endMs = fields.getLong();
        return isCurrent && nowMs < endMs ? endMs : 0;
    }

    private boolean isSigned(final byte[] token, final String nameKey)
    {
        final byte[] found = Arrays.copyOfRange(token, SIGNED_LENGTH, LENGTH);
        boolean isSigned = false;
        for (final SecretKeySpec key : keys)
        {
            isSigned |= MessageDigest.isEqual(
                found, Arrays.copyOf(signature(key, token, nameKey), LENGTH - SIGNED_LENGTH));
        }
        return isSigned;
    }

    private static byte[] signature(final SecretKeySpec key, final byte[] token, final String nameKey)
    {
        try
        {
            final Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            mac.update(PURPOSE);
            mac.update(token, 0, SIGNED_LENGTH);
            // Latin-1 is a byte a character, and a name that is compared has no other.
            return mac.doFinal(nameKey.getBytes(StandardCharsets.ISO_8859_1));
        }
        catch (final GeneralSecurityException ex)
        {
            throw new IllegalStateException(ALGORITHM + " is part of every JDK", ex);
        }
    }
}
