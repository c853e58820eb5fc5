package io.escapement.engine.internal.loop;

import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.trunk.Audience;
import io.escapement.codecs.trunk.EventEncoder;
import io.escapement.codecs.trunk.MessageHeaderEncoder;
import io.escapement.codecs.trunk.StateEncoder;
import org.agrona.DirectBuffer;

/**
 * Puts the output of a loop to trunks into the queues of a link, each message with its length before it and in the
 * version of the schema that the link's client reads. Event and State are the same in all versions.
 */
final class EgressEncoder
{
    private static final int MESSAGE_LENGTH = TrunkMessages.ENTRY_HEADER_LENGTH +
        MessageHeaderEncoder.ENCODED_LENGTH + EventEncoder.BLOCK_LENGTH + EventEncoder.payloadHeaderLength();
    private static final Audience[] AUDIENCES = {Audience.ALL, Audience.ALL_EXCEPT, Audience.MASK, Audience.ONE};

    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final EventEncoder event = new EventEncoder();
    private final StateEncoder state = new StateEncoder();

    boolean event(
        final LinkEgress egress,
        final long roomId,
        final int audience,
        final long selector,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        final ByteFifo queue = egress.events;
        final int at = BatchSender.claim(queue, MESSAGE_LENGTH + length);
        if (ByteFifo.NO_ROOM == at)
        {
            return false;
        }
        event.wrapAndApplyHeader(queue.buffer(), at, header)
            .roomId(roomId).selector(selector).audience(AUDIENCES[audience]).putPayload(buffer, offset, length);
        header.version(egress.schemaVersion);
        return true;
    }

    boolean state(
        final LinkEgress egress,
        final long roomId,
        final int audience,
        final long selector,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        final ByteFifo queue = egress.states;
        final int at = BatchSender.claim(queue, MESSAGE_LENGTH + length);
        if (ByteFifo.NO_ROOM == at)
        {
            return false;
        }
        state.wrapAndApplyHeader(queue.buffer(), at, header)
            .roomId(roomId).selector(selector).audience(AUDIENCES[audience]).putPayload(buffer, offset, length);
        header.version(egress.schemaVersion);
        return true;
    }

    /** Queue a message that is encoded already. */
    static boolean control(final LinkEgress egress, final DirectBuffer buffer, final int offset, final int length)
    {
        final int version = egress.schemaVersion;
        final int at = BatchSender.claim(egress.events,
            TrunkMessages.ENTRY_HEADER_LENGTH + TrunkMessages.RULES.copyLength(buffer, offset, length, version));
        if (ByteFifo.NO_ROOM == at)
        {
            return false;
        }
        TrunkMessages.RULES.copy(buffer, offset, length, version, egress.events.buffer(), at);
        return true;
    }
}
