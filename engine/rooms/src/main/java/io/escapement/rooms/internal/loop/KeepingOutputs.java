package io.escapement.rooms.internal.loop;

import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.SchemaRules;
import io.escapement.codecs.room.AskDecoder;
import io.escapement.codecs.room.DirectoryEntryDecoder;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.room.OpenRoomDecoder;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.room.RefusalDecoder;
import io.escapement.codecs.room.ReplyDecoder;
import io.escapement.codecs.room.RequestDecoder;
import io.escapement.codecs.room.ReserveDecoder;
import io.escapement.codecs.room.SignalDecoder;
import io.escapement.codecs.room.SubscribeDecoder;
import io.escapement.rooms.output.Outputs;
import java.util.function.IntUnaryOperator;
import org.agrona.DirectBuffer;

/**
 * Passes all output on and keeps what has to be state of the loop: commands to rooms, requests to services, requests
 * for new rooms. A command that does not fit is refused to its room.
 */
public final class KeepingOutputs implements Outputs
{
    private static final int NONE = RefusalCode.NONE.value();
    /** Stands for the embedding program, which gets the answers to its questions. */
    private static final long PROGRAM = 0;

    private final Outputs outputs;
    private final LoopLedger ledger;
    private final IntUnaryOperator refusals;
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final SignalDecoder signal = new SignalDecoder();
    private final ReserveDecoder reserve = new ReserveDecoder();
    private final AskDecoder ask = new AskDecoder();
    private final RequestDecoder request = new RequestDecoder();
    private final OpenRoomDecoder openRoom = new OpenRoomDecoder();

    /**
     * Keep what leaves a host.
     *
     * @param outputs  that get all of it.
     * @param ledger   that keeps it.
     * @param refusals counts a refusal by its code.
     */
    public KeepingOutputs(final Outputs outputs, final LoopLedger ledger, final IntUnaryOperator refusals)
    {
        this.outputs = outputs;
        this.ledger = ledger;
        this.refusals = refusals;
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
        outputs.message(link, roomId, outputClass, audience, selector, buffer, offset, length);
    }

    @Override
    public void again(
        final int link,
        final long roomId,
        final int outputClass,
        final int audience,
        final long selector,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        outputs.again(link, roomId, outputClass, audience, selector, buffer, offset, length);
    }

    @Override
    public void toLink(final int link, final DirectBuffer buffer, final int offset, final int length)
    {
        outputs.toLink(link, buffer, offset, length);
    }

    @Override
    public void toRoom(final long roomId, final DirectBuffer buffer, final int offset, final int length)
    {
        outputs.toRoom(roomId, buffer, offset, length);
        if (PROGRAM == roomId && RoomCommands.isAnswer(buffer, offset))
        {
            // Lost with the process, as the program that asked is.
            return;
        }
        switch (SchemaRules.templateId(buffer, offset))
        {
            case SignalDecoder.TEMPLATE_ID ->
            {
                final int code = ledger.keep(roomId, false, buffer, offset, length);
                if (NONE != code)
                {
                    signal.wrapAndApplyHeader(buffer, offset, header);
                    ledger.refuse(refusals.applyAsInt(code), true, signal.fromRoomId(), signal.correlationId());
                }
            }
            case ReserveDecoder.TEMPLATE_ID ->
            {
                final int code = ledger.keep(roomId, false, buffer, offset, length);
                if (NONE != code)
                {
                    reserve.wrapAndApplyHeader(buffer, offset, header);
                    ledger.refuse(refusals.applyAsInt(code), false, reserve.fromRoomId(), reserve.correlationId());
                }
            }
            case AskDecoder.TEMPLATE_ID ->
            {
                final int code = ledger.keep(roomId, false, buffer, offset, length);
                if (NONE != code)
                {
                    ask.wrapAndApplyHeader(buffer, offset, header);
                    ledger.refuse(refusals.applyAsInt(code), false, ask.fromRoomId(), ask.correlationId());
                }
            }
            case ReplyDecoder.TEMPLATE_ID, RefusalDecoder.TEMPLATE_ID ->
            {
                // An answer to a room of no loop is of a sender that no room was.
                final int code = ledger.keep(roomId, true, buffer, offset, length);
                if (NONE != code)
                {
                    refusals.applyAsInt(code);
                }
            }
            default -> throw unknown("to a room", buffer, offset);
        }
    }

    @Override
    public void toEdge(final DirectBuffer buffer, final int offset, final int length)
    {
        outputs.toEdge(buffer, offset, length);
        switch (SchemaRules.templateId(buffer, offset))
        {
            case OpenRoomDecoder.TEMPLATE_ID ->
            {
                openRoom.wrapAndApplyHeader(buffer, offset, header);
                keepRequest(openRoom.openerRoomId(), openRoom.correlationId(), buffer, offset, length);
            }
            case SubscribeDecoder.TEMPLATE_ID, DirectoryEntryDecoder.TEMPLATE_ID ->
            {
                // A new leader subscribes and lists the rooms again.
            }
            default -> throw unknown("to the edge", buffer, offset);
        }
    }

    private static IllegalStateException unknown(final String receiver, final DirectBuffer buffer, final int offset)
    {
        return new IllegalStateException(
            "no output " + receiver + ": template " + SchemaRules.templateId(buffer, offset));
    }

    @Override
    public void toService(
        final int serviceId, final long orderKey, final DirectBuffer buffer, final int offset, final int length)
    {
        outputs.toService(serviceId, orderKey, buffer, offset, length);
        request.wrapAndApplyHeader(buffer, offset, header);
        keepRequest(request.roomId(), request.correlationId(), buffer, offset, length);
    }

    @Override
    public void flush()
    {
        outputs.flush();
    }

    private void keepRequest(
        final long roomId, final long correlationId, final DirectBuffer buffer, final int offset, final int length)
    {
        final int code = ledger.keepRequest(roomId, correlationId, buffer, offset, length);
        if (NONE != code)
        {
            ledger.refuse(refusals.applyAsInt(code), false, roomId, correlationId);
        }
    }
}
