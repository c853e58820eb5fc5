package io.escapement.rooms.host;

import io.escapement.rooms.StateReader;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/** Reads values from one record of a snapshot. */
final class BufferStateReader implements StateReader
{
    private final DirectBuffer buffer;
    private final int end;
    private int position;

    BufferStateReader(final DirectBuffer buffer, final int offset, final int length)
    {
        this.buffer = buffer;
        position = offset;
        end = offset + length;
    }

    @Override
    public long getLong()
    {
        checkLeft(Long.BYTES);
        final long value = buffer.getLong(position);
        position += Long.BYTES;
        return value;
    }

    @Override
    public int getBytes(final MutableDirectBuffer destination, final int offset)
    {
        final int length = getInt();
        copyBytes(destination, offset, length);
        return length;
    }

    @Override
    public void getBytes(final MutableDirectBuffer destination, final int offset, final int length)
    {
        final int written = getInt();
        if (length != written)
        {
            throw new IllegalStateException("read of " + length + " bytes where " + written + " bytes were written");
        }
        copyBytes(destination, offset, length);
    }

    private void copyBytes(final MutableDirectBuffer destination, final int offset, final int length)
    {
        checkLeft(length);
        destination.putBytes(offset, buffer, position, length);
        position += length;
    }

    int remaining()
    {
        return end - position;
    }

    private void checkLeft(final int length)
    {
        if (length < 0 || length > end - position)
        {
            throw new IllegalStateException(
                "read of " + length + " bytes past the end of a state with " + (end - position) + " left");
        }
    }
}
