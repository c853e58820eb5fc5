package io.escapement.rooms.replay;

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
import io.escapement.rooms.StateHash;
import io.escapement.rooms.output.Outputs;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;

/** The running hash of the output of one room, and of the answers for it. */
final class RoomOutputHash implements Outputs
{
    private static final long NO_ROOM = 0;

    private final long roomId;
    private final StateHash hash = new StateHash();
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final SignalDecoder signal = new SignalDecoder();
    private final ReserveDecoder reserve = new ReserveDecoder();
    private final AskDecoder ask = new AskDecoder();
    private final ReplyDecoder reply = new ReplyDecoder();
    private final OpenRoomDecoder openRoom = new OpenRoomDecoder();
    private final SubscribeDecoder subscribe = new SubscribeDecoder();
    private final DirectoryEntryDecoder directoryEntry = new DirectoryEntryDecoder();
    private final RequestDecoder request = new RequestDecoder();
    private final io.escapement.codecs.trunk.MessageHeaderDecoder trunkHeader =
        new io.escapement.codecs.trunk.MessageHeaderDecoder();
    private final JoinedDecoder joined = new JoinedDecoder();
    private final SeatResumedDecoder resumed = new SeatResumedDecoder();
    private final SeatAwayDecoder away = new SeatAwayDecoder();
    private final LeftDecoder left = new LeftDecoder();
    private final RefusedDecoder refused = new RefusedDecoder();

    RoomOutputHash(final long roomId)
    {
        this.roomId = roomId;
    }

    long value()
    {
        return hash.value();
    }

    @Override
    public void message(
        final int link,
        final long fromRoomId,
        final int outputClass,
        final int audience,
        final long selector,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        if (roomId == fromRoomId)
        {
            hash.putInt(link);
            hash.putInt(outputClass);
            hash.putInt(audience);
            hash.putLong(selector);
            hash.putBytes(buffer, offset, length);
        }
    }

    @Override
    public void toLink(final int link, final DirectBuffer buffer, final int offset, final int length)
    {
        final long aboutRoomId = switch (trunkHeader.wrap(buffer, offset).templateId())
        {
            case JoinedDecoder.TEMPLATE_ID -> joined.wrapAndApplyHeader(buffer, offset, trunkHeader).roomId();
            case SeatResumedDecoder.TEMPLATE_ID -> resumed.wrapAndApplyHeader(buffer, offset, trunkHeader).roomId();
            case SeatAwayDecoder.TEMPLATE_ID -> away.wrapAndApplyHeader(buffer, offset, trunkHeader).roomId();
            case LeftDecoder.TEMPLATE_ID -> left.wrapAndApplyHeader(buffer, offset, trunkHeader).roomId();
            case RefusedDecoder.TEMPLATE_ID -> refused.wrapAndApplyHeader(buffer, offset, trunkHeader).roomId();
            default -> throw unknown("to a link", trunkHeader.templateId());
        };
        put(aboutRoomId, link, buffer, offset, length);
    }

    @Override
    public void onCommand(final DirectBuffer buffer, final int offset, final int length)
    {
        final long fromRoomId = switch (header.wrap(buffer, offset).templateId())
        {
            case SignalDecoder.TEMPLATE_ID -> signal.wrapAndApplyHeader(buffer, offset, header).fromRoomId();
            case ReserveDecoder.TEMPLATE_ID -> reserve.wrapAndApplyHeader(buffer, offset, header).fromRoomId();
            case AskDecoder.TEMPLATE_ID -> ask.wrapAndApplyHeader(buffer, offset, header).fromRoomId();
            case ReplyDecoder.TEMPLATE_ID -> answeringRoom(buffer, offset, length);
            case OpenRoomDecoder.TEMPLATE_ID ->
                openRoom.wrapAndApplyHeader(buffer, offset, header).openerRoomId();
            case RequestDecoder.TEMPLATE_ID -> request.wrapAndApplyHeader(buffer, offset, header).roomId();
            // The refusal of a signal that found no room names only the sender.
            case RefusalDecoder.TEMPLATE_ID -> NO_ROOM;
            default -> throw unknown("of a room", header.templateId());
        };
        put(fromRoomId, 0, buffer, offset, length);
    }

    /** The room of a reply. The reply names the asked room, or its payload is the id of the room. */
    private long answeringRoom(final DirectBuffer buffer, final int offset, final int length)
    {
        final long fromRoomId = reply.wrapAndApplyHeader(buffer, offset, header).fromRoomId();
        return 0 == fromRoomId ?
            buffer.getLong(offset + length - Long.BYTES, ByteOrder.LITTLE_ENDIAN) : fromRoomId;
    }

    @Override
    public void toEdge(final DirectBuffer buffer, final int offset, final int length)
    {
        final long fromRoomId = switch (header.wrap(buffer, offset).templateId())
        {
            case SubscribeDecoder.TEMPLATE_ID -> subscribe.wrapAndApplyHeader(buffer, offset, header).roomId();
            case DirectoryEntryDecoder.TEMPLATE_ID ->
                directoryEntry.wrapAndApplyHeader(buffer, offset, header).subjectRoomId();
            default -> throw unknown("to the edge", header.templateId());
        };
        put(fromRoomId, 0, buffer, offset, length);
    }

    @Override
    public void toApplication(final DirectBuffer buffer, final int offset, final int length)
    {
        final boolean isReply = ReplyDecoder.TEMPLATE_ID == header.wrap(buffer, offset).templateId();
        // A refusal is of no room that is open.
        put(isReply ? answeringRoom(buffer, offset, length) : NO_ROOM, 0, buffer, offset, length);
    }

    @Override
    public void flush()
    {
        // Depends on no room.
    }

    private static IllegalStateException unknown(final String receiver, final int templateId)
    {
        return new IllegalStateException("no output " + receiver + ": template " + templateId);
    }

    private void put(
        final long ofRoomId, final int link, final DirectBuffer buffer, final int offset, final int length)
    {
        if (roomId == ofRoomId)
        {
            hash.putInt(link);
            hash.putBytes(buffer, offset, length);
        }
    }
}
