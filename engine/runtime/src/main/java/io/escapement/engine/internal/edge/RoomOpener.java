package io.escapement.engine.internal.edge;

import io.escapement.codecs.RoomCommandEncoder;
import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.room.OpenRoomDecoder;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.engine.internal.loop.CommandQueue;
import io.escapement.engine.internal.loop.LoopWiring;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Opens the rooms that rooms ask for: gives each its loop, its id and its seed. For the edge's thread. */
final class RoomOpener
{
    private final CommandQueue[] inboxes;
    private final RoomPlacement placement;
    private final RoomCommandEncoder commands = new RoomCommandEncoder();
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final OpenRoomDecoder request = new OpenRoomDecoder();
    private final UnsafeBuffer command = new UnsafeBuffer(new byte[LoopWiring.INBOX_SLOT_LENGTH]);
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
     * Pass a request on.
     *
     * @param buffer with the OpenRoom command, its room id not yet given.
     * @param offset of the command.
     * @return false when the loop that would answer has no room for it now: the request must be brought again.
     */
    boolean open(final DirectBuffer buffer, final int offset)
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
        if (inboxes[TrunkMessages.loopOf(roomId)].offer(CommandQueue.COMMAND, null, command, 0, length))
        {
            return true;
        }
        placement.release(roomId);
        return refuse(openerRoomId, correlationId, RefusalCode.QUEUE_FULL);
    }

    private boolean refuse(final long openerRoomId, final long correlationId, final RefusalCode code)
    {
        final int length = commands.refusal(command, 0, openerRoomId, correlationId, code.value());
        return inboxes[TrunkMessages.loopOf(openerRoomId)].offer(CommandQueue.COMMAND, null, command, 0, length);
    }
}
