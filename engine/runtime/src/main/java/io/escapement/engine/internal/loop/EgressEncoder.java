package io.escapement.engine.internal.loop;

import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.trunk.Audience;
import io.escapement.codecs.trunk.EventEncoder;
import io.escapement.codecs.trunk.JoinedEncoder;
import io.escapement.codecs.trunk.LeftEncoder;
import io.escapement.codecs.trunk.MessageHeaderEncoder;
import io.escapement.codecs.trunk.RefusedEncoder;
import io.escapement.codecs.trunk.SeatAwayEncoder;
import io.escapement.codecs.trunk.SeatResumedEncoder;
import io.escapement.codecs.trunk.StateEncoder;
import io.escapement.rooms.AwayReason;
import io.escapement.rooms.LeaveReason;
import org.agrona.DirectBuffer;

/** Puts what a loop sends to trunks into the queues of a link, each message with its length before it. */
final class EgressEncoder
{
    private static final int OVERHEAD = TrunkMessages.ENTRY_HEADER_LENGTH + MessageHeaderEncoder.ENCODED_LENGTH;
    private static final int MESSAGE_LENGTH =
        OVERHEAD + EventEncoder.BLOCK_LENGTH + EventEncoder.payloadHeaderLength();
    private static final Audience[] AUDIENCES = {Audience.ALL, Audience.ALL_EXCEPT, Audience.MASK, Audience.ONE};

    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final EventEncoder event = new EventEncoder();
    private final StateEncoder state = new StateEncoder();
    private final JoinedEncoder joined = new JoinedEncoder();
    private final SeatResumedEncoder seatResumed = new SeatResumedEncoder();
    private final SeatAwayEncoder seatAway = new SeatAwayEncoder();
    private final LeftEncoder left = new LeftEncoder();
    private final RefusedEncoder refused = new RefusedEncoder();

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

    boolean joined(
        final ByteFifo queue,
        final long requestId,
        final long roomId,
        final int seatIndex,
        final int generation,
        final long playerId,
        final long sequence)
    {
        final int at = BatchSender.claim(queue, OVERHEAD + JoinedEncoder.BLOCK_LENGTH);
        if (ByteFifo.NO_ROOM == at)
        {
            return false;
        }
        joined.wrapAndApplyHeader(queue.buffer(), at, header)
            .requestId(requestId).roomId(roomId).playerId(playerId).sequence(sequence)
            .seatIndex(seatIndex).generation(generation);
        return true;
    }

    boolean resumed(
        final ByteFifo queue, final long roomId, final int seatIndex, final int generation, final long sequence)
    {
        final int at = BatchSender.claim(queue, OVERHEAD + SeatResumedEncoder.BLOCK_LENGTH);
        if (ByteFifo.NO_ROOM == at)
        {
            return false;
        }
        seatResumed.wrapAndApplyHeader(queue.buffer(), at, header)
            .roomId(roomId).sequence(sequence).seatIndex(seatIndex).generation(generation);
        return true;
    }

    boolean away(
        final ByteFifo queue, final long roomId, final int seatIndex, final int generation, final AwayReason reason)
    {
        final int at = BatchSender.claim(queue, OVERHEAD + SeatAwayEncoder.BLOCK_LENGTH);
        if (ByteFifo.NO_ROOM == at)
        {
            return false;
        }
        seatAway.wrapAndApplyHeader(queue.buffer(), at, header)
            .roomId(roomId).seatIndex(seatIndex).generation(generation).reason((short)reason.ordinal());
        return true;
    }

    boolean left(
        final ByteFifo queue, final long roomId, final int seatIndex, final int generation, final LeaveReason reason)
    {
        final int at = BatchSender.claim(queue, OVERHEAD + LeftEncoder.BLOCK_LENGTH);
        if (ByteFifo.NO_ROOM == at)
        {
            return false;
        }
        left.wrapAndApplyHeader(queue.buffer(), at, header)
            .roomId(roomId).seatIndex(seatIndex).generation(generation).reason((short)reason.ordinal());
        return true;
    }

    boolean refused(
        final ByteFifo queue, final int templateId, final long roomId, final long reference, final int code)
    {
        final int at = BatchSender.claim(queue, OVERHEAD + RefusedEncoder.BLOCK_LENGTH);
        if (ByteFifo.NO_ROOM == at)
        {
            return false;
        }
        refused.wrapAndApplyHeader(queue.buffer(), at, header)
            .roomId(roomId).reference(reference).templateId(templateId).code(code);
        return true;
    }
}
