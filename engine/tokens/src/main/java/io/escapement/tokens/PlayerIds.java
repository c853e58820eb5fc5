package io.escapement.tokens;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.agrona.collections.Long2LongHashMap;

/**
 * Player ids of claims. An integer is the player id, and must be below 2^62. A text becomes the first 62 bits of its
 * SHA-256 with bit 62 set. A text thus never has the id of an integer. Each server, restart and node of a cluster
 * computes the same id without a table on a disk.
 *
 * <p>Among a million players, the probability that two texts have the same id is 1 in 10 million. A person who may
 * choose a text needs 2^62 hashes for the id of a given player. Such a text still does not take that player's seat. A
 * server remembers the next 64 bits of the hash of each player it has logged in, and refuses another text. It remembers
 * a million players, and then starts over.
 */
final class PlayerIds
{
    /** Bit of ids made from a text. */
    static final long OF_TEXT = 1L << 62;
    static final int MAX_TEXT_LENGTH = 256;

    private static final int SPARE_BITS = 2;
    private static final int LIMIT = 1_000_000;
    private static final long NONE = 0;

    private final Long2LongHashMap checkByIdMap = new Long2LongHashMap(NONE);

    /** The id of an integer or a text. */
    long of(final Object claim) throws TokenRefusal
    {
        if (claim instanceof Long number)
        {
            TokenRefusal.check(number > 0 && number < OF_TEXT, TokenCode.BAD_PLAYER);
            return number;
        }
        TokenRefusal.check(claim instanceof String text && !text.isEmpty() && text.length() <= MAX_TEXT_LENGTH,
            TokenCode.BAD_PLAYER);
        final ByteBuffer hash = hash((String)claim);
        final long id = id(hash);
        TokenRefusal.check(isFirst(id, hash.getLong() | 1), TokenCode.PLAYER_ID_TAKEN);
        return id;
    }

    /** The id of a text, without a look at the other players. */
    static long ofText(final String text)
    {
        return id(hash(text));
    }

    /** Whether no other text has the id. */
    synchronized boolean isFirst(final long id, final long check)
    {
        if (checkByIdMap.size() >= LIMIT)
        {
            checkByIdMap.clear();
        }
        final long found = checkByIdMap.get(id);
        if (NONE == found)
        {
            checkByIdMap.put(id, check);
        }
        return NONE == found || check == found;
    }

    private static long id(final ByteBuffer hash)
    {
        return hash.getLong() >>> SPARE_BITS | OF_TEXT;
    }

    private static ByteBuffer hash(final String text)
    {
        try
        {
            return ByteBuffer.wrap(
                MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        }
        catch (final NoSuchAlgorithmException ex)
        {
            throw new IllegalStateException(ex);
        }
    }
}
