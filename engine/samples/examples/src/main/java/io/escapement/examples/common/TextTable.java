package io.escapement.examples.common;

import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** A fixed number of short texts, such as a name for each seat. It does not allocate after the constructor. */
public final class TextTable
{
    private final UnsafeBuffer bytes;
    private final int[] lengths;
    private final int maxLength;

    /**
     * A table of empty texts.
     *
     * @param rows      number of texts.
     * @param maxLength of a text, in bytes.
     */
    public TextTable(final int rows, final int maxLength)
    {
        bytes = new UnsafeBuffer(new byte[rows * maxLength]);
        lengths = new int[rows];
        this.maxLength = maxLength;
    }

    /** Replace the text of a row. */
    public void put(final int row, final DirectBuffer text, final int offset, final int length)
    {
        if (length > maxLength)
        {
            throw new IllegalArgumentException("a text of " + length + " bytes, of at most " + maxLength);
        }
        bytes.putBytes(offset(row), text, offset, length);
        lengths[row] = length;
    }

    /** Make the text of a row empty. */
    public void clear(final int row)
    {
        lengths[row] = 0;
    }

    /** Length of a row's text in bytes, 0 without a text. */
    public int length(final int row)
    {
        return lengths[row];
    }

    /** Offset of a row's text in {@link #buffer()}. */
    public int offset(final int row)
    {
        return row * maxLength;
    }

    /** The buffer with all texts. */
    public DirectBuffer buffer()
    {
        return bytes;
    }

    /** The first row with this text, or -1. */
    public int rowOf(final DirectBuffer text, final int offset, final int length)
    {
        for (int row = 0; row < lengths.length; row++)
        {
            if (length == lengths[row] && isSame(offset(row), text, offset, length))
            {
                return row;
            }
        }
        return -1;
    }

    private boolean isSame(final int at, final DirectBuffer text, final int offset, final int length)
    {
        for (int i = 0; i < length; i++)
        {
            if (bytes.getByte(at + i) != text.getByte(offset + i))
            {
                return false;
            }
        }
        return true;
    }

    /** Write all texts. */
    public void write(final StateWriter state)
    {
        for (int row = 0; row < lengths.length; row++)
        {
            state.putBytes(bytes, offset(row), lengths[row]);
        }
    }

    /** Read all texts. */
    public void read(final StateReader state)
    {
        for (int row = 0; row < lengths.length; row++)
        {
            lengths[row] = state.getBytes(bytes, offset(row));
        }
    }
}
