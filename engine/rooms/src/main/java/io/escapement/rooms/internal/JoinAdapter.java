package io.escapement.rooms.internal;

import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.room.CancelJoinDecoder;
import io.escapement.codecs.room.JoinDecoder;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.room.RefusalCode;
import org.agrona.DirectBuffer;

/** Records the commands of players who want a seat, and calls the room with their values. */
final class JoinAdapter
{
    private static final int NONE = RefusalCode.NONE.value();
    private static final int UNKNOWN_ROOM = RefusalCode.UNKNOWN_ROOM.value();
    private static final int BAD_VALUE = RefusalCode.BAD_VALUE.value();
    private static final int UNKNOWN_LINK = RefusalCode.UNKNOWN_LINK.value();

    private final CommandAdapter commands;
    private final LinkTable links;
    private final OutputProxy recordedOutput;
    private final JoinDecoder join = new JoinDecoder();
    private final CancelJoinDecoder cancelJoin = new CancelJoinDecoder();

    JoinAdapter(final CommandAdapter commands, final RoomServices services)
    {
        this.commands = commands;
        links = services.links;
        recordedOutput = services.recordedOutput;
    }

    int onJoin(final MessageHeaderDecoder header, final DirectBuffer buffer, final int offset, final int length)
    {
        join.wrapAndApplyHeader(buffer, offset, header);
        final long roomId = join.roomId();
        final RoomInstance room = commands.record(roomId, buffer, offset, length);
        final int link = join.link();
        final long requestId = join.requestId();
        if (null == room || !links.isUp(link))
        {
            return refuse(room, link, JoinDecoder.TEMPLATE_ID, roomId, requestId,
                null == room ? UNKNOWN_ROOM : UNKNOWN_LINK);
        }

        final int argsLength = join.argsLength();
        final int argsOffset = join.limit() + JoinDecoder.argsHeaderLength();
        final int code = switch (join.isSpectator())
        {
            case 0 -> room.join(join.playerId(), requestId, link, buffer, argsOffset, argsLength);
            case 1 -> room.watch(join.playerId(), requestId, link, buffer, argsOffset, argsLength);
            default -> BAD_VALUE;
        };
        return NONE == code ? NONE : refuse(room, link, JoinDecoder.TEMPLATE_ID, roomId, requestId, code);
    }

    int onCancelJoin(final MessageHeaderDecoder header, final DirectBuffer buffer, final int offset, final int length)
    {
        cancelJoin.wrapAndApplyHeader(buffer, offset, header);
        final long roomId = cancelJoin.roomId();
        final RoomInstance room = commands.record(roomId, buffer, offset, length);
        final int link = cancelJoin.link();
        final long requestId = cancelJoin.requestId();
        final int code = null == room ? UNKNOWN_ROOM : room.cancelJoin(cancelJoin.playerId(), requestId, link);
        return NONE == code ? NONE : refuse(room, link, CancelJoinDecoder.TEMPLATE_ID, roomId, requestId, code);
    }

    private int refuse(
        final RoomInstance room,
        final int link,
        final int templateId,
        final long roomId,
        final long requestId,
        final int code)
    {
        return commands.refuse(null == room ? recordedOutput : room.proxy(), link, templateId, roomId,
            TrunkMessages.NO_SEAT, requestId, code);
    }
}
