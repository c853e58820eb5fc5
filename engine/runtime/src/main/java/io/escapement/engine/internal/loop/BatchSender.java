package io.escapement.engine.internal.loop;

import io.aeron.Publication;
import io.aeron.logbuffer.FrameDescriptor;
import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.trunk.RoomMessage;
import io.escapement.engine.internal.queue.ByteFifo;
import java.nio.ByteOrder;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Sends the messages of a queue in batches: as many whole messages as fit one packet. A longer message is sent
 * separately, in fragments. Because the queue has the layout of the wire, a batch is a range of the queue and is not
 * copied.
 */
public final class BatchSender
{
    /** The queue is empty. */
    public static final int SENT = 0;

    /** The publication is back-pressured or not connected. */
    public static final int BLOCKED = 1;

    /** The publication is closed. */
    public static final int CLOSED = 2;

    /** Attempts during a term rollover, which is no back pressure, before it counts as such. */
    static final int ADMIN_ACTION_ATTEMPTS = 3;

    /** Most of a packet that padding may take, as a divisor. */
    private static final int MAX_PADDING_SHARE = 4;

    private BatchSender()
    {
    }

    /**
     * Claim space for a message and write its length prefix.
     *
     * @param queue  of messages.
     * @param length of the message and its length prefix.
     * @return offset of the message, or {@link ByteFifo#NO_ROOM}.
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
     * Send queued messages until the publication refuses one.
     *
     * @param publication to send on.
     * @param queue       of whole messages with length prefixes.
     * @return {@link #SENT}, {@link #BLOCKED} or {@link #CLOSED}.
     */
    public static int trySend(final LinkPublication publication, final ByteFifo queue)
    {
        return trySend(publication, queue, false);
    }

    /**
     * Send queued messages until the publication refuses one.
     *
     * @param publication to send on.
     * @param queue       of whole messages with length prefixes.
     * @param isPadded    whether packets with successors may be padded to their full length, because a media driver
     *                    sends datagrams of equal length in one system call.
     * @return {@link #SENT}, {@link #BLOCKED} or {@link #CLOSED}.
     */
    public static int trySend(final LinkPublication publication, final ByteFifo queue, final boolean isPadded)
    {
        int attempts = 0;
        while (!queue.isEmpty())
        {
            final int head = queue.head();
            final int maxLength = publication.maxPayloadLength();
            final UnsafeBuffer buffer = queue.headBuffer();
            final int length = packetLength(buffer, head, queue.headEnd(), maxLength);
            final int padding = isPadded && length < queue.size() ? padding(maxLength, length) : 0;
            final long position = 0 == padding ? publication.offer(buffer, head, length) :
                publication.offer(buffer, head, length, padding);
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

    /** Because Aeron aligns frames, a shorter gap leaves the packet at its full length. */
    static int padding(final int maxLength, final int length)
    {
        final int gap = maxLength - length;
        return gap >= FrameDescriptor.FRAME_ALIGNMENT && gap <= maxLength / MAX_PADDING_SHARE ? gap : 0;
    }

    static int packetLength(final UnsafeBuffer buffer, final int from, final int end, final int maxLength)
    {
        if (end - from <= maxLength)
        {
            return end - from;
        }
        int to = from + RoomMessage.entrySize(buffer, from);
        while (to < end)
        {
            final int next = to + RoomMessage.entrySize(buffer, to);
            if (next - from > maxLength)
            {
                break;
            }
            to = next;
        }
        return to - from;
    }
}
