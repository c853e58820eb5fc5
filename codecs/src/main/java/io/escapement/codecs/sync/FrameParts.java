package io.escapement.codecs.sync;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** The parts of a frame that have arrived, in their order. Its memory is allocated for the first part. */
final class FrameParts
{
    /** The row before the first. */
    static final int NO_ROW = -1;

    private final int maxLength;
    private final UnsafeBuffer records = new UnsafeBuffer(0, 0);
    private int sequence;
    private int view;
    private int next;
    private int length;
    private int lastRow;

    FrameParts(final int maxLength)
    {
        this.maxLength = maxLength;
    }

    /** Begin a frame, without the parts of another. */
    void begin(final int newSequence, final int newView)
    {
        clear();
        sequence = newSequence;
        view = newView;
    }

    void clear()
    {
        next = 0;
        length = 0;
        lastRow = NO_ROW;
    }

    /** Whether a part starts a frame or continues this frame. */
    boolean isNext(final int newSequence, final int newView, final int part)
    {
        return 0 == part || part == next && sequence == newSequence && view == newView;
    }

    boolean hasSpace(final int partLength)
    {
        return length + partLength <= maxLength;
    }

    /** Append the records of the next part. The last record has a row. */
    void add(final DirectBuffer buffer, final int offset, final int partLength, final int newLastRow)
    {
        if (0 == records.capacity())
        {
            records.wrap(new byte[maxLength]);
        }
        records.putBytes(length, buffer, offset, partLength);
        length += partLength;
        lastRow = newLastRow;
        next++;
    }

    /** Number of the part that continues the frame. */
    int next()
    {
        return next;
    }

    /** The last row of the parts, or {@link #NO_ROW}. */
    int lastRow()
    {
        return lastRow;
    }

    /** The records of all parts, from 0. */
    DirectBuffer records()
    {
        return records;
    }

    int length()
    {
        return length;
    }
}
