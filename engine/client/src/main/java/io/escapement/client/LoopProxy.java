package io.escapement.client;

import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.trunk.AwayEncoder;
import io.escapement.codecs.trunk.CancelJoinEncoder;
import io.escapement.codecs.trunk.JoinEncoder;
import io.escapement.codecs.trunk.LeaveEncoder;
import io.escapement.codecs.trunk.MessageHeaderEncoder;
import io.escapement.codecs.trunk.SendEncoder;
import io.escapement.codecs.trunk.StateLostEncoder;
import org.agrona.DirectBuffer;

/** Encodes the client's entries into the batch of a loop's stream. */
final class LoopProxy
{
    private static final int HEADER_LENGTH = MessageHeaderEncoder.ENCODED_LENGTH;

    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final JoinEncoder join = new JoinEncoder();
    private final CancelJoinEncoder cancelJoin = new CancelJoinEncoder();
    private final LeaveEncoder leave = new LeaveEncoder();
    private final AwayEncoder away = new AwayEncoder();
    private final StateLostEncoder stateLost = new StateLostEncoder();

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
        final int at = batch.claim(HEADER_LENGTH + JoinEncoder.BLOCK_LENGTH +
            JoinEncoder.tokenHeaderLength() + token.length + JoinEncoder.argsHeaderLength() + argsLength);
        if (StreamBatch.NOT_CLAIMED == at)
        {
            return SendStatus.BACK_PRESSURED;
        }
        join.wrapAndApplyHeader(batch.buffer(), at, header).requestId(requestId).roomId(roomId).playerId(playerId)
            .isSpectator((short)(isSpectator ? 1 : 0))
            .putToken(token, 0, token.length).putArgs(args, argsOffset, argsLength);
        return SendStatus.SENT;
    }

    SendStatus cancelJoin(final LoopStream loop, final long requestId, final long roomId, final long playerId)
    {
        if (null == loop)
        {
            return SendStatus.NOT_READY;
        }
        final int at = loop.batch().claim(HEADER_LENGTH + CancelJoinEncoder.BLOCK_LENGTH);
        if (StreamBatch.NOT_CLAIMED == at)
        {
            return SendStatus.BACK_PRESSURED;
        }
        cancelJoin.wrapAndApplyHeader(loop.batch().buffer(), at, header)
            .requestId(requestId).roomId(roomId).playerId(playerId);
        return SendStatus.SENT;
    }

    SendStatus leave(final LoopStream loop, final ClientSeat seat, final int code)
    {
        if (null == loop)
        {
            return SendStatus.NOT_READY;
        }
        final int at = loop.batch().claim(HEADER_LENGTH + LeaveEncoder.BLOCK_LENGTH);
        if (StreamBatch.NOT_CLAIMED == at)
        {
            return SendStatus.BACK_PRESSURED;
        }
        leave.wrapAndApplyHeader(loop.batch().buffer(), at, header)
            .roomId(seat.roomId()).seatIndex(seat.index()).generation(seat.generation()).code(code);
        return SendStatus.SENT;
    }

    SendStatus away(final LoopStream loop, final ClientSeat seat)
    {
        if (null == loop)
        {
            return SendStatus.NOT_READY;
        }
        final int at = loop.batch().claim(HEADER_LENGTH + AwayEncoder.BLOCK_LENGTH);
        if (StreamBatch.NOT_CLAIMED == at)
        {
            return SendStatus.BACK_PRESSURED;
        }
        away.wrapAndApplyHeader(loop.batch().buffer(), at, header)
            .roomId(seat.roomId()).seatIndex(seat.index()).generation(seat.generation());
        return SendStatus.SENT;
    }

    SendStatus stateLost(final LoopStream loop, final ClientSeat seat)
    {
        if (null == loop)
        {
            return SendStatus.NOT_READY;
        }
        final int at = loop.batch().claim(HEADER_LENGTH + StateLostEncoder.BLOCK_LENGTH);
        if (StreamBatch.NOT_CLAIMED == at)
        {
            return SendStatus.BACK_PRESSURED;
        }
        stateLost.wrapAndApplyHeader(loop.batch().buffer(), at, header)
            .roomId(seat.roomId()).seatIndex(seat.index()).generation(seat.generation());
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
