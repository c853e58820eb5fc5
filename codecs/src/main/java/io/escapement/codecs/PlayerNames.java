package io.escapement.codecs;

import org.agrona.DirectBuffer;

/**
 * Names that players give to themselves, to characters and to rooms. A name must be unambiguous: no character may be
 * invisible, or change the direction or the order of other characters.
 *
 * <p>The characters are a table of this build, of version 17 of Unicode, and not of the JVM: a room may depend on them.
 * Similar names are the concern of the part that keeps names unique.
 */
public final class PlayerNames
{
    /** First and last code points of ranges, in ascending order. */
    private static final int[] HIDDEN = {
        // Controls, spaces other than the usual one, the soft hyphen, the grapheme joiner.
        0x0000, 0x001F, 0x007F, 0x00A0, 0x00AD, 0x00AD, 0x034F, 0x034F,
        // Format characters of scripts, fillers of Hangul, vowels of Khmer and selectors of Mongolian without a shape.
        0x0600, 0x0605, 0x061C, 0x061C, 0x06DD, 0x06DD, 0x070F, 0x070F, 0x0890, 0x0891, 0x08E2, 0x08E2, 0x115F, 0x1160,
        0x1680, 0x1680, 0x17B4, 0x17B5, 0x180B, 0x180F,
        // Spaces, joiners, separators, embeddings, overrides and isolates.
        0x2000, 0x200F, 0x2028, 0x202F, 0x205F, 0x206F,
        // The blank pattern of Braille, the space of ideographs, another filler.
        0x2800, 0x2800, 0x3000, 0x3000, 0x3164, 0x3164,
        // Surrogates and private use, noncharacters, variation selectors, the byte order mark, and others.
        0xD800, 0xF8FF, 0xFDD0, 0xFDEF, 0xFE00, 0xFE0F, 0xFEFF, 0xFEFF, 0xFFA0, 0xFFA0, 0xFFF0, 0xFFFB, 0xFFFE, 0xFFFF,
        // Controls of numbers, hieroglyphs, shorthand and music.
        0x110BD, 0x110BD, 0x110CD, 0x110CD, 0x13430, 0x1343F, 0x1BCA0, 0x1BCA3, 0x1D173, 0x1D17A,
        // Tags and more variation selectors, and private use.
        0xE0000, 0xE0FFF, 0xF0000, 0x10FFFF};

    private PlayerNames()
    {
    }

    /**
     * Whether a character shows on a screen, and leaves its neighbours as they are.
     *
     * @param codePoint of Unicode.
     */
    public static boolean isVisible(final int codePoint)
    {
        int low = 0;
        int high = HIDDEN.length / 2 - 1;
        while (low <= high)
        {
            final int middle = (low + high) >>> 1;
            if (codePoint < HIDDEN[2 * middle])
            {
                high = middle - 1;
            }
            else if (codePoint > HIDDEN[2 * middle + 1])
            {
                low = middle + 1;
            }
            else
            {
                return false;
            }
        }
        return true;
    }

    /**
     * Whether bytes may be a name: UTF-8 with only visible characters, and single spaces between them. No allocation.
     *
     * @param buffer with the bytes.
     * @param offset of the first byte.
     * @param length number of bytes. The caller limits it.
     */
    public static boolean isName(final DirectBuffer buffer, final int offset, final int length)
    {
        final int end = offset + length;
        int before = ' ';
        int at = offset;
        while (at < end)
        {
            final int codePoint = codePoint(buffer, at, end);
            if (codePoint < 0 || !isVisible(codePoint) || ' ' == codePoint && ' ' == before)
            {
                return false;
            }
            before = codePoint;
            at += codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x1_0000 ? 3 : 4;
        }
        return ' ' != before;
    }

    /** The character at an offset, or -1 if it is not well-formed UTF-8. */
    private static int codePoint(final DirectBuffer buffer, final int at, final int end)
    {
        final int first = buffer.getByte(at) & 0xFF;
        if (first < 0x80)
        {
            return first;
        }
        final int size = first < 0xC2 || first > 0xF4 ? Integer.MAX_VALUE : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
        if (size > end - at)
        {
            return -1;
        }
        int codePoint = first & 0x7F >> size;
        for (int i = 1; i < size; i++)
        {
            final int next = buffer.getByte(at + i) & 0xFF;
            if (0x80 != (next & 0xC0))
            {
                return -1;
            }
            codePoint = codePoint << 6 | next & 0x3F;
        }
        // Not in more bytes than it needs. A half of a surrogate pair is a code point, but not visible.
        final boolean isShortest = codePoint >= (2 == size ? 0x80 : 3 == size ? 0x800 : 0x1_0000);
        return isShortest && codePoint <= Character.MAX_CODE_POINT ? codePoint : -1;
    }
}
