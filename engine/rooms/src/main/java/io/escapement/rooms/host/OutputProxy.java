package io.escapement.rooms.host;

import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.room.CancelJoinDecoder;
import io.escapement.codecs.room.DirectoryChange;
import io.escapement.codecs.room.JoinDecoder;
import io.escapement.codecs.room.LeaveDecoder;
import io.escapement.codecs.room.MessageDecoder;
import io.escapement.codecs.room.RoomEncoder;
import io.escapement.codecs.room.SeatDownDecoder;
import io.escapement.codecs.room.StateLostDecoder;
import io.escapement.codecs.trunk.AwayDecoder;
import io.escapement.codecs.trunk.SendDecoder;
import io.escapement.codecs.trunk.TrunkEncoder;
import io.escapement.rooms.AwayReason;
import io.escapement.rooms.LeaveReason;
import io.escapement.rooms.output.Outputs;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Encodes the control output that arises outside callbacks, and passes it on at once. */
final class OutputProxy
{
    private static final long NO_SUBSCRIBER = 0;
    private static final UnsafeBuffer EMPTY = new UnsafeBuffer(new byte[0]);

    private final HostOutput output;
    private final TrunkEncoder linkMessages = new TrunkEncoder();
    private final RoomEncoder commands = new RoomEncoder();
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[RoomCommands.MAX_COMMAND_LENGTH]);
    private final UnsafeBuffer answer = new UnsafeBuffer(new byte[Long.BYTES]);

    OutputProxy(final HostOutput output)
    {
        this.output = output;
    }

    HostOutput output()
    {
        return output;
    }

    void joined(
        final int link,
        final long requestId,
        final long roomId,
        final SeatState seat,
        final DirectBuffer joinAnswer,
        final int answerOffset,
        final int answerLength)
    {
        output.toLink(link, buffer, 0, linkMessages.joined(buffer, 0, requestId, roomId, seat.playerId(),
            seat.lastSequence(), seat.index(), seat.generation(), seat.isSpectator(), joinAnswer, answerOffset,
            answerLength));
    }

    void resumed(final int link, final long roomId, final SeatState seat)
    {
        output.toLink(link, buffer, 0, linkMessages.seatResumed(buffer, 0, roomId, seat.lastSequence(), seat.index(),
            seat.generation(), seat.playerId(), seat.isSpectator()));
    }

    void away(final int link, final long roomId, final SeatState seat, final AwayReason reason)
    {
        output.toLink(link, buffer, 0,
            linkMessages.seatAway(buffer, 0, roomId, seat.index(), seat.generation(), reason.ordinal()));
    }

    void left(
        final int link, final long roomId, final SeatState seat, final LeaveReason reason, final int code)
    {
        output.toLink(link, buffer, 0,
            linkMessages.left(buffer, 0, roomId, seat.index(), seat.generation(), reason.ordinal(), code));
    }

    /** A command was refused. The trunk gets the template id of the entry that became the command. */
    void refused(
        final int link,
        final int templateId,
        final long roomId,
        final int seatIndex,
        final long reference,
        final int code)
    {
        output.toLink(link, buffer, 0, linkMessages.refused(
            buffer, 0, roomId, reference, trunkTemplateId(link, templateId), code, seatIndex));
    }

    void roomOpened(final long roomId, final int typeId, final int seatLimit)
    {
        toDirectory(DirectoryChange.OPENED, roomId, typeId, 0, seatLimit, 0, EMPTY, 0, 0);
    }

    /** Subscribe a room with outdated entries: the directory sends it the RESET before the new entries. */
    void subscribeAgain(final long roomId)
    {
        output.toEdge(buffer, 0, commands.directoryEntry(
            buffer, 0, roomId, 0, 0, 0, 0, 0, DirectoryChange.RESET, EMPTY, 0, 0));
    }

    void roomClosed(final long roomId)
    {
        toDirectory(DirectoryChange.CLOSED, roomId, 0, 0, 0, 0, EMPTY, 0, 0);
    }

    void occupancy(final long roomId, final int seatsTaken)
    {
        toDirectory(DirectoryChange.OCCUPANCY, roomId, 0, seatsTaken, 0, 0, EMPTY, 0, 0);
    }

    void label(final long roomId, final int key, final DirectBuffer value, final int offset, final int length)
    {
        toDirectory(DirectoryChange.LABEL, roomId, 0, 0, 0, key, value, offset, length);
    }

    /** Answer an OpenRoom or a Reserve command of a room. The payload of the reply is the id of the opened room. */
    void reply(final long toRoomId, final long correlationId, final int status, final long roomId)
    {
        answer.putLong(0, roomId, ByteOrder.LITTLE_ENDIAN);
        output.toRoom(toRoomId, buffer, 0,
            commands.reply(buffer, 0, toRoomId, correlationId, status, answer, 0, Long.BYTES));
    }

    /** A room refuses a question, of another room or of the application, which is room 0. */
    void questionRefused(final long roomId, final long toRoomId, final long correlationId, final int code)
    {
        output.toRoom(toRoomId, buffer, 0,
            commands.reply(buffer, 0, toRoomId, correlationId, code, roomId, EMPTY, 0, 0));
    }

    /** Refuse a signal or a question to a room that is not open. */
    void requestRefused(final long toRoomId, final long correlationId, final int code)
    {
        output.toRoom(toRoomId, buffer, 0, commands.refusal(buffer, 0, toRoomId, correlationId, code));
    }

    private void toDirectory(
        final DirectoryChange change,
        final long roomId,
        final int typeId,
        final int seatsTaken,
        final int seatLimit,
        final int labelKey,
        final DirectBuffer value,
        final int offset,
        final int length)
    {
        output.toEdge(buffer, 0, commands.directoryEntry(buffer, 0, NO_SUBSCRIBER, roomId, typeId, seatsTaken,
            seatLimit, labelKey, change, value, offset, length));
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
