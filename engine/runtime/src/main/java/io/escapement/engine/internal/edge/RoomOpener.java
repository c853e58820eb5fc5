package io.escapement.engine.internal.edge;

import io.escapement.codecs.RoomCommandEncoder;
import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.room.OpenRoomDecoder;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.engine.internal.loop.CommandQueue;
import io.escapement.engine.internal.loop.ControlSignal;
import io.escapement.engine.internal.loop.LoopContext;
import io.escapement.engine.internal.loop.UserCall;
import java.util.ArrayDeque;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Places the rooms that other rooms request: chooses loop, id and seed. Single-threaded. */
final class RoomOpener
{
    private record Refusal(long openerRoomId, long correlationId, RefusalCode code)
    {
    }

    private final CommandQueue[] inboxes;
    private final RoomPlacement placement;
    private final RoomCommandEncoder commands = new RoomCommandEncoder();
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final OpenRoomDecoder request = new OpenRoomDecoder();
    private final UnsafeBuffer command = new UnsafeBuffer(new byte[LoopContext.INBOX_SLOT_LENGTH]);
    /** Refusals whose room's inbox was full, oldest first: a room that requests waits for its answer. */
    private final ArrayDeque<Refusal> refusals = new ArrayDeque<>();
    private final UserCall placementCall;
    private boolean isStopping;

    RoomOpener(final CommandQueue[] inboxes, final RoomPlacement placement, final UserCall placementCall)
    {
        this.placementCall = placementCall;
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
     */
    void open(final DirectBuffer buffer, final int offset)
    {
        request.wrapAndApplyHeader(buffer, offset, header);
        final long openerRoomId = request.openerRoomId();
        final long correlationId = request.correlationId();
        final int typeId = request.typeId();
        if (isStopping)
        {
            refuse(new Refusal(openerRoomId, correlationId, RefusalCode.DRAINING));
            return;
        }
        final int argsLength = request.argsLength();
        final int args = request.limit() + OpenRoomDecoder.argsHeaderLength();
        placementCall.begin();
        final long roomId = placement.place(typeId);
        placementCall.end();
        final int length = commands.openRoom(command, 0, roomId, typeId, placement.seed(), openerRoomId,
            correlationId, buffer, args, argsLength);
        if (!inboxes[TrunkMessages.loopOf(roomId)].offer(ControlSignal.COMMAND, null, command, 0, length))
        {
            placement.release(roomId);
            refuse(new Refusal(openerRoomId, correlationId, RefusalCode.QUEUE_FULL));
        }
    }

    /** Send the refusals that did not fit an inbox. */
    int housekeep()
    {
        int work = 0;
        for (int i = refusals.size(); i > 0; i--)
        {
            final Refusal refusal = refusals.remove();
            if (tryRefuse(refusal))
            {
                work++;
            }
            else
            {
                refusals.add(refusal);
            }
        }
        return work;
    }

    private void refuse(final Refusal refusal)
    {
        if (!tryRefuse(refusal))
        {
            refusals.add(refusal);
        }
    }

    private boolean tryRefuse(final Refusal refusal)
    {
        final int length = commands.refusal(
            command, 0, refusal.openerRoomId(), refusal.correlationId(), refusal.code().value());
        return inboxes[TrunkMessages.loopOf(refusal.openerRoomId())]
            .offer(ControlSignal.COMMAND, null, command, 0, length);
    }
}
