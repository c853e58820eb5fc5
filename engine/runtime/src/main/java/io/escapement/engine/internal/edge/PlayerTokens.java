package io.escapement.engine.internal.edge;

import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.trunk.TrunkCode;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signed proofs that a player has logged in on a trunk, with an expiry. The key is random and lives as long as the
 * engine. Single-threaded.
 */
final class PlayerTokens
{
    /** The expiry, and half an HMAC-SHA256. */
    static final int LENGTH = Long.BYTES + 16;

    private static final String ALGORITHM = "HmacSHA256";

    private final Mac mac;
    private final byte[] token = new byte[LENGTH];

    PlayerTokens(final SecureRandom random)
    {
        final byte[] key = new byte[32];
        random.nextBytes(key);
        try
        {
            mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
        }
        catch (final GeneralSecurityException ex)
        {
            throw new IllegalStateException("every JDK has " + ALGORITHM, ex);
        }
    }

    byte[] issue(final long trunkId, final long playerId, final long expiryNs)
    {
        final byte[] signature = sign(trunkId, playerId, expiryNs);
        final byte[] issued = new byte[LENGTH];
        ByteBuffer.wrap(issued).putLong(expiryNs).put(signature, 0, LENGTH - Long.BYTES);
        return issued;
    }

    /** Where to put the bytes of a token before {@link #check}. */
    byte[] tokenBuffer()
    {
        return token;
    }

    int check(final long trunkId, final long playerId, final int length, final long nowNs)
    {
        if (LENGTH != length)
        {
            return TrunkCode.BAD_PLAYER_TOKEN.value();
        }
        final long expiryNs = ByteBuffer.wrap(token).getLong();
        final byte[] signature = sign(trunkId, playerId, expiryNs);
        final byte[] expected = Arrays.copyOf(signature, LENGTH - Long.BYTES);
        if (!MessageDigest.isEqual(expected, Arrays.copyOfRange(token, Long.BYTES, LENGTH)))
        {
            return TrunkCode.BAD_PLAYER_TOKEN.value();
        }
        return nowNs > expiryNs ? TrunkCode.PLAYER_TOKEN_EXPIRED.value() : RefusalCode.NONE.value();
    }

    private byte[] sign(final long trunkId, final long playerId, final long expiryNs)
    {
        mac.update(ByteBuffer.allocate(3 * Long.BYTES).putLong(trunkId).putLong(playerId).putLong(expiryNs).array());
        return mac.doFinal();
    }
}
