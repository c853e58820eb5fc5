package io.escapement.engine.internal.edge;

import io.escapement.codecs.RoomCommandEncoder;
import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.room.OpenRoomDecoder;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.engine.internal.loop.CommandQueue;
import io.escapement.engine.internal.loop.ControlSignal;
import io.escapement.engine.internal.loop.LoopContext;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Places the rooms that other rooms request: chooses loop, id and seed. Single-threaded. */
final class RoomOpener
{
    private final CommandQueue[] inboxes;
    private final RoomPlacement placement;
    private final RoomCommandEncoder commands = new RoomCommandEncoder();
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final OpenRoomDecoder request = new OpenRoomDecoder();
    private final UnsafeBuffer command = new UnsafeBuffer(new byte[LoopContext.INBOX_SLOT_LENGTH]);
    private boolean isStopping;

    RoomOpener(final CommandQueue[] inboxes, final RoomPlacement placement)
    {
        this.inboxes = inboxes;
        this.placement = placement;
    }

    void stop()
    {
        isStopping = true;
    }

    /**
     * Forward a request to the loop of the new room, or a refusal to the loop of the opener.
     *
     * @param buffer with the OpenRoom command, still without a room id.
     * @param offset of the command.
     * @return false when neither inbox had a free slot.
     */
    boolean tryOpen(final DirectBuffer buffer, final int offset)
    {
        request.wrapAndApplyHeader(buffer, offset, header);
        final long openerRoomId = request.openerRoomId();
        final long correlationId = request.correlationId();
        final int typeId = request.typeId();
        if (isStopping)
        {
            return refuse(openerRoomId, correlationId, RefusalCode.DRAINING);
        }
        final int argsLength = request.argsLength();
        final int args = request.limit() + OpenRoomDecoder.argsHeaderLength();
        final long roomId = placement.place(typeId);
        final int length = commands.openRoom(command, 0, roomId, typeId, placement.seed(), openerRoomId,
            correlationId, buffer, args, argsLength);
        if (inboxes[TrunkMessages.loopOf(roomId)].offer(ControlSignal.COMMAND, null, command, 0, length))
        {
            return true;
        }
        placement.release(roomId);
        return refuse(openerRoomId, correlationId, RefusalCode.QUEUE_FULL);
    }

    private boolean refuse(final long openerRoomId, final long correlationId, final RefusalCode code)
    {
        final int length = commands.refusal(command, 0, openerRoomId, correlationId, code.value());
        return inboxes[TrunkMessages.loopOf(openerRoomId)].offer(ControlSignal.COMMAND, null, command, 0, length);
    }
}
