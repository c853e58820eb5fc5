package io.escapement.rooms.internal;

import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.room.AskDecoder;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.room.RefusalCode;
import org.agrona.DirectBuffer;

/** Passes the question of a command to its room, and refuses it to the room that asks. */
final class AskAdapter
{
    private static final int NONE = RefusalCode.NONE.value();

    private final RoomServices services;
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final AskDecoder ask = new AskDecoder();

    AskAdapter(final RoomServices services)
    {
        this.services = services;
    }

    /** Read a command; the room that it asks. */
    long wrap(final DirectBuffer buffer, final int offset)
    {
        return ask.wrapAndApplyHeader(buffer, offset, header).roomId();
    }

    /** Ask the room, which is null if none of this id is open. Returns 0, or the code of the refusal. */
    int onAsk(final RoomInstance room, final DirectBuffer buffer)
    {
        final long fromRoomId = ask.fromRoomId();
        final long correlationId = ask.correlationId();
        final int code =
            null == room ? RefusalCode.UNKNOWN_ROOM.value() : ask(room, fromRoomId, correlationId, buffer);
        if (NONE == code)
        {
            return NONE;
        }
        if (null == room)
        {
            services.recordedOutput.requestRefused(fromRoomId, correlationId, code);
        }
        else
        {
            services.refusals.remember(
                room.tally(), room.roomId(), TrunkMessages.NO_SEAT, AskDecoder.TEMPLATE_ID, code);
            room.proxy().questionRefused(room.roomId(), fromRoomId, correlationId, code);
        }
        return services.refusals.counted(code);
    }

    private int ask(
        final RoomInstance room, final long fromRoomId, final long correlationId, final DirectBuffer buffer)
    {
        final long timeoutNs = ask.timeoutNs();
        if (timeoutNs <= 0)
        {
            return RefusalCode.BAD_VALUE.value();
        }
        final RoomQuestions questions = room.requests().questions();
        final int refusal = questions.refusal();
        if (NONE == refusal)
        {
            final int length = ask.payloadLength();
            final int offset = ask.limit() + AskDecoder.payloadHeaderLength();
            final long askId = questions.add(fromRoomId, correlationId, timeoutNs);
            if (!room.invoker().ask(askId, fromRoomId, buffer, offset, length))
            {
                questions.refuse(askId, RefusalCode.ROOM_FAILED);
            }
            room.settle();
        }
        return refusal;
    }
}
