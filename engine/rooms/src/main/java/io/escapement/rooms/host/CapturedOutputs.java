package io.escapement.rooms.host;

import io.escapement.rooms.AwayReason;
import io.escapement.rooms.CloseReason;
import io.escapement.rooms.LeaveReason;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;

/**
 * Writes everything that leaves a host into one buffer, in order, and hands it on later. The bytes are the same for the
 * same output, so two runs are compared by them.
 */
public final class CapturedOutputs implements Outputs
{
    private static final AwayReason[] AWAY_REASONS = AwayReason.values();
    private static final LeaveReason[] LEAVE_REASONS = LeaveReason.values();
    private static final CloseReason[] CLOSE_REASONS = CloseReason.values();

    private static final int MESSAGE = 1;
    private static final int JOINED = 2;
    private static final int RESUMED = 3;
    private static final int AWAY = 4;
    private static final int LEFT = 5;
    private static final int REFUSED = 6;
    private static final int ROOM_OPENED = 7;
    private static final int ROOM_CLOSED = 8;
    private static final int OCCUPANCY = 9;
    private static final int LABEL = 10;
    private static final int SUBSCRIBE = 11;
    private static final int SIGNAL = 12;
    private static final int ASYNC = 13;
    private static final int OPEN_ROOM = 14;
    private static final int RESERVE = 15;
    private static final int REPLY = 16;
    private static final int SIGNAL_REFUSED = 17;

    private final ExpandableArrayBuffer bytes = new ExpandableArrayBuffer(64 * 1024);
    private int position;

    /**
     * The bytes, from index 0 to {@link #length()}.
     *
     * @return the buffer.
     */
    public DirectBuffer buffer()
    {
        return bytes;
    }

    /**
     * How many bytes there are.
     *
     * @return the length.
     */
    public int length()
    {
        return position;
    }

    /** Forget everything. The buffer stays as large as it has grown. */
    public void reset()
    {
        position = 0;
    }

    /**
     * Make room now, so that capturing does not allocate later.
     *
     * @param length in bytes.
     */
    public void ensureCapacity(final int length)
    {
        bytes.checkLimit(length);
    }

    /**
     * Make the captured calls again, in order.
     *
     * @param outputs to make them on.
     */
    public void forEach(final Outputs outputs)
    {
        int at = 0;
        while (at < position)
        {
            at = handOver(at, outputs);
        }
    }

    @Override
    public void flush()
    {
        // Where output was allowed to leave is no part of what left.
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
        put(MESSAGE);
        put(link);
        put(roomId);
        put(outputClass);
        put(audience);
        put(selector);
        put(buffer, offset, length);
    }

    @Override
    public void joined(
        final int link,
        final long requestId,
        final long roomId,
        final int seatIndex,
        final int generation,
        final long playerId,
        final long sequence)
    {
        put(JOINED);
        put(link);
        put(requestId);
        put(roomId);
        put(seatIndex);
        put(generation);
        put(playerId);
        put(sequence);
    }

    @Override
    public void resumed(
        final int link, final long roomId, final int seatIndex, final int generation, final long sequence)
    {
        put(RESUMED);
        put(link);
        put(roomId);
        put(seatIndex);
        put(generation);
        put(sequence);
    }

    @Override
    public void away(
        final int link, final long roomId, final int seatIndex, final int generation, final AwayReason reason)
    {
        put(AWAY);
        put(link);
        put(roomId);
        put(seatIndex);
        put(generation);
        put(reason.ordinal());
    }

    @Override
    public void left(
        final int link, final long roomId, final int seatIndex, final int generation, final LeaveReason reason)
    {
        put(LEFT);
        put(link);
        put(roomId);
        put(seatIndex);
        put(generation);
        put(reason.ordinal());
    }

    @Override
    public void refused(final int link, final int templateId, final long roomId, final long reference, final int code)
    {
        put(REFUSED);
        put(link);
        put(templateId);
        put(roomId);
        put(reference);
        put(code);
    }

    @Override
    public void roomOpened(final long roomId, final int typeId, final int seatLimit)
    {
        put(ROOM_OPENED);
        put(roomId);
        put(typeId);
        put(seatLimit);
    }

    @Override
    public void roomClosed(final long roomId, final CloseReason reason)
    {
        put(ROOM_CLOSED);
        put(roomId);
        put(reason.ordinal());
    }

    @Override
    public void occupancy(final long roomId, final int seatsTaken)
    {
        put(OCCUPANCY);
        put(roomId);
        put(seatsTaken);
    }

    @Override
    public void label(final long roomId, final int key, final DirectBuffer buffer, final int offset, final int length)
    {
        put(LABEL);
        put(roomId);
        put(key);
        put(buffer, offset, length);
    }

    @Override
    public void subscribe(final long roomId)
    {
        put(SUBSCRIBE);
        put(roomId);
    }

    @Override
    public void signal(
        final long fromRoomId,
        final long correlationId,
        final long toRoomId,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        put(SIGNAL);
        put(fromRoomId);
        put(correlationId);
        put(toRoomId);
        put(buffer, offset, length);
    }

    @Override
    public void async(
        final long roomId,
        final long correlationId,
        final int serviceId,
        final long orderKey,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        put(ASYNC);
        put(roomId);
        put(correlationId);
        put(serviceId);
        put(orderKey);
        put(buffer, offset, length);
    }

    @Override
    public void openRoom(
        final long roomId,
        final long correlationId,
        final int typeId,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        put(OPEN_ROOM);
        put(roomId);
        put(correlationId);
        put(typeId);
        put(buffer, offset, length);
    }

    @Override
    public void reserve(
        final long roomId, final long correlationId, final long inRoomId, final long playerId, final long ttlNs)
    {
        put(RESERVE);
        put(roomId);
        put(correlationId);
        put(inRoomId);
        put(playerId);
        put(ttlNs);
    }

    @Override
    public void reply(final long toRoomId, final long correlationId, final int status, final long roomId)
    {
        put(REPLY);
        put(toRoomId);
        put(correlationId);
        put(status);
        put(roomId);
    }

    @Override
    public void signalRefused(final long toRoomId, final long correlationId, final int code)
    {
        put(SIGNAL_REFUSED);
        put(toRoomId);
        put(correlationId);
        put(code);
    }

    private int handOver(final int at, final Outputs outputs)
    {
        switch (number(at, 0))
        {
            case MESSAGE:
                outputs.message(
                    number(at, 1), value(at, 2), number(at, 3),
                    number(at, 4), value(at, 5), bytes, body(at, 6), number(at, 6));
                return afterBody(at, 6);
            case JOINED:
                outputs.joined(
                    number(at, 1), value(at, 2), value(at, 3),
                    number(at, 4), number(at, 5), value(at, 6), value(at, 7));
                return at + 8 * Long.BYTES;
            case RESUMED:
                outputs.resumed(number(at, 1), value(at, 2), number(at, 3), number(at, 4), value(at, 5));
                return at + 6 * Long.BYTES;
            case AWAY:
                outputs.away(
                    number(at, 1), value(at, 2),
                    number(at, 3), number(at, 4), AWAY_REASONS[number(at, 5)]);
                return at + 6 * Long.BYTES;
            case LEFT:
                outputs.left(
                    number(at, 1), value(at, 2),
                    number(at, 3), number(at, 4), LEAVE_REASONS[number(at, 5)]);
                return at + 6 * Long.BYTES;
            case REFUSED:
                outputs.refused(number(at, 1), number(at, 2), value(at, 3), value(at, 4), number(at, 5));
                return at + 6 * Long.BYTES;
            case ROOM_OPENED:
                outputs.roomOpened(value(at, 1), number(at, 2), number(at, 3));
                return at + 4 * Long.BYTES;
            case ROOM_CLOSED:
                outputs.roomClosed(value(at, 1), CLOSE_REASONS[number(at, 2)]);
                return at + 3 * Long.BYTES;
            case OCCUPANCY:
                outputs.occupancy(value(at, 1), number(at, 2));
                return at + 3 * Long.BYTES;
            case LABEL:
                outputs.label(value(at, 1), number(at, 2), bytes, body(at, 3), number(at, 3));
                return afterBody(at, 3);
            case SUBSCRIBE:
                outputs.subscribe(value(at, 1));
                return at + 2 * Long.BYTES;
            case SIGNAL:
                outputs.signal(value(at, 1), value(at, 2), value(at, 3), bytes, body(at, 4), number(at, 4));
                return afterBody(at, 4);
            case ASYNC:
                outputs.async(
                    value(at, 1), value(at, 2),
                    number(at, 3), value(at, 4), bytes, body(at, 5), number(at, 5));
                return afterBody(at, 5);
            case OPEN_ROOM:
                outputs.openRoom(value(at, 1), value(at, 2), number(at, 3), bytes, body(at, 4), number(at, 4));
                return afterBody(at, 4);
            case RESERVE:
                outputs.reserve(value(at, 1), value(at, 2), value(at, 3), value(at, 4), value(at, 5));
                return at + 6 * Long.BYTES;
            case REPLY:
                outputs.reply(value(at, 1), value(at, 2), number(at, 3), value(at, 4));
                return at + 5 * Long.BYTES;
            case SIGNAL_REFUSED:
                outputs.signalRefused(value(at, 1), value(at, 2), number(at, 3));
                return at + 4 * Long.BYTES;
            default:
                throw new IllegalStateException("no such output: " + number(at, 0));
        }
    }

    private void put(final long value)
    {
        bytes.putLong(position, value);
        position += Long.BYTES;
    }

    private void put(final DirectBuffer source, final int offset, final int length)
    {
        put(length);
        final int padded = BitUtil.align(length, Long.BYTES);
        if (padded != length)
        {
            bytes.putLong(position + padded - Long.BYTES, 0);
        }
        bytes.putBytes(position, source, offset, length);
        position += padded;
    }

    private long value(final int at, final int index)
    {
        return bytes.getLong(at + index * Long.BYTES);
    }

    private int number(final int at, final int index)
    {
        return (int)value(at, index);
    }

    private int body(final int at, final int index)
    {
        return at + (index + 1) * Long.BYTES;
    }

    private int afterBody(final int at, final int index)
    {
        return body(at, index) + BitUtil.align(number(at, index), Long.BYTES);
    }
}
