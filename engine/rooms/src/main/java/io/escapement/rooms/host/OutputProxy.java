package io.escapement.rooms.host;

import io.escapement.codecs.RoomCommandEncoder;
import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.room.DirectoryChange;
import io.escapement.rooms.AwayReason;
import io.escapement.rooms.LeaveReason;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Encodes the control output that arises outside callbacks, and passes it on at once. */
final class OutputProxy
{
    private static final long NO_SUBSCRIBER = 0;
    private static final UnsafeBuffer EMPTY = new UnsafeBuffer(new byte[0]);

    private final HostOutput output;
    private final LinkMessageEncoder linkMessages = new LinkMessageEncoder();
    private final RoomCommandEncoder commands = new RoomCommandEncoder();
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
        output.toLink(link, buffer, 0, linkMessages.joined(
            buffer, 0, requestId, roomId, seat, joinAnswer, answerOffset, answerLength));
    }

    void resumed(final int link, final long roomId, final SeatState seat)
    {
        output.toLink(link, buffer, 0, linkMessages.resumed(buffer, 0, roomId, seat));
    }

    void away(final int link, final long roomId, final SeatState seat, final AwayReason reason)
    {
        output.toLink(link, buffer, 0, linkMessages.away(buffer, 0, roomId, seat, reason));
    }

    void left(
        final int link, final long roomId, final SeatState seat, final LeaveReason reason, final int code)
    {
        output.toLink(link, buffer, 0, linkMessages.left(buffer, 0, roomId, seat, reason, code));
    }

    void refused(
        final int link,
        final int templateId,
        final long roomId,
        final int seatIndex,
        final long reference,
        final int code)
    {
        output.toLink(link, buffer, 0,
            linkMessages.refused(buffer, 0, link, templateId, roomId, seatIndex, reference, code));
    }

    void roomOpened(final long roomId, final int typeId, final int seatLimit)
    {
        toDirectory(DirectoryChange.OPENED, roomId, typeId, 0, seatLimit, 0, EMPTY, 0, 0);
    }

    /** Subscribe a room whose earlier entries are out of date: the directory sends it the RESET before the new ones. */
    void subscribeAgain(final long roomId)
    {
        output.toEdge(buffer, 0, commands.directoryEntry(
            buffer, 0, roomId, DirectoryChange.RESET, 0, 0, 0, 0, 0, EMPTY, 0, 0));
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

    /** Answer an OpenRoom or a Reserve command of a room; the payload of the reply is the id of the opened room. */
    void reply(final long toRoomId, final long correlationId, final int status, final long roomId)
    {
        answer.putLong(0, roomId, ByteOrder.LITTLE_ENDIAN);
        output.toRoom(toRoomId, buffer, 0,
            commands.reply(buffer, 0, toRoomId, correlationId, status, answer, 0, Long.BYTES));
    }

    /** A room refuses a question, of another room or of the program, which is room 0. */
    void questionRefused(final long roomId, final long toRoomId, final long correlationId, final int code)
    {
        output.toRoom(toRoomId, buffer, 0,
            commands.answer(buffer, 0, toRoomId, roomId, correlationId, code, EMPTY, 0, 0));
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
        output.toEdge(buffer, 0, commands.directoryEntry(buffer, 0, NO_SUBSCRIBER, change, roomId, typeId,
            seatsTaken, seatLimit, labelKey, value, offset, length));
    }
}
