package io.escapement.rooms.host;

import io.escapement.rooms.StateWriter;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;

/** Writes values to a growing buffer. */
final class BufferStateWriter implements StateWriter
{
    private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer(64 * 1024);
    private int position;

    @Override
    public void putLong(final long value)
    {
        buffer.putLong(position, value);
        position += Long.BYTES;
    }

    @Override
    public void putBytes(final DirectBuffer source, final int offset, final int length)
    {
        putInt(length);
        buffer.putBytes(position, source, offset, length);
        position += length;
    }

    DirectBuffer buffer()
    {
        return buffer;
    }

    int length()
    {
        return position;
    }

    void reset()
    {
        position = 0;
    }
}
