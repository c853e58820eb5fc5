package io.escapement.examples.common;

import io.escapement.codecs.PlayerNames;
import io.escapement.rooms.Audience;
import io.escapement.rooms.Room;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A message for a page: words, numbers and texts with tabs between them. A text is always one field: {@link #isText}
 * admits no control characters, and thus no tab. A line is built in place and does not allocate.
 */
public final class Line
{
    /** Longest line, in bytes. */
    public static final int MAX_LENGTH = 512;

    private static final byte DELETE = 127;

    private final UnsafeBuffer bytes = new UnsafeBuffer(new byte[MAX_LENGTH]);
    private int length;

    /** Whether bytes from a player may be a name, which others see as it is. */
    public static boolean isName(final DirectBuffer name, final int offset, final int length, final int maxLength)
    {
        return length > 0 && length <= maxLength && PlayerNames.isName(name, offset, length);
    }

    /** Whether bytes from a player may be a text: not empty, not too long, no control characters. */
    public static boolean isText(final DirectBuffer text, final int offset, final int length, final int maxLength)
    {
        boolean isText = length > 0 && length <= maxLength;
        for (int i = 0; isText && i < length; i++)
        {
            final byte value = text.getByte(offset + i);
            // The bytes of other characters than ASCII are negative.
            isText = (value < 0 || value >= ' ') && DELETE != value;
        }
        return isText;
    }

    /** Start a line with a word for its subject. */
    public Line start(final String word)
    {
        length = bytes.putStringWithoutLengthAscii(0, word);
        return this;
    }

    /** Add a number. */
    public Line add(final long number)
    {
        tab();
        length += bytes.putLongAscii(length, number);
        return this;
    }

    /** Add a text. */
    public Line add(final DirectBuffer text, final int offset, final int textLength)
    {
        tab();
        bytes.putBytes(length, text, offset, textLength);
        length += textLength;
        return this;
    }

    /** Add the text of a row. */
    public Line add(final TextTable table, final int row)
    {
        return add(table.buffer(), table.offset(row), table.length(row));
    }

    private void tab()
    {
        bytes.putByte(length++, (byte)'\t');
    }

    /** Send the line as an event. */
    public void send(final Room room, final Audience audience)
    {
        room.sendEvent(audience, bytes, 0, length);
    }

    /** The line as a row of a table. */
    public void putInto(final TextTable table, final int row)
    {
        table.put(row, bytes, 0, length);
    }
}
