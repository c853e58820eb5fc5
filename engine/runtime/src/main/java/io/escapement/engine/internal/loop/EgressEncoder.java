package io.escapement.engine.internal.loop;

import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.trunk.RoomMessage;
import io.escapement.engine.internal.queue.ByteFifo;
import io.escapement.rooms.output.Outputs;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Puts the output of a loop to trunks into the queues of a link, each message with its length before it.
 *
 * <p>A message for seats on several links is queued once per link. Its header is encoded for the first link, and copied
 * for the others.
 */
final class EgressEncoder
{
    private static final int NO_CLASS = 0;

    private final UnsafeBuffer header = new UnsafeBuffer(new byte[RoomMessage.MAX_HEADER_LENGTH]);
    private int headerLength;
    private int outputClass = NO_CLASS;
    private long roomId;
    private int audience;
    private long selector;
    private int length;

    /** Queue a message of a room. False if the queue of its class has no space. */
    boolean message(
        final LinkEgress egress,
        final long ofRoomId,
        final int ofClass,
        final int toAudience,
        final long withSelector,
        final DirectBuffer buffer,
        final int offset,
        final int payloadLength)
    {
        if (ofRoomId != roomId || payloadLength != length || withSelector != selector || toAudience != audience ||
            ofClass != outputClass)
        {
            outputClass = ofClass;
            roomId = ofRoomId;
            audience = toAudience;
            selector = withSelector;
            length = payloadLength;
            headerLength = RoomMessage.putHeader(
                header, 0, Outputs.STATE == outputClass, roomId, audience, selector, length);
        }
        final ByteFifo queue = Outputs.EVENT == ofClass ? egress.events : egress.states;
        final int at = queue.claim(headerLength + payloadLength);
        if (ByteFifo.NO_ROOM == at)
        {
            return false;
        }
        queue.buffer().putBytes(at, header, 0, headerLength);
        queue.buffer().putBytes(at + headerLength, buffer, offset, payloadLength);
        return true;
    }

    /** Queue a message that is encoded already. */
    static boolean control(final LinkEgress egress, final DirectBuffer buffer, final int offset, final int length)
    {
        final int at = BatchSender.claim(egress.events, TrunkMessages.ENTRY_HEADER_LENGTH + length);
        if (ByteFifo.NO_ROOM == at)
        {
            return false;
        }
        egress.events.buffer().putBytes(at, buffer, offset, length);
        return true;
    }
}
