package io.escapement.codecs.trunk;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * The layout of a packet of a feed: a header, then a batch as on a loop stream, of States, and of {@code Turn} where
 * another turn starts.
 *
 * <pre>
 *     int32   id of the feed
 *     int32   number of the packet: the last number plus 1
 *     int64   number of the turn of the first State
 *     batch   the payload of each State begins with a number of its room: the room's last number plus 1
 * </pre>
 *
 * <p>A packet may be lost whole. It is not repeated. A packet without a batch shows that the feed is alive.
 */
public final class FeedPacket
{
    /** Length of the header. */
    public static final int HEADER_LENGTH = 2 * Integer.BYTES + Long.BYTES;

    private static final int TURN = 2 * Integer.BYTES;

    /** Length of a room's number, in front of each State. */
    public static final int NUMBER_LENGTH = Short.BYTES;

    private FeedPacket()
    {
    }

    /**
     * Put the header of a packet.
     *
     * @param to     buffer for the packet.
     * @param at     offset of the packet.
     * @param feedId of the feed.
     * @param number of the packet.
     * @param turn   of the first State.
     */
    public static void putHeader(
        final MutableDirectBuffer to, final int at, final int feedId, final int number, final long turn)
    {
        to.putInt(at, feedId, LITTLE_ENDIAN);
        to.putInt(at + Integer.BYTES, number, LITTLE_ENDIAN);
        to.putLong(at + TURN, turn, LITTLE_ENDIAN);
    }

    /**
     * Id of the feed.
     *
     * @param buffer with a packet of at least {@link #HEADER_LENGTH} bytes.
     * @param at     offset of the packet.
     */
    public static int feedId(final DirectBuffer buffer, final int at)
    {
        return buffer.getInt(at, LITTLE_ENDIAN);
    }

    /**
     * Number of the packet.
     *
     * @param buffer with a packet of at least {@link #HEADER_LENGTH} bytes.
     * @param at     offset of the packet.
     */
    public static int number(final DirectBuffer buffer, final int at)
    {
        return buffer.getInt(at + Integer.BYTES, LITTLE_ENDIAN);
    }

    /**
     * Number of the turn of the first State.
     *
     * @param buffer with a packet of at least {@link #HEADER_LENGTH} bytes.
     * @param at     offset of the packet.
     */
    public static long turn(final DirectBuffer buffer, final int at)
    {
        return buffer.getLong(at + TURN, LITTLE_ENDIAN);
    }

    /**
     * Number of a room's state.
     *
     * @param buffer with at least {@link #NUMBER_LENGTH} bytes of payload.
     * @param at     offset of the payload.
     */
    public static short roomNumber(final DirectBuffer buffer, final int at)
    {
        return buffer.getShort(at, LITTLE_ENDIAN);
    }
}
