package io.escapement.rooms.host;

import io.escapement.codecs.room.MessageDecoder;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * What the callback that runs now asked of the outside: signals, requests, labels. Handed over when the callback has
 * returned, so it is empty whenever a callback begins and its capacity is the same for every room.
 */
final class ControlOutput
{
    /** Far more than one callback has reason to ask for. */
    private static final int CAPACITY = 256 * 1024;
    private static final int KIND = 0;
    private static final int LENGTH = 4;
    private static final int CORRELATION_ID = 8;
    private static final int FIRST = 16;
    private static final int SECOND = 24;
    private static final int HEADER_LENGTH = 32;

    private static final int SIGNAL = 1;
    private static final int ASYNC = 2;
    private static final int OPEN_ROOM = 3;
    private static final int RESERVE = 4;
    private static final int LABEL = 5;
    private static final int SUBSCRIBE = 6;
    private static final int REFUSE = 7;

    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[CAPACITY]);
    private int position;

    boolean signal(
        final long correlationId, final long toRoomId, final DirectBuffer source, final int offset, final int length)
    {
        return put(SIGNAL, correlationId, toRoomId, 0, source, offset, length);
    }

    boolean async(
        final long correlationId,
        final int serviceId,
        final long orderKey,
        final DirectBuffer source,
        final int offset,
        final int length)
    {
        return put(ASYNC, correlationId, orderKey, serviceId, source, offset, length);
    }

    boolean openRoom(
        final long correlationId, final int typeId, final DirectBuffer source, final int offset, final int length)
    {
        return put(OPEN_ROOM, correlationId, typeId, 0, source, offset, length);
    }

    boolean reserve(final long correlationId, final long inRoomId, final long playerId, final long ttlNs)
    {
        // The third number travels as the body, so that one header serves all.
        final int body = position + HEADER_LENGTH;
        if (body + Long.BYTES > CAPACITY)
        {
            return false;
        }
        buffer.putLong(body, ttlNs);
        return put(RESERVE, correlationId, inRoomId, playerId, buffer, body, Long.BYTES);
    }

    boolean label(final int key, final DirectBuffer source, final int offset, final int length)
    {
        return put(LABEL, 0, key, 0, source, offset, length);
    }

    boolean subscribe()
    {
        return put(SUBSCRIBE, 0, 0, 0, buffer, 0, 0);
    }

    boolean refuse(final int link, final long sequence, final int code)
    {
        return put(REFUSE, sequence, link, code, buffer, 0, 0);
    }

    /** A callback that must leave nothing behind. */
    void discard()
    {
        position = 0;
    }

    boolean isEmpty()
    {
        return 0 == position;
    }

    void handOver(final long roomId, final Outputs outputs)
    {
        int at = 0;
        while (at < position)
        {
            final int length = buffer.getInt(at + LENGTH);
            final long id = buffer.getLong(at + CORRELATION_ID);
            final long first = buffer.getLong(at + FIRST);
            final long second = buffer.getLong(at + SECOND);
            final int body = at + HEADER_LENGTH;
            switch (buffer.getInt(at + KIND))
            {
                case SIGNAL -> outputs.signal(roomId, id, first, buffer, body, length);
                case ASYNC -> outputs.async(roomId, id, (int)second, first, buffer, body, length);
                case OPEN_ROOM -> outputs.openRoom(roomId, id, (int)first, buffer, body, length);
                case RESERVE -> outputs.reserve(roomId, id, first, second, buffer.getLong(body));
                case LABEL -> outputs.label(roomId, (int)first, buffer, body, length);
                case SUBSCRIBE -> outputs.subscribe(roomId);
                default -> outputs.refused((int)first, MessageDecoder.TEMPLATE_ID, roomId, id, (int)second);
            }
            at = BitUtil.align(body + length, Long.BYTES);
        }
        position = 0;
    }

    private boolean put(
        final int kind,
        final long correlationId,
        final long first,
        final long second,
        final DirectBuffer source,
        final int offset,
        final int length)
    {
        final int body = position + HEADER_LENGTH;
        if (body + BitUtil.align(length, Long.BYTES) > CAPACITY)
        {
            return false;
        }

        buffer.putBytes(body, source, offset, length);
        buffer.putInt(position + KIND, kind);
        buffer.putInt(position + LENGTH, length);
        buffer.putLong(position + CORRELATION_ID, correlationId);
        buffer.putLong(position + FIRST, first);
        buffer.putLong(position + SECOND, second);
        position = BitUtil.align(body + length, Long.BYTES);
        return true;
    }
}
