package io.escapement.rooms.output;

import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;

/** A {@link RecordSink} in memory, for benches and tests. It grows as needed, up to the length of an array. */
public final class ByteSink implements RecordSink
{
    private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
    private int length;

    @Override
    public void append(final DirectBuffer buffer, final int offset, final int length)
    {
        this.buffer.putBytes(this.length, buffer, offset, length);
        this.length += length;
    }

    /** The appended bytes, from index 0 to {@link #length()}, without a copy. Appending may replace their array. */
    public DirectBuffer buffer()
    {
        return buffer;
    }

    /** Number of appended bytes. */
    public int length()
    {
        return length;
    }

    /** Remove all bytes, and keep the memory. */
    public void reset()
    {
        length = 0;
    }

    /** A copy of the appended bytes. */
    public byte[] toArray()
    {
        final byte[] bytes = new byte[length];
        buffer.getBytes(0, bytes);
        return bytes;
    }
}
