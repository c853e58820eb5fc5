package io.escapement.engine.internal.loop;

import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.trunk.Audience;
import io.escapement.codecs.trunk.EventEncoder;
import io.escapement.codecs.trunk.MessageHeaderEncoder;
import io.escapement.codecs.trunk.StateEncoder;
import org.agrona.DirectBuffer;

/** Puts the output of a loop to trunks into the queues of a link, each message with its length before it. */
final class EgressEncoder
{
    private static final int MESSAGE_LENGTH = TrunkMessages.ENTRY_HEADER_LENGTH +
        MessageHeaderEncoder.ENCODED_LENGTH + EventEncoder.BLOCK_LENGTH + EventEncoder.payloadHeaderLength();
    private static final Audience[] AUDIENCES = {Audience.ALL, Audience.ALL_EXCEPT, Audience.MASK, Audience.ONE};

    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final EventEncoder event = new EventEncoder();
    private final StateEncoder state = new StateEncoder();

    boolean event(
        final ByteFifo queue,
        final long roomId,
        final int audience,
        final long selector,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        final int at = BatchSender.claim(queue, MESSAGE_LENGTH + length);
        if (ByteFifo.NO_ROOM == at)
        {
            return false;
        }
        event.wrapAndApplyHeader(queue.buffer(), at, header)
            .roomId(roomId).selector(selector).audience(AUDIENCES[audience]).putPayload(buffer, offset, length);
        return true;
    }

    boolean state(
        final ByteFifo queue,
        final long roomId,
        final int audience,
        final long selector,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        final int at = BatchSender.claim(queue, MESSAGE_LENGTH + length);
        if (ByteFifo.NO_ROOM == at)
        {
            return false;
        }
        state.wrapAndApplyHeader(queue.buffer(), at, header)
            .roomId(roomId).selector(selector).audience(AUDIENCES[audience]).putPayload(buffer, offset, length);
        return true;
    }

    /** Queue a message that is encoded already. */
    static boolean control(final ByteFifo queue, final DirectBuffer buffer, final int offset, final int length)
    {
        final int at = BatchSender.claim(queue, TrunkMessages.ENTRY_HEADER_LENGTH + length);
        if (ByteFifo.NO_ROOM == at)
        {
            return false;
        }
        queue.buffer().putBytes(at, buffer, offset, length);
        return true;
    }
}
