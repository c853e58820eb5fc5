package io.escapement.arena.common;

import io.escapement.accounts.NameKeys;
import io.escapement.arena.codecs.ArenaCode;
import io.escapement.arena.protocol.ArenaMessages;
import io.escapement.codecs.PlayerNames;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Names and passwords as bytes. */
public final class Texts
{
    /** Most bytes of any name, password or hash in a snapshot. */
    public static final int LONGEST = 64;

    private static final int MIN_NAME_LENGTH = 2;

    private Texts()
    {
    }

    /** Why the name of a character or a room is refused, or null if it is valid. */
    public static ArenaCode nameCode(final DirectBuffer name, final int length)
    {
        final int code = ArenaMessages.checkText(name, 0, length, ArenaMessages.NAME_LIMIT);
        return 0 != code ? ArenaCode.get(code) : length < MIN_NAME_LENGTH ? ArenaCode.TEXT_TOO_SHORT :
            PlayerNames.isName(name, 0, length) ? null : ArenaCode.TEXT_NOT_PRINTABLE;
    }

    /**
     * The keys of a unique name. They depend on the version of ICU, which is therefore a setting of the logic with the
     * keys: see {@link io.escapement.rooms.RoomType#logicSettings}.
     */
    public static NameKeys keys(final byte[] name)
    {
        return NameKeys.of(new String(name, StandardCharsets.UTF_8));
    }

    /** A copy of the bytes. */
    public static byte[] bytes(final DirectBuffer buffer, final int offset, final int length)
    {
        final byte[] bytes = new byte[length];
        buffer.getBytes(offset, bytes);
        return bytes;
    }

    /** Lower case for a search, of ASCII only: Unicode case folding depends on the JVM, and a replay must not. */
    public static byte[] fold(final byte[] text)
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

    /** Whether one text contains the other. */
    public static boolean contains(final byte[] text, final byte[] part)
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

    /** Hash a room's password. A plain digest is enough, because it guards a room among friends and not an account. */
    public static byte[] hash(final long salt, final byte[] password)
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

    /** Write bytes to a snapshot. */
    public static void write(final StateWriter writer, final byte[] bytes)
    {
        writer.putBytes(new UnsafeBuffer(bytes), 0, bytes.length);
    }

    /** Read bytes, at most {@link #LONGEST}, from a snapshot. */
    public static byte[] read(final StateReader reader)
    {
        final byte[] bytes = new byte[LONGEST];
        return Arrays.copyOf(bytes, reader.getBytes(new UnsafeBuffer(bytes), 0));
    }
}
