package io.escapement.codecs;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class PlayerNamesTest
{
    @ParameterizedTest
    @ValueSource(strings = {"a", "Ann's yard", "J\u00FCrgen", "\u9F8D\u306E\u5B50", "\uD83C\uDCCF", "x 1 y", "\uFFFD"})
    void shouldAcceptNames(final String name)
    {
        assertTrue(isName(name.getBytes(StandardCharsets.UTF_8)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "  ", " a", "a ", "a  b", "\u3164", "bob\u034F", "bob\u200B", "\u202Ebob",
        "bob\u2066", "bob\u00AD", "\u00A0", "bob\uFEFF", "bob\uFE0F", "\u2800\u2800", "a\tb", "\u007F", "\uE000",
        "\uDB40\uDC41", "bob\u3000", "a\u2028b"})
    void shouldRefuseNamesThatDoNotShow(final String name)
    {
        assertFalse(isName(name.getBytes(StandardCharsets.UTF_8)));
    }

    /** Each character in its own bytes, which the JVM decodes too. */
    @Test
    void shouldReadEachCharacter()
    {
        for (int codePoint = 0; codePoint <= Character.MAX_CODE_POINT; codePoint++)
        {
            final String text = new String(Character.toChars(codePoint));
            final boolean isSurrogate = codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
            assertEquals(!isSurrogate && ' ' != codePoint && PlayerNames.isVisible(codePoint),
                !isSurrogate && isName(text.getBytes(StandardCharsets.UTF_8)), Integer.toHexString(codePoint));
        }
    }

    /** All first bytes, with continuations and without. */
    @Test
    void shouldRefuseWhatTheJvmDoesNotDecode()
    {
        for (int bits = 0; bits < 1 << 24; bits += 7)
        {
            final byte[] bytes = {(byte)(bits >> 16), (byte)(bits >> 8), (byte)bits, (byte)0x80};
            for (int length = 1; length <= bytes.length; length++)
            {
                if (isName(Arrays.copyOf(bytes, length)))
                {
                    decode(bytes, length);
                }
            }
        }
    }

    private static void decode(final byte[] bytes, final int length)
    {
        try
        {
            final CharBuffer text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, 0, length));
            assertTrue(text.codePoints().allMatch(PlayerNames::isVisible));
        }
        catch (final CharacterCodingException ex)
        {
            throw new AssertionError(Arrays.toString(bytes), ex);
        }
    }

    private static boolean isName(final byte[] bytes)
    {
        // At an offset, so that bytes before and after the name are not read.
        final byte[] framed = new byte[bytes.length + 2];
        System.arraycopy(bytes, 0, framed, 1, bytes.length);
        framed[bytes.length + 1] = (byte)0x80;
        return PlayerNames.isName(new UnsafeBuffer(framed), 1, bytes.length);
    }
}
