package io.escapement.engine.internal.loop;

import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.trunk.Audience;
import io.escapement.codecs.trunk.EventEncoder;
import io.escapement.codecs.trunk.MessageHeaderEncoder;
import io.escapement.codecs.trunk.StateEncoder;
import io.escapement.engine.internal.queue.ByteFifo;
import io.escapement.rooms.output.Outputs;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Puts the output of a loop to trunks into the queues of a link, each message with its length before it.
 *
 * <p>A message for seats on several links comes once for each of them. All but the payload is encoded for the first
 * link, and copied for the others.
 */
final class EgressEncoder
{
    /** Of an Event or a State with its length before it, without its payload. */
    private static final int PREFIX_LENGTH = TrunkMessages.ENTRY_HEADER_LENGTH +
        MessageHeaderEncoder.ENCODED_LENGTH + EventEncoder.BLOCK_LENGTH + EventEncoder.payloadHeaderLength();
    private static final Audience[] AUDIENCES = {Audience.ALL, Audience.ALL_EXCEPT, Audience.MASK, Audience.ONE};
    private static final int NO_CLASS = 0;

    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final EventEncoder event = new EventEncoder();
    private final StateEncoder state = new StateEncoder();
    private final UnsafeBuffer prefix = new UnsafeBuffer(new byte[PREFIX_LENGTH]);
    private int outputClass = NO_CLASS;
    private long roomId;
    private int audience;
    private long selector;
    private int length;

    /** Queue a message of a room; false if the queue of its class has no space. */
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
        final ByteFifo queue = Outputs.EVENT == ofClass ? egress.events : egress.states;
        final int at = queue.claim(PREFIX_LENGTH + payloadLength);
        if (ByteFifo.NO_ROOM == at)
        {
            return false;
        }
        if (ofRoomId != roomId || payloadLength != length || withSelector != selector || toAudience != audience ||
            ofClass != outputClass)
        {
            outputClass = ofClass;
            roomId = ofRoomId;
            audience = toAudience;
            selector = withSelector;
            length = payloadLength;
            encodePrefix();
        }
        queue.buffer().putBytes(at, prefix, 0, PREFIX_LENGTH);
        queue.buffer().putBytes(at + PREFIX_LENGTH, buffer, offset, payloadLength);
        return true;
    }

    private void encodePrefix()
    {
        prefix.putShort(
            0, (short)(PREFIX_LENGTH - TrunkMessages.ENTRY_HEADER_LENGTH + length), ByteOrder.LITTLE_ENDIAN);
        if (Outputs.EVENT == outputClass)
        {
            event.wrapAndApplyHeader(prefix, TrunkMessages.ENTRY_HEADER_LENGTH, header)
                .roomId(roomId).selector(selector).audience(AUDIENCES[audience]);
        }
        else
        {
            state.wrapAndApplyHeader(prefix, TrunkMessages.ENTRY_HEADER_LENGTH, header)
                .roomId(roomId).selector(selector).audience(AUDIENCES[audience]);
        }
        prefix.putShort(PREFIX_LENGTH - EventEncoder.payloadHeaderLength(), (short)length, ByteOrder.LITTLE_ENDIAN);
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
