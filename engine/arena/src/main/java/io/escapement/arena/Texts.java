package io.escapement.arena;

import io.escapement.arena.codecs.ArenaCode;
import io.escapement.arena.protocol.ArenaMessages;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.agrona.DirectBuffer;

/** Names and passwords as bytes. */
final class Texts
{
    /** Longer than any name, password or hash that is kept. */
    static final int LONGEST = 64;

    private static final int LEAST_NAME = 2;

    private Texts()
    {
    }

    /** What is wrong with the name of a character or a room, or null. */
    static ArenaCode nameCode(final DirectBuffer name, final int length)
    {
        final int code = ArenaMessages.checkText(name, 0, length, ArenaMessages.NAME_LIMIT);
        return 0 != code ? ArenaCode.get(code) : length < LEAST_NAME ? ArenaCode.TEXT_TOO_SHORT : null;
    }

    static byte[] bytes(final DirectBuffer buffer, final int offset, final int length)
    {
        final byte[] bytes = new byte[length];
        buffer.getBytes(offset, bytes);
        return bytes;
    }

    /** In small letters, of ASCII alone: what Unicode folds depends on the JVM's tables, and a replay must not. */
    static byte[] fold(final byte[] text)
    {
        final byte[] folded = text.clone();
        for (int i = 0; i < folded.length; i++)
        {
            if (folded[i] >= 'A' && folded[i] <= 'Z')
            {
                folded[i] += 'a' - 'A';
            }
        }
        return folded;
    }

    static boolean contains(final byte[] text, final byte[] part)
    {
        for (int from = 0; from <= text.length - part.length; from++)
        {
            int same = 0;
            while (same < part.length && text[from + same] == part[same])
            {
                same++;
            }
            if (same == part.length)
            {
                return true;
            }
        }
        return false;
    }

    /** Of a room's password. It guards a table among friends, not an account, and so costs little. */
    static byte[] hash(final long salt, final byte[] password)
    {
        try
        {
            final MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(ByteBuffer.allocate(Long.BYTES).putLong(0, salt));
            return digest.digest(password);
        }
        catch (final NoSuchAlgorithmException ex)
        {
            throw new IllegalStateException("every JVM has SHA-256", ex);
        }
    }
}
