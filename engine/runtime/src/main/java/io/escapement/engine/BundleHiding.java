package io.escapement.engine;

import io.escapement.rooms.replay.RoomPast;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.stream.IntStream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.agrona.MutableDirectBuffer;

/**
 * Replaces messages by their HMAC-SHA-256. The key does not outlive the process, and a list of likely messages does not
 * find them. Equal messages stay equal.
 */
final class BundleHiding implements RoomPast.Hiding
{
    private static final String ALGORITHM = "HmacSHA256";
    private static final int KEY_LENGTH = 32;

    private final int[] templateIds;
    private final Mac mac;

    BundleHiding(final int[] templateIds)
    {
        this.templateIds = templateIds;
        final byte[] key = new byte[KEY_LENGTH];
        new SecureRandom().nextBytes(key);
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

    @Override
    public boolean isHidden(final int templateId)
    {
        return IntStream.of(templateIds).anyMatch((hidden) -> hidden == templateId);
    }

    @Override
    public void hide(final MutableDirectBuffer buffer, final int offset, final int length)
    {
        final byte[] message = new byte[length];
        buffer.getBytes(offset, message);
        final byte[] hash = mac.doFinal(message);
        for (int i = 0; i < length; i++)
        {
            buffer.putByte(offset + i, hash[i % hash.length]);
        }
    }
}
