package io.escapement.rooms.log;

import io.escapement.codecs.room.CloseRoomEncoder;
import io.escapement.codecs.room.DrainEncoder;
import io.escapement.codecs.room.LinkDownEncoder;
import io.escapement.codecs.room.LinkResumedEncoder;
import io.escapement.codecs.room.LinkStateLostEncoder;
import io.escapement.codecs.room.LinkUpEncoder;
import io.escapement.codecs.room.MessageEncoder;
import io.escapement.codecs.room.MessageHeaderEncoder;
import io.escapement.codecs.room.OpenRoomEncoder;
import io.escapement.codecs.room.SetRateEncoder;
import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;

/** Encoded commands, each in a separate array. */
final class Commands
{
    private static final int HEADER_LENGTH = MessageHeaderEncoder.ENCODED_LENGTH;
    private static final int BUFFER_LENGTH = 128 * 1024;

    private final MessageHeaderEncoder headerEncoder = new MessageHeaderEncoder();
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[BUFFER_LENGTH]);

    byte[] openRoom(final long roomId)
    {
        final OpenRoomEncoder encoder = new OpenRoomEncoder();
        encoder
            .wrapAndApplyHeader(buffer, 0, headerEncoder)
            .roomId(roomId)
            .seed(roomId * 31)
            .openerRoomId(0)
            .correlationId(0)
            .typeId(7)
            .seatLimit(4)
            .timerLimit(8)
            .outputLimit(0)
            .requestLimit(0)
            .putArgs(new byte[]{1, 2, 3}, 0, 3);

        return bytes(encoder.encodedLength());
    }

    byte[] closeRoom(final long roomId)
    {
        final CloseRoomEncoder encoder = new CloseRoomEncoder();
        encoder.wrapAndApplyHeader(buffer, 0, headerEncoder).roomId(roomId);

        return bytes(encoder.encodedLength());
    }

    byte[] message(final long roomId, final long sequence, final int payloadLength)
    {
        final byte[] payload = new byte[payloadLength];
        Arrays.fill(payload, (byte)sequence);

        final MessageEncoder encoder = new MessageEncoder();
        encoder
            .wrapAndApplyHeader(buffer, 0, headerEncoder)
            .roomId(roomId)
            .sequence(sequence)
            .seatIndex(1)
            .generation(1)
            .link(1)
            .putPayload(payload, 0, payloadLength);

        return bytes(encoder.encodedLength());
    }

    byte[] linkUp(final int link)
    {
        final LinkUpEncoder encoder = new LinkUpEncoder();
        encoder.wrapAndApplyHeader(buffer, 0, headerEncoder).trunkId(100L + link).link(link);

        return bytes(encoder.encodedLength());
    }

    byte[] linkDown(final int link)
    {
        final LinkDownEncoder encoder = new LinkDownEncoder();
        encoder.wrapAndApplyHeader(buffer, 0, headerEncoder).link(link);

        return bytes(encoder.encodedLength());
    }

    byte[] linkResumed(final int link, final int previousLink)
    {
        final LinkResumedEncoder encoder = new LinkResumedEncoder();
        encoder
            .wrapAndApplyHeader(buffer, 0, headerEncoder)
            .trunkId(100L + previousLink)
            .link(link)
            .previousLink(previousLink);

        return bytes(encoder.encodedLength());
    }

    byte[] linkStateLost(final int link)
    {
        final LinkStateLostEncoder encoder = new LinkStateLostEncoder();
        encoder.wrapAndApplyHeader(buffer, 0, headerEncoder).link(link);

        return bytes(encoder.encodedLength());
    }

    byte[] setRate(final int typeId, final int rateHz)
    {
        final SetRateEncoder encoder = new SetRateEncoder();
        encoder.wrapAndApplyHeader(buffer, 0, headerEncoder).typeId(typeId).rateHz(rateHz);

        return bytes(encoder.encodedLength());
    }

    byte[] drain(final long deadlineNs)
    {
        final DrainEncoder encoder = new DrainEncoder();
        encoder.wrapAndApplyHeader(buffer, 0, headerEncoder).deadlineNs(deadlineNs);

        return bytes(encoder.encodedLength());
    }

    private byte[] bytes(final int encodedLength)
    {
        return Arrays.copyOf(buffer.byteArray(), HEADER_LENGTH + encodedLength);
    }
}
