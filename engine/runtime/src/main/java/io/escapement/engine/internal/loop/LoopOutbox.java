package io.escapement.engine.internal.loop;

import io.escapement.engine.internal.queue.ByteFifo;
import io.escapement.engine.internal.queue.CommandQueue;
import io.escapement.engine.internal.queue.ControlSignal;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A loop's messages to one other thread, in order. Messages that the thread's queue has no room for wait here, in a
 * bounded buffer of the loop.
 */
final class LoopOutbox
{
    private static final int CODE = 0;
    private static final int LENGTH = 4;
    private static final int HEADER_LENGTH = 8;

    private final CommandQueue queue;
    private final ByteFifo waiting;

    LoopOutbox(final CommandQueue queue, final int capacity)
    {
        this.queue = queue;
        waiting = new ByteFifo(capacity);
    }

    /** Bytes that a message takes in the buffer. */
    static int length(final int messageLength)
    {
        return HEADER_LENGTH + messageLength;
    }

    /** Send or queue a message. Returns false when the buffer is also full. The message is then dropped. */
    boolean send(final ControlSignal signal, final DirectBuffer source, final int offset, final int length)
    {
        if (waiting.isEmpty() && queue.offer(signal, null, source, offset, length))
        {
            return true;
        }
        final int at = waiting.claim(HEADER_LENGTH + length);
        if (ByteFifo.NO_ROOM == at)
        {
            return false;
        }
        final UnsafeBuffer buffer = waiting.buffer();
        buffer.putInt(at + CODE, signal.code());
        buffer.putInt(at + LENGTH, length);
        buffer.putBytes(at + HEADER_LENGTH, source, offset, length);
        return true;
    }

    /** Send queued messages until the thread's queue is full. Returns how many were sent. */
    int drain()
    {
        int sent = 0;
        while (!waiting.isEmpty())
        {
            final UnsafeBuffer buffer = waiting.headBuffer();
            final int head = waiting.head();
            final int length = buffer.getInt(head + LENGTH);
            final ControlSignal signal = ControlSignal.of(buffer.getInt(head + CODE));
            if (!queue.offer(signal, null, buffer, head + HEADER_LENGTH, length))
            {
                break;
            }
            waiting.drop(HEADER_LENGTH + length);
            sent++;
        }
        return sent;
    }

    /** Drop the messages that wait. */
    void clear()
    {
        waiting.clear();
    }

    boolean isEmpty()
    {
        return waiting.isEmpty();
    }
}
