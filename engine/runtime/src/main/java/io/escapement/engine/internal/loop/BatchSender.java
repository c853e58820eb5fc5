package io.escapement.engine.internal.loop;

import io.aeron.ExclusivePublication;
import io.aeron.Publication;
import io.escapement.codecs.TrunkMessages;
import java.nio.ByteOrder;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Sends messages that wait in a queue, as many whole ones in a packet as fit; one that does not fit goes alone, in
 * fragments. The messages stand in the queue as they go over the wire, so that a packet is a piece of the queue.
 */
public final class BatchSender
{
    /** Nothing waits any more. */
    public static final int SENT = 0;

    /** The far end does not take more for now. */
    public static final int BLOCKED = 1;

    /** The publication is gone. */
    public static final int CLOSED = 2;

    /** Terms roll over without anybody being slow, so it is tried again at once; more often than this it is slow. */
    private static final int ADMIN_ACTION_ATTEMPTS = 3;

    private BatchSender()
    {
    }

    /**
     * Make room for a message, and write its length before it.
     *
     * @param queue  to put it into.
     * @param length of the message and of what says how long it is.
     * @return where the message goes, or {@link ByteFifo#NO_ROOM}.
     */
    public static int claim(final ByteFifo queue, final int length)
    {
        final int at = queue.claim(length);
        if (ByteFifo.NO_ROOM == at)
        {
            return ByteFifo.NO_ROOM;
        }
        queue.buffer().putShort(
            at, (short)(length - TrunkMessages.ENTRY_HEADER_LENGTH), ByteOrder.LITTLE_ENDIAN);
        return at + TrunkMessages.ENTRY_HEADER_LENGTH;
    }

    /**
     * Send what waits, as far as it is taken.
     *
     * @param publication to send on.
     * @param queue       of whole messages, each with its length before it.
     * @return {@link #SENT}, {@link #BLOCKED} or {@link #CLOSED}.
     */
    public static int trySend(final ExclusivePublication publication, final ByteFifo queue)
    {
        int attempts = 0;
        while (!queue.isEmpty())
        {
            final int head = queue.head();
            final int length = packetLength(queue.buffer(), head, queue.tail(), publication.maxPayloadLength());
            final long position = publication.offer(queue.buffer(), head, length);
            if (position > 0)
            {
                queue.drop(length);
                attempts = 0;
            }
            else if (Publication.ADMIN_ACTION != position || ++attempts == ADMIN_ACTION_ATTEMPTS)
            {
                return Publication.CLOSED == position || Publication.MAX_POSITION_EXCEEDED == position ?
                    CLOSED : BLOCKED;
            }
        }
        return SENT;
    }

    static int messageLength(final UnsafeBuffer buffer, final int at)
    {
        return TrunkMessages.ENTRY_HEADER_LENGTH + (buffer.getShort(at, ByteOrder.LITTLE_ENDIAN) & 0xFFFF);
    }

    private static int packetLength(final UnsafeBuffer buffer, final int from, final int end, final int maxLength)
    {
        if (end - from <= maxLength)
        {
            return end - from;
        }
        int to = from + messageLength(buffer, from);
        while (to < end)
        {
            final int next = to + messageLength(buffer, to);
            if (next - from > maxLength)
            {
                break;
            }
            to = next;
        }
        return to - from;
    }
}
