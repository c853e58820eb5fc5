package io.escapement.engine.internal.edge;

import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** HMAC-SHA256 under one key, without allocation: {@code javax.crypto.Mac} makes a new array for each result. */
final class HmacSha256
{
    /** Length of a result. */
    static final int LENGTH = 32;

    private static final int BLOCK_LENGTH = 64;
    private static final byte INNER = 0x36;
    private static final byte OUTER = 0x5C;

    private final MessageDigest digest;
    private final byte[] innerKey = new byte[BLOCK_LENGTH];
    private final byte[] outerKey = new byte[BLOCK_LENGTH];

    HmacSha256(final byte[] key)
    {
        try
        {
            digest = MessageDigest.getInstance("SHA-256");
        }
        catch (final NoSuchAlgorithmException ex)
        {
            throw new IllegalStateException("every JDK has SHA-256", ex);
        }
        final byte[] shortKey = key.length > BLOCK_LENGTH ? digest.digest(key) : key;
        for (int i = 0; i < BLOCK_LENGTH; i++)
        {
            final byte value = i < shortKey.length ? shortKey[i] : 0;
            innerKey[i] = (byte)(value ^ INNER);
            outerKey[i] = (byte)(value ^ OUTER);
        }
    }

    /** Sign. The result has {@link #LENGTH} bytes. */
    void sign(final byte[] data, final int length, final byte[] result)
    {
        try
        {
            digest.update(innerKey);
            digest.update(data, 0, length);
            digest.digest(result, 0, LENGTH);
            digest.update(outerKey);
            digest.update(result, 0, LENGTH);
            digest.digest(result, 0, LENGTH);
        }
        catch (final DigestException ex)
        {
            throw new IllegalStateException("the result has " + result.length + " bytes", ex);
        }
    }
}
