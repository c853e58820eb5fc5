package io.escapement.engine.internal.edge;

import io.escapement.codecs.TrunkMessages;
import java.nio.ByteOrder;
import java.security.SecureRandom;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Signs the tokens of trunks and players, and checks them. A token is an HMAC-SHA256, truncated, over {purpose, realm,
 * trunk, use}. Any incarnation with the key can therefore check it without a memory of it. The first key signs, all
 * keys verify. Checks take the same time wherever a token differs, and do not allocate. Single-threaded.
 *
 * <pre>
 *   resume   {number of the connection: 4, HMAC of trunk, number, identity: 12}
 *   attach   {HMAC of trunk, number, identity: 8}
 *   player   {expiry: 8, HMAC of trunk, player, expiry: 16}
 * </pre>
 */
public final class TokenKeys
{
    /** The expiry, and half an HMAC. */
    static final int PLAYER_TOKEN_LENGTH = Long.BYTES + 16;

    private static final int RANDOM_KEY_LENGTH = 32;
    private static final byte[] NO_IDENTITY = {};
    private static final byte RESUME = 'R';
    private static final byte ATTACH = 'A';
    private static final byte PLAYER = 'P';
    private static final int REALM_OFFSET = 8;
    private static final int TRUNK_OFFSET = 16;
    private static final int FIRST_OFFSET = 24;
    private static final int SECOND_OFFSET = 32;
    private static final int IDENTITY_OFFSET = 40;

    private final HmacSha256[] keys;
    private final boolean isLasting;
    private final byte[] data = new byte[IDENTITY_OFFSET + TrunkMessages.MAX_IDENTITY_LENGTH];
    private final UnsafeBuffer dataBuffer = new UnsafeBuffer(data);
    private final byte[] result = new byte[HmacSha256.LENGTH];
    private final UnsafeBuffer resultBuffer = new UnsafeBuffer(result);

    private TokenKeys(final List<byte[]> keys, final long realm, final boolean isLasting)
    {
        this.keys = keys.stream().map(HmacSha256::new).toArray(HmacSha256[]::new);
        this.isLasting = isLasting;
        dataBuffer.putLong(REALM_OFFSET, realm, ByteOrder.BIG_ENDIAN);
    }

    /**
     * A key that is valid, together with its tokens, only as long as the engine.
     *
     * @param random secure source.
     */
    public static TokenKeys random(final SecureRandom random)
    {
        final byte[] key = new byte[RANDOM_KEY_LENGTH];
        random.nextBytes(key);
        return new TokenKeys(List.of(key), 0, false);
    }

    /**
     * Keys that outlive the engine.
     *
     * @param keys  the first signs.
     * @param realm in which ids of trunks do not repeat: tokens of another realm are void.
     */
    public static TokenKeys of(final List<byte[]> keys, final long realm)
    {
        return new TokenKeys(keys, realm, true);
    }

    /** Whether tokens of an incarnation before may be valid. */
    boolean isLasting()
    {
        return isLasting;
    }

    /** The tokens of a trunk's connection. */
    Trunk.Tokens ofConnection(final long trunkId, final int connection, final byte[] identity)
    {
        final int length = put(trunkId, connection, 0, identity);
        sign(keys[0], RESUME, length);
        final long high =
            (long)connection << Integer.SIZE | resultBuffer.getInt(0, ByteOrder.BIG_ENDIAN) & 0xFFFF_FFFFL;
        final long low = resultBuffer.getLong(Integer.BYTES, ByteOrder.BIG_ENDIAN);
        sign(keys[0], ATTACH, length);
        return new Trunk.Tokens(high, low, resultBuffer.getLong(0, ByteOrder.BIG_ENDIAN));
    }

    /** Whether a resume token was signed for this trunk and identity, by any incarnation. */
    boolean isResumeToken(final long trunkId, final long high, final long low, final byte[] identity)
    {
        final int length = put(trunkId, connectionOf(high), 0, identity);
        boolean isValid = false;
        for (final HmacSha256 key : keys)
        {
            sign(key, RESUME, length);
            final long difference = (int)high ^ resultBuffer.getInt(0, ByteOrder.BIG_ENDIAN) |
                low ^ resultBuffer.getLong(Integer.BYTES, ByteOrder.BIG_ENDIAN);
            isValid |= 0 == difference;
        }
        return isValid;
    }

    /** Number of the connection that a resume token was for. */
    static int connectionOf(final long resumeHigh)
    {
        return (int)(resumeHigh >>> Integer.SIZE);
    }

    /** Write the token of a player on a trunk. */
    void signPlayer(final long trunkId, final long playerId, final long expiryNs, final byte[] token)
    {
        sign(keys[0], PLAYER, put(trunkId, playerId, expiryNs, NO_IDENTITY));
        for (int i = 0; i < Long.BYTES; i++)
        {
            token[i] = data[SECOND_OFFSET + i];
        }
        System.arraycopy(result, 0, token, Long.BYTES, PLAYER_TOKEN_LENGTH - Long.BYTES);
    }

    /** Whether a token was signed for this player on this trunk with this expiry. */
    boolean isPlayerToken(final long trunkId, final long playerId, final long expiryNs, final byte[] token)
    {
        final int length = put(trunkId, playerId, expiryNs, NO_IDENTITY);
        boolean isValid = false;
        for (final HmacSha256 key : keys)
        {
            sign(key, PLAYER, length);
            int difference = 0;
            for (int i = Long.BYTES; i < PLAYER_TOKEN_LENGTH; i++)
            {
                difference |= token[i] ^ result[i - Long.BYTES];
            }
            isValid |= 0 == difference;
        }
        return isValid;
    }

    private int put(final long trunkId, final long first, final long second, final byte[] identity)
    {
        dataBuffer.putLong(TRUNK_OFFSET, trunkId, ByteOrder.BIG_ENDIAN);
        dataBuffer.putLong(FIRST_OFFSET, first, ByteOrder.BIG_ENDIAN);
        dataBuffer.putLong(SECOND_OFFSET, second, ByteOrder.BIG_ENDIAN);
        System.arraycopy(identity, 0, data, IDENTITY_OFFSET, identity.length);
        return IDENTITY_OFFSET + identity.length;
    }

    private void sign(final HmacSha256 key, final byte purpose, final int length)
    {
        data[0] = purpose;
        key.sign(data, length, result);
    }
}
