package io.escapement.rooms.internal.loop;

import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Commands in the order in which they were added, numbered from 1. A position of sending runs ahead of their removal.
 * Its memory grows with the bytes that wait at one time and is kept.
 */
final class CommandFifo
{
    private static final int INITIAL_CAPACITY = 16 * 1_024;

    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[INITIAL_CAPACITY]);
    private int head;
    private int tail;
    /** Of the first command that was not sent. */
    private int unsentOffset;
    private int unsent;
    private int count;
    private long last;

    /** Bytes that a command takes. */
    static int entryLength(final int length)
    {
        return BitUtil.align(Integer.BYTES + length, Long.BYTES);
    }

    /** Bytes of the commands that wait, whatever memory they occupy. */
    int length()
    {
        return tail - head;
    }

    int count()
    {
        return count;
    }

    int unsent()
    {
        return unsent;
    }

    /** Number of the command that was added last; 0 before the first. */
    long last()
    {
        return last;
    }

    void add(final DirectBuffer source, final int offset, final int length)
    {
        final int entryLength = entryLength(length);
        if (entryLength > buffer.capacity() - tail)
        {
            makeRoom(entryLength);
        }
        buffer.putInt(tail, length);
        buffer.putBytes(tail + Integer.BYTES, source, offset, length);
        tail += entryLength;
        count++;
        unsent++;
        last++;
    }

    /** The memory of all commands, until the next is added. */
    DirectBuffer buffer()
    {
        return buffer;
    }

    /** Offset of the oldest command. */
    int oldestOffset()
    {
        return head + Integer.BYTES;
    }

    /** Length of the oldest command. */
    int oldestLength()
    {
        return buffer.getInt(head);
    }

    /** Length of the command at an offset. */
    int lengthAt(final int offset)
    {
        return buffer.getInt(offset - Integer.BYTES);
    }

    /** Remove the oldest command. */
    void drop()
    {
        if (unsentOffset == head)
        {
            sent();
        }
        head += entryLength(oldestLength());
        if (0 == --count)
        {
            head = 0;
            tail = 0;
            unsentOffset = 0;
        }
    }

    long unsentNumber()
    {
        return last - unsent + 1;
    }

    /** Offset of the first command that was not sent. */
    int unsentOffset()
    {
        return unsentOffset + Integer.BYTES;
    }

    /** Length of the first command that was not sent. */
    int unsentLength()
    {
        return buffer.getInt(unsentOffset);
    }

    /** Move the position of sending after the first unsent command. */
    void sent()
    {
        unsentOffset += entryLength(unsentLength());
        unsent--;
    }

    /** Send all commands once more. */
    void sendAgain()
    {
        unsentOffset = head;
        unsent = count;
    }

    void write(final StateWriter writer)
    {
        writer.putLong(last);
        writer.putInt(count);
        for (int at = head; at < tail; at += entryLength(buffer.getInt(at)))
        {
            writer.putBytes(buffer, at + Integer.BYTES, buffer.getInt(at));
        }
    }

    /** Read into a new queue. Each command is in the scratch buffer when it is checked. */
    void read(final StateReader reader, final MutableDirectBuffer scratch, final RestoredCommand check)
    {
        final long lastNumber = reader.getLong();
        final int commands = reader.getInt();
        if (commands < 0 || lastNumber < commands)
        {
            throw new IllegalStateException(commands + " commands up to number " + lastNumber);
        }
        for (int i = 0; i < commands; i++)
        {
            final int length = reader.getBytes(scratch, 0);
            check.check(scratch, length);
            add(scratch, 0, length);
        }
        last = lastNumber;
    }

    private void makeRoom(final int entryLength)
    {
        final int length = length();
        final int moved = head;
        final int capacity = buffer.capacity();
        if (length + entryLength > capacity / 2)
        {
            final byte[] larger = new byte[BitUtil.findNextPositivePowerOfTwo(2 * (length + entryLength))];
            buffer.getBytes(head, larger, 0, length);
            buffer.wrap(larger);
        }
        else
        {
            buffer.putBytes(0, buffer, head, length);
        }
        head = 0;
        tail = length;
        unsentOffset -= moved;
    }
}
