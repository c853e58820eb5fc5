package io.escapement.engine.spi;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Logs in each player who has a key. */
final class GuestLogIn implements LogInService
{
    private static final int MIN_KEY_LENGTH = 16;
    private static final int MAX_KEY_LENGTH = 128;

    @Override
    public void logIn(final long trunkId, final byte[] key, final Reply reply)
    {
        if (key.length < MIN_KEY_LENGTH || key.length > MAX_KEY_LENGTH)
        {
            reply.onReply(BAD_GUEST_KEY, 0);
            return;
        }
        // The key is also the player's next log-in. The client sends it by itself.
        reply.onReply(0, playerId(key), key);
    }

    /** The id of another player is not enough to find a key for it. */
    static long playerId(final byte[] key)
    {
        try
        {
            final byte[] hash = MessageDigest.getInstance("SHA-256").digest(key);
            return Math.max(1, ByteBuffer.wrap(hash).getLong() & Long.MAX_VALUE);
        }
        catch (final NoSuchAlgorithmException ex)
        {
            throw new IllegalStateException(ex);
        }
    }
}
