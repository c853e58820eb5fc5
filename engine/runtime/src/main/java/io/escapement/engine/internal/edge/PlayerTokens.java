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
 * Tokens that say: this player has logged in on this trunk, until then. Signed with a key that the engine makes for
 * itself and forgets when it stops. For the edge's thread.
 */
final class PlayerTokens
{
    /** The time it ends, and half an HMAC-SHA256. */
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

    byte[] issue(final long trunkId, final long playerId, final long endsNs)
    {
        final byte[] signature = sign(trunkId, playerId, endsNs);
        final byte[] issued = new byte[LENGTH];
        ByteBuffer.wrap(issued).putLong(endsNs).put(signature, 0, LENGTH - Long.BYTES);
        return issued;
    }

    /** Where to put the bytes of a token before {@link #check}. */
    byte[] given()
    {
        return token;
    }

    int check(final long trunkId, final long playerId, final int length, final long nowNs)
    {
        if (LENGTH != length)
        {
            return TrunkCode.BAD_PLAYER_TOKEN.value();
        }
        final long endsNs = ByteBuffer.wrap(token).getLong();
        final byte[] signature = sign(trunkId, playerId, endsNs);
        final byte[] wanted = Arrays.copyOf(signature, LENGTH - Long.BYTES);
        if (!MessageDigest.isEqual(wanted, Arrays.copyOfRange(token, Long.BYTES, LENGTH)))
        {
            return TrunkCode.BAD_PLAYER_TOKEN.value();
        }
        return nowNs > endsNs ? TrunkCode.PLAYER_TOKEN_EXPIRED.value() : RefusalCode.NONE.value();
    }

    private byte[] sign(final long trunkId, final long playerId, final long endsNs)
    {
        mac.update(ByteBuffer.allocate(3 * Long.BYTES).putLong(trunkId).putLong(playerId).putLong(endsNs).array());
        return mac.doFinal();
    }
}
