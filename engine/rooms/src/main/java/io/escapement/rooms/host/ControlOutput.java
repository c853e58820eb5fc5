package io.escapement.rooms.host;

import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.room.DirectoryChange;
import io.escapement.codecs.room.RoomEncoder;
import io.escapement.codecs.trunk.SendDecoder;
import io.escapement.codecs.trunk.TrunkEncoder;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The control output of the running callback: signals, questions, answers, requests, labels, encoded as they will be
 * delivered. Handed over when the callback returns. Therefore the buffer is empty when a callback starts, and its
 * capacity is the same for every room. Each method that writes returns false when the buffer is full.
 */
final class ControlOutput
{
    /** Far more than one callback has reason to send. */
    private static final int CAPACITY = 256 * 1024;

    private static final int DESTINATION = 0;
    private static final int LENGTH = 4;
    /** Link, or id of the room that receives a command or makes a request. */
    private static final int SUBJECT = 8;
    private static final int CORRELATION_ID = 16;
    private static final int HEADER_LENGTH = 24;

    private static final int LINK = 1;
    private static final int ROOM = 2;
    private static final int EDGE = 3;
    private static final int REQUEST = 4;

    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[CAPACITY]);
    private final RoomEncoder commands = new RoomEncoder();
    private final TrunkEncoder linkMessages = new TrunkEncoder();
    private int position;

    boolean signal(
        final long roomId,
        final long correlationId,
        final long toRoomId,
        final DirectBuffer source,
        final int offset,
        final int length)
    {
        return !isFull() && put(ROOM, toRoomId, 0,
            commands.signal(buffer, body(), toRoomId, roomId, correlationId, source, offset, length));
    }

    boolean ask(
        final long roomId,
        final long correlationId,
        final long toRoomId,
        final long timeoutNs,
        final DirectBuffer source,
        final int offset,
        final int length)
    {
        return !isFull() && put(ROOM, toRoomId, 0, commands.ask(
            buffer, body(), toRoomId, roomId, correlationId, timeoutNs, source, offset, length));
    }

    boolean answer(
        final long roomId,
        final long toRoomId,
        final long correlationId,
        final int status,
        final DirectBuffer source,
        final int offset,
        final int length)
    {
        return !isFull() && put(ROOM, toRoomId, 0,
            commands.reply(buffer, body(), toRoomId, correlationId, status, roomId, source, offset, length));
    }

    boolean async(
        final long roomId,
        final long correlationId,
        final int serviceId,
        final long orderKey,
        final DirectBuffer source,
        final int offset,
        final int length)
    {
        return !isFull() && put(REQUEST, roomId, correlationId, commands.request(
            buffer, body(), roomId, correlationId, orderKey, serviceId, source, offset, length));
    }

    boolean openRoom(
        final long roomId,
        final long correlationId,
        final int typeId,
        final DirectBuffer source,
        final int offset,
        final int length)
    {
        return !isFull() && put(REQUEST, roomId, correlationId,
            commands.openRoom(buffer, body(), 0, 0, roomId, correlationId, typeId, source, offset, length));
    }

    boolean reserve(
        final long roomId, final long correlationId, final long inRoomId, final long playerId, final long ttlNs)
    {
        return !isFull() && put(ROOM, inRoomId, 0,
            commands.reserve(buffer, body(), inRoomId, playerId, ttlNs, roomId, correlationId));
    }

    boolean label(final long roomId, final int key, final DirectBuffer source, final int offset, final int length)
    {
        return !isFull() && put(EDGE, 0, 0, commands.directoryEntry(
            buffer, body(), 0, roomId, 0, 0, 0, key, DirectoryChange.LABEL, source, offset, length));
    }

    boolean subscribe(final long roomId)
    {
        return !isFull() && put(EDGE, 0, 0, commands.subscribe(buffer, body(), roomId));
    }

    boolean refuse(final long roomId, final SeatState seat, final int code)
    {
        return !isFull() && put(LINK, seat.link(), 0, linkMessages.refused(
            buffer, body(), roomId, seat.lastSequence(), SendDecoder.TEMPLATE_ID, code, seat.index()));
    }

    /** Discard the output of a callback that must have no effect. */
    void discard()
    {
        position = 0;
    }

    boolean isEmpty()
    {
        return 0 == position;
    }

    void handOver(final HostOutput output)
    {
        int at = 0;
        while (at < position)
        {
            final int length = buffer.getInt(at + LENGTH);
            final long subject = buffer.getLong(at + SUBJECT);
            final int body = at + HEADER_LENGTH;
            switch (buffer.getInt(at + DESTINATION))
            {
                case LINK -> output.toLink((int)subject, buffer, body, length);
                case ROOM -> output.toRoom(subject, buffer, body, length);
                case EDGE -> output.toEdge(buffer, body, length);
                case REQUEST -> output.request(subject, buffer.getLong(at + CORRELATION_ID), buffer, body, length);
                default -> throw new IllegalStateException("destination " + buffer.getInt(at + DESTINATION));
            }
            at = BitUtil.align(body + length, Long.BYTES);
        }
        position = 0;
    }

    private boolean isFull()
    {
        return body() + RoomCommands.MAX_COMMAND_LENGTH > CAPACITY;
    }

    private int body()
    {
        return position + HEADER_LENGTH;
    }

    private boolean put(final int destination, final long subject, final long correlationId, final int length)
    {
        buffer.putInt(position + DESTINATION, destination);
        buffer.putInt(position + LENGTH, length);
        buffer.putLong(position + SUBJECT, subject);
        buffer.putLong(position + CORRELATION_ID, correlationId);
        position = BitUtil.align(body() + length, Long.BYTES);
        return true;
    }
}
