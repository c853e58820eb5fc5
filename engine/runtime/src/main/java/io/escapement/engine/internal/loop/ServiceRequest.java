package io.escapement.engine.internal.loop;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/** A request of a room to a service, as it stands in a worker's queue, in the machine's byte order. */
public final class ServiceRequest
{
    /** What stands before the request's own bytes. */
    public static final int HEADER_LENGTH = 24;

    private static final int ROOM_ID = 0;
    private static final int CORRELATION_ID = 8;
    private static final int ORDER_KEY = 16;
    private static final long MIX = 0x9E37_79B9_7F4A_7C15L;

    private ServiceRequest()
    {
    }

    /**
     * The worker for a key: always the same.
     *
     * @param orderKey of the request.
     * @param workers  how many there are.
     * @return its number.
     */
    public static int worker(final long orderKey, final int workers)
    {
        return (int)(((orderKey * MIX) >>> 33) % workers);
    }

    /**
     * The room that asked.
     *
     * @param buffer with the request.
     * @param offset of the request.
     * @return its id.
     */
    public static long roomId(final DirectBuffer buffer, final int offset)
    {
        return buffer.getLong(offset + ROOM_ID);
    }

    /**
     * The number that the room gave the request.
     *
     * @param buffer with the request.
     * @param offset of the request.
     * @return the correlation id.
     */
    public static long correlationId(final DirectBuffer buffer, final int offset)
    {
        return buffer.getLong(offset + CORRELATION_ID);
    }

    /**
     * The key by which requests are kept in order.
     *
     * @param buffer with the request.
     * @param offset of the request.
     * @return the key.
     */
    public static long orderKey(final DirectBuffer buffer, final int offset)
    {
        return buffer.getLong(offset + ORDER_KEY);
    }

    static int encode(
        final MutableDirectBuffer into,
        final long roomId,
        final long correlationId,
        final long orderKey,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        into.putLong(ROOM_ID, roomId);
        into.putLong(CORRELATION_ID, correlationId);
        into.putLong(ORDER_KEY, orderKey);
        into.putBytes(HEADER_LENGTH, buffer, offset, length);
        return HEADER_LENGTH + length;
    }
}
