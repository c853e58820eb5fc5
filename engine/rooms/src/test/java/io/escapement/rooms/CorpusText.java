package io.escapement.rooms;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** The text of the corpus: bytes in hex, in which (n) stands for n zeros, and rooms as loop.serial. */
final class CorpusText
{
    /** Of output beyond it the length and a hash are written. */
    private static final int OUTPUT_LENGTH = 64;
    private static final int LOOP_SHIFT = 54;
    private static final int ZEROS = 3;

    private CorpusText()
    {
    }

    static String room(final long roomId)
    {
        return (roomId >>> LOOP_SHIFT) + "." + (roomId & ((1L << LOOP_SHIFT) - 1));
    }

    static long roomId(final int loop, final long serial)
    {
        return ((long)loop << LOOP_SHIFT) | serial;
    }

    static String output(final DirectBuffer buffer, final int offset, final int length)
    {
        return length <= OUTPUT_LENGTH ? hex(buffer, offset, length) : hex(buffer, offset, OUTPUT_LENGTH / 2) +
            "+" + length + "#" + Long.toHexString(CorpusObserver.mix(0, buffer, offset, length));
    }

    static String hex(final DirectBuffer buffer, final int offset, final int length)
    {
        final StringBuilder text = new StringBuilder();
        int i = 0;
        while (i < length)
        {
            int zeros = 0;
            while (i + zeros < length && 0 == buffer.getByte(offset + i + zeros))
            {
                zeros++;
            }
            if (zeros >= ZEROS)
            {
                text.append('(').append(zeros).append(')');
                i += zeros;
                continue;
            }
            final int value = buffer.getByte(offset + i) & 0xFF;
            text.append(Character.forDigit(value >>> 4, 16)).append(Character.forDigit(value & 15, 16));
            i++;
        }
        return text.toString();
    }

    static byte[] bytes(final String text)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[text.length() * 256]);
        int length = 0;
        int i = 0;
        while (i < text.length())
        {
            if ('(' == text.charAt(i))
            {
                final int end = text.indexOf(')', i);
                length += Integer.parseInt(text, i + 1, end, 10);
                i = end + 1;
                continue;
            }
            buffer.putByte(length++, (byte)Integer.parseInt(text, i, i + 2, 16));
            i += 2;
        }
        final byte[] bytes = new byte[length];
        buffer.getBytes(0, bytes);
        return bytes;
    }
}
