package io.escapement.rooms.log;

import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;

/**
 * A {@link RecordSink} in memory, for benches and tests. It grows as needed, up to the length of an array.
 */
public final class ByteSink implements RecordSink
{
    private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
    private int length;

    /**
     * {@inheritDoc}
     */
    @Override
    public void append(final DirectBuffer buffer, final int offset, final int length)
    {
        this.buffer.putBytes(this.length, buffer, offset, length);
        this.length += length;
    }

    /**
     * The bytes so far, from index 0 to {@link #length()}. They are not copied: appending may move them to another
     * array.
     *
     * @return the buffer appended to.
     */
    public DirectBuffer buffer()
    {
        return buffer;
    }

    /**
     * How much was appended.
     *
     * @return number of bytes.
     */
    public int length()
    {
        return length;
    }

    /**
     * Forgets all bytes and keeps the memory.
     */
    public void reset()
    {
        length = 0;
    }

    /**
     * Copies the bytes so far.
     *
     * @return a new array of {@link #length()} bytes.
     */
    public byte[] toArray()
    {
        final byte[] bytes = new byte[length];
        buffer.getBytes(0, bytes);

        return bytes;
    }
}
