package io.escapement.client;

import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.trunk.SendEncoder;
import io.escapement.codecs.trunk.TrunkEncoder;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Encodes the client's entries into the batch of a loop's stream. */
final class LoopProxy
{
    private final TrunkEncoder messages = new TrunkEncoder();
    private final UnsafeBuffer tokenBytes = new UnsafeBuffer(0, 0);

    SendStatus join(
        final LoopStream loop,
        final long requestId,
        final long roomId,
        final long playerId,
        final boolean isSpectator,
        final byte[] token,
        final DirectBuffer args,
        final int argsOffset,
        final int argsLength)
    {
        if (argsLength > TrunkMessages.MAX_PAYLOAD_LENGTH || token.length > TrunkMessages.MAX_TOKEN_LENGTH)
        {
            return SendStatus.TOO_LONG;
        }
        if (null == loop)
        {
            return SendStatus.NOT_READY;
        }
        final StreamBatch batch = loop.batch();
        final int at = batch.claim(TrunkEncoder.joinLength(token.length, argsLength));
        if (StreamBatch.NOT_CLAIMED == at)
        {
            return SendStatus.BACK_PRESSURED;
        }
        tokenBytes.wrap(token);
        messages.join(batch.buffer(), at, requestId, roomId, playerId, isSpectator, tokenBytes, 0, token.length, args,
            argsOffset, argsLength);
        return SendStatus.SENT;
    }

    SendStatus cancelJoin(final LoopStream loop, final long requestId, final long roomId, final long playerId)
    {
        if (null == loop)
        {
            return SendStatus.NOT_READY;
        }
        final int at = loop.batch().claim(TrunkEncoder.cancelJoinLength());
        if (StreamBatch.NOT_CLAIMED == at)
        {
            return SendStatus.BACK_PRESSURED;
        }
        messages.cancelJoin(loop.batch().buffer(), at, requestId, roomId, playerId);
        return SendStatus.SENT;
    }

    SendStatus leave(final LoopStream loop, final ClientSeat seat, final int code)
    {
        if (null == loop)
        {
            return SendStatus.NOT_READY;
        }
        final int at = loop.batch().claim(TrunkEncoder.leaveLength());
        if (StreamBatch.NOT_CLAIMED == at)
        {
            return SendStatus.BACK_PRESSURED;
        }
        messages.leave(loop.batch().buffer(), at, seat.roomId(), seat.index(), seat.generation(), code);
        return SendStatus.SENT;
    }

    SendStatus away(final LoopStream loop, final ClientSeat seat)
    {
        if (null == loop)
        {
            return SendStatus.NOT_READY;
        }
        final int at = loop.batch().claim(TrunkEncoder.awayLength());
        if (StreamBatch.NOT_CLAIMED == at)
        {
            return SendStatus.BACK_PRESSURED;
        }
        messages.away(loop.batch().buffer(), at, seat.roomId(), seat.index(), seat.generation());
        return SendStatus.SENT;
    }

    SendStatus stateLost(final LoopStream loop, final ClientSeat seat)
    {
        if (null == loop)
        {
            return SendStatus.NOT_READY;
        }
        final int at = loop.batch().claim(TrunkEncoder.stateLostLength());
        if (StreamBatch.NOT_CLAIMED == at)
        {
            return SendStatus.BACK_PRESSURED;
        }
        messages.stateLost(loop.batch().buffer(), at, seat.roomId(), seat.index(), seat.generation());
        return SendStatus.SENT;
    }

    /** Send a message with the next number of its seat. */
    SendStatus send(
        final LoopStream loop, final ClientSeat seat, final DirectBuffer buffer, final int offset, final int length)
    {
        final SendStatus status = send(loop, seat, seat.sequence() + 1, buffer, offset, length);
        if (SendStatus.SENT == status)
        {
            seat.skipSequence();
        }
        return status;
    }

    SendStatus send(
        final LoopStream loop,
        final ClientSeat seat,
        final long sequence,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        if (length > TrunkMessages.MAX_PAYLOAD_LENGTH)
        {
            return SendStatus.TOO_LONG;
        }
        if (null == loop)
        {
            return SendStatus.NOT_READY;
        }
        final SendEncoder.MessagesEncoder message = loop.batch().claimMessage(seat.roomId(), length);
        if (null == message)
        {
            return SendStatus.BACK_PRESSURED;
        }
        message.sequence(sequence).seatIndex(seat.index()).generation(seat.generation())
            .putPayload(buffer, offset, length);
        return SendStatus.SENT;
    }
}
