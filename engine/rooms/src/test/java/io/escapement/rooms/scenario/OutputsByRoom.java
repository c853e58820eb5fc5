package io.escapement.rooms.scenario;

import io.escapement.codecs.room.AskDecoder;
import io.escapement.codecs.room.DirectoryEntryDecoder;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.room.OpenRoomDecoder;
import io.escapement.codecs.room.RefusalDecoder;
import io.escapement.codecs.room.ReplyDecoder;
import io.escapement.codecs.room.RequestDecoder;
import io.escapement.codecs.room.ReserveDecoder;
import io.escapement.codecs.room.SignalDecoder;
import io.escapement.codecs.room.SubscribeDecoder;
import io.escapement.codecs.trunk.JoinedDecoder;
import io.escapement.codecs.trunk.LeftDecoder;
import io.escapement.codecs.trunk.RefusedDecoder;
import io.escapement.codecs.trunk.SeatAwayDecoder;
import io.escapement.codecs.trunk.SeatResumedDecoder;
import io.escapement.rooms.output.CapturedOutputs;
import io.escapement.rooms.output.Outputs;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.TreeMap;
import org.agrona.DirectBuffer;

/** Sorts the output of a host by the room that sent it, or for which it answers. */
final class OutputsByRoom implements Outputs
{
    final Map<Long, CapturedOutputs> byRoom = new TreeMap<>();
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final io.escapement.codecs.trunk.MessageHeaderDecoder trunkHeader =
        new io.escapement.codecs.trunk.MessageHeaderDecoder();

    byte[] of(final long roomId)
    {
        final CapturedOutputs captured = byRoom.getOrDefault(roomId, new CapturedOutputs());
        final byte[] bytes = new byte[captured.length()];
        captured.buffer().getBytes(0, bytes);
        return bytes;
    }

    @Override
    public void message(
        final int link,
        final long roomId,
        final int outputClass,
        final int audience,
        final long selector,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        room(roomId).message(link, roomId, outputClass, audience, selector, buffer, offset, length);
    }

    @Override
    public void toLink(final int link, final DirectBuffer buffer, final int offset, final int length)
    {
        final long roomId = switch (trunkHeader.wrap(buffer, offset).templateId())
        {
            case JoinedDecoder.TEMPLATE_ID ->
                new JoinedDecoder().wrapAndApplyHeader(buffer, offset, trunkHeader).roomId();
            case SeatResumedDecoder.TEMPLATE_ID ->
                new SeatResumedDecoder().wrapAndApplyHeader(buffer, offset, trunkHeader).roomId();
            case SeatAwayDecoder.TEMPLATE_ID ->
                new SeatAwayDecoder().wrapAndApplyHeader(buffer, offset, trunkHeader).roomId();
            case LeftDecoder.TEMPLATE_ID ->
                new LeftDecoder().wrapAndApplyHeader(buffer, offset, trunkHeader).roomId();
            case RefusedDecoder.TEMPLATE_ID ->
                new RefusedDecoder().wrapAndApplyHeader(buffer, offset, trunkHeader).roomId();
            default -> throw new IllegalStateException("to a link: template " + trunkHeader.templateId());
        };
        room(roomId).toLink(link, buffer, offset, length);
    }

    @Override
    public void onCommand(final DirectBuffer buffer, final int offset, final int length)
    {
        switch (header.wrap(buffer, offset).templateId())
        {
            case SignalDecoder.TEMPLATE_ID ->
                room(new SignalDecoder().wrapAndApplyHeader(buffer, offset, header).fromRoomId())
                    .onCommand(buffer, offset, length);
            case ReserveDecoder.TEMPLATE_ID ->
                room(new ReserveDecoder().wrapAndApplyHeader(buffer, offset, header).fromRoomId())
                    .onCommand(buffer, offset, length);
            case AskDecoder.TEMPLATE_ID ->
                room(new AskDecoder().wrapAndApplyHeader(buffer, offset, header).fromRoomId())
                    .onCommand(buffer, offset, length);
            case ReplyDecoder.TEMPLATE_ID ->
            {
                final long fromRoomId = new ReplyDecoder().wrapAndApplyHeader(buffer, offset, header).fromRoomId();
                // The payload of other replies is the id of the room that they answer for.
                room(0 != fromRoomId ? fromRoomId :
                    buffer.getLong(offset + length - Long.BYTES, ByteOrder.LITTLE_ENDIAN))
                    .onCommand(buffer, offset, length);
            }
            case OpenRoomDecoder.TEMPLATE_ID ->
                room(new OpenRoomDecoder().wrapAndApplyHeader(buffer, offset, header).openerRoomId())
                    .onCommand(buffer, offset, length);
            case RequestDecoder.TEMPLATE_ID ->
                room(new RequestDecoder().wrapAndApplyHeader(buffer, offset, header).roomId())
                    .onCommand(buffer, offset, length);
            case RefusalDecoder.TEMPLATE_ID ->
            {
                // A signal that found no room: output of no room.
            }
            default -> throw new IllegalStateException("to a room: template " + header.templateId());
        }
    }

    @Override
    public void toEdge(final DirectBuffer buffer, final int offset, final int length)
    {
        final long roomId = switch (header.wrap(buffer, offset).templateId())
        {
            case SubscribeDecoder.TEMPLATE_ID ->
                new SubscribeDecoder().wrapAndApplyHeader(buffer, offset, header).roomId();
            case DirectoryEntryDecoder.TEMPLATE_ID ->
                new DirectoryEntryDecoder().wrapAndApplyHeader(buffer, offset, header).subjectRoomId();
            default -> throw new IllegalStateException("to the edge: template " + header.templateId());
        };
        room(roomId).toEdge(buffer, offset, length);
    }

    @Override
    public void toApplication(final DirectBuffer buffer, final int offset, final int length)
    {
        if (ReplyDecoder.TEMPLATE_ID == header.wrap(buffer, offset).templateId())
        {
            room(new ReplyDecoder().wrapAndApplyHeader(buffer, offset, header).fromRoomId())
                .toApplication(buffer, offset, length);
        }
    }

    @Override
    public void flush()
    {
    }

    private CapturedOutputs room(final long roomId)
    {
        return byRoom.computeIfAbsent(roomId, (id) -> new CapturedOutputs());
    }
}
