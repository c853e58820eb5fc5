package io.escapement.codecs.sync;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Messages that arrived before the state of their change, in the order of their arrival. The oldest are dropped at the
 * limits. Memory grows to the most bytes held at once, and is then kept.
 */
final class HeldMessages
{
    private static final int MAX_MESSAGES = SyncedCopy.MAX_HELD_MESSAGES;
    private static final int MAX_LENGTH = SyncedCopy.MAX_HELD_LENGTH;
    private static final int FIRST_CAPACITY = 1024;

    private final UnsafeBuffer bytes = new UnsafeBuffer(0, 0);
    private final int[] lengths = new int[MAX_MESSAGES];
    private int count;
    private int length;

    /** Hold a copy of a message, unless its length exceeds the limit. */
    boolean add(final DirectBuffer buffer, final int offset, final int messageLength)
    {
        if (messageLength > MAX_LENGTH)
        {
            return false;
        }
        while (MAX_MESSAGES == count || length + messageLength > MAX_LENGTH)
        {
            remove(0);
        }
        if (length + messageLength > bytes.capacity())
        {
            grow(length + messageLength);
        }
        bytes.putBytes(length, buffer, offset, messageLength);
        length += messageLength;
        lengths[count++] = messageLength;
        return true;
    }

    private void grow(final int needed)
    {
        final int capacity = Math.max(FIRST_CAPACITY, Math.max(needed, Math.min(2 * bytes.capacity(), MAX_LENGTH)));
        final byte[] grown = new byte[capacity];
        bytes.getBytes(0, grown, 0, length);
        bytes.wrap(grown);
    }

    /** Remove a message, and close the gap. No effect without a message at the index. */
    void remove(final int index)
    {
        if (index >= count)
        {
            return;
        }
        final int from = offset(index);
        final int end = from + lengths[index];
        System.arraycopy(bytes.byteArray(), end, bytes.byteArray(), from, length - end);
        length -= lengths[index];
        count--;
        System.arraycopy(lengths, index + 1, lengths, index, count - index);
    }

    void clear()
    {
        count = 0;
        length = 0;
    }

    int count()
    {
        return count;
    }

    DirectBuffer buffer()
    {
        return bytes;
    }

    /** Offset of a message in {@link #buffer}. */
    int offset(final int index)
    {
        int offset = 0;
        for (int i = 0; i < index; i++)
        {
            offset += lengths[i];
        }
        return offset;
    }

    int length(final int index)
    {
        return lengths[index];
    }
}
