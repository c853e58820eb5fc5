package io.escapement.engine.internal.loop;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * What a loop has for one other thread whose queue may be full: kept in order, in a bounded place of the loop's own,
 * and moved when there is room.
 */
final class Outbox
{
    private static final int KIND = 0;
    private static final int LENGTH = 4;
    private static final int HEADER_LENGTH = 8;

    private final CommandQueue queue;
    private final ByteFifo waiting;

    Outbox(final CommandQueue queue, final int capacity)
    {
        this.queue = queue;
        waiting = new ByteFifo(capacity);
    }

    /**
     * Hand over a message.
     *
     * @param kind   of the message.
     * @param source with the message.
     * @param offset of the message.
     * @param length of the message.
     * @return false when even the place to wait is full; the message is then gone.
     */
    boolean send(final int kind, final DirectBuffer source, final int offset, final int length)
    {
        if (waiting.isEmpty() && queue.offer(kind, null, source, offset, length))
        {
            return true;
        }
        final int at = waiting.claim(HEADER_LENGTH + length);
        if (ByteFifo.NO_ROOM == at)
        {
            return false;
        }
        final UnsafeBuffer buffer = waiting.buffer();
        buffer.putInt(at + KIND, kind);
        buffer.putInt(at + LENGTH, length);
        buffer.putBytes(at + HEADER_LENGTH, source, offset, length);
        return true;
    }

    /**
     * Move what waits.
     *
     * @return how many messages were moved.
     */
    int drain()
    {
        int moved = 0;
        while (!waiting.isEmpty())
        {
            final UnsafeBuffer buffer = waiting.buffer();
            final int head = waiting.head();
            final int length = buffer.getInt(head + LENGTH);
            if (!queue.offer(buffer.getInt(head + KIND), null, buffer, head + HEADER_LENGTH, length))
            {
                break;
            }
            waiting.drop(HEADER_LENGTH + length);
            moved++;
        }
        return moved;
    }

    boolean isEmpty()
    {
        return waiting.isEmpty();
    }
}
