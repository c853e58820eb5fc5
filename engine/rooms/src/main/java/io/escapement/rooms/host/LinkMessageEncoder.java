package io.escapement.rooms.host;

import io.escapement.codecs.room.CancelJoinDecoder;
import io.escapement.codecs.room.JoinDecoder;
import io.escapement.codecs.room.LeaveDecoder;
import io.escapement.codecs.room.MessageDecoder;
import io.escapement.codecs.room.SeatDownDecoder;
import io.escapement.codecs.room.StateLostDecoder;
import io.escapement.codecs.trunk.AwayDecoder;
import io.escapement.codecs.trunk.JoinedEncoder;
import io.escapement.codecs.trunk.LeftEncoder;
import io.escapement.codecs.trunk.MessageHeaderEncoder;
import io.escapement.codecs.trunk.RefusedEncoder;
import io.escapement.codecs.trunk.SeatAwayEncoder;
import io.escapement.codecs.trunk.SeatResumedEncoder;
import io.escapement.codecs.trunk.SendDecoder;
import io.escapement.rooms.AwayReason;
import io.escapement.rooms.LeaveReason;
import io.escapement.rooms.output.Outputs;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/** Encodes the control output to trunks. Every method returns the length of the message with its header. */
final class LinkMessageEncoder
{
    private static final int HEADER_LENGTH = MessageHeaderEncoder.ENCODED_LENGTH;

    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final JoinedEncoder joined = new JoinedEncoder();
    private final SeatResumedEncoder resumed = new SeatResumedEncoder();
    private final SeatAwayEncoder away = new SeatAwayEncoder();
    private final LeftEncoder left = new LeftEncoder();
    private final RefusedEncoder refused = new RefusedEncoder();

    int joined(final MutableDirectBuffer buffer, final int offset, final long requestId, final long roomId,
        final SeatState seat, final DirectBuffer answer, final int answerOffset, final int answerLength)
    {
        joined.wrapAndApplyHeader(buffer, offset, header).requestId(requestId).roomId(roomId)
            .playerId(seat.playerId()).sequence(seat.lastSequence())
            .seatIndex(seat.index()).generation(seat.generation()).isSpectator((short)(seat.isSpectator() ? 1 : 0))
            .putAnswer(answer, answerOffset, answerLength);
        return HEADER_LENGTH + joined.encodedLength();
    }

    int resumed(final MutableDirectBuffer buffer, final int offset, final long roomId, final SeatState seat)
    {
        resumed.wrapAndApplyHeader(buffer, offset, header).roomId(roomId).sequence(seat.lastSequence())
            .seatIndex(seat.index()).generation(seat.generation()).playerId(seat.playerId())
            .isSpectator((short)(seat.isSpectator() ? 1 : 0));
        return HEADER_LENGTH + SeatResumedEncoder.BLOCK_LENGTH;
    }

    int away(final MutableDirectBuffer buffer, final int offset, final long roomId, final SeatState seat,
        final AwayReason reason)
    {
        away.wrapAndApplyHeader(buffer, offset, header).roomId(roomId)
            .seatIndex(seat.index()).generation(seat.generation()).reason((short)reason.ordinal());
        return HEADER_LENGTH + SeatAwayEncoder.BLOCK_LENGTH;
    }

    int left(final MutableDirectBuffer buffer, final int offset, final long roomId, final SeatState seat,
        final LeaveReason reason, final int code)
    {
        left.wrapAndApplyHeader(buffer, offset, header).roomId(roomId)
            .seatIndex(seat.index()).generation(seat.generation()).reason((short)reason.ordinal()).code(code);
        return HEADER_LENGTH + LeftEncoder.BLOCK_LENGTH;
    }

    /** Encode a refusal; the template id is the command's in {@code room.xml}. */
    int refused(
        final MutableDirectBuffer buffer,
        final int offset,
        final int link,
        final int templateId,
        final long roomId,
        final int seatIndex,
        final long reference,
        final int code)
    {
        refused.wrapAndApplyHeader(buffer, offset, header).roomId(roomId).reference(reference)
            .templateId(trunkTemplateId(link, templateId)).code(code).seatIndex(seatIndex);
        return HEADER_LENGTH + RefusedEncoder.BLOCK_LENGTH;
    }

    /** The entry of a trunk that became the command; 0 for commands of the engine's own, which have no link. */
    private static int trunkTemplateId(final int link, final int commandTemplateId)
    {
        return switch (commandTemplateId)
        {
            case MessageDecoder.TEMPLATE_ID -> SendDecoder.TEMPLATE_ID;
            case JoinDecoder.TEMPLATE_ID -> io.escapement.codecs.trunk.JoinDecoder.TEMPLATE_ID;
            case CancelJoinDecoder.TEMPLATE_ID -> io.escapement.codecs.trunk.CancelJoinDecoder.TEMPLATE_ID;
            case LeaveDecoder.TEMPLATE_ID -> io.escapement.codecs.trunk.LeaveDecoder.TEMPLATE_ID;
            case SeatDownDecoder.TEMPLATE_ID -> AwayDecoder.TEMPLATE_ID;
            case StateLostDecoder.TEMPLATE_ID -> io.escapement.codecs.trunk.StateLostDecoder.TEMPLATE_ID;
            default ->
            {
                if (Outputs.NO_LINK != link)
                {
                    throw new IllegalStateException("no command of a link: template " + commandTemplateId);
                }
                yield 0;
            }
        };
    }
}
