package io.escapement.codecs.trunk;

import io.escapement.codecs.room.RefusalCode;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * A message of a room in a batch of a loop stream: an Event or a State. A room sends far more of them than of all other
 * messages. Therefore they have a header of 7 to 15 bytes instead of the 29 bytes of SBE's headers and fields.
 *
 * <pre>
 *     uint16  bit 15 is set, bit 14 is set in a State, the others are the length of the rest
 *     uint8   bits 0 and 1 are the audience, the others bits 0 to 5 of the room's number in its loop
 *     uint32  the other bits of the number
 *     ALL_EXCEPT: uint16 index; MASK: uint64; ONE: uint16 index, uint16 low bits of the generation
 *     payload
 * </pre>
 *
 * <p>An instance decodes one message after the other.
 */
public final class RoomMessage
{
    /** Audience: every seat. For an Event, every seat of a player. */
    public static final int ALL = 0;

    /** Audience: the same seats except the seat with the selector as its index. */
    public static final int ALL_EXCEPT = 1;

    /** Audience: the seats with a set bit. Bit n of the selector is the seat of index n. */
    public static final int MASK = 2;

    /** Audience: one seat: the low 32 bits of the selector are its index, the high ones its generation. */
    public static final int ONE = 3;

    /** Longest payload: a few fragments. */
    public static final int MAX_PAYLOAD_LENGTH = 8 * 1_024;

    /** Bits of a room's id below the loop's: its number in the loop. */
    public static final int ROOM_NUMBER_BITS = 54;

    /** Highest number of a room in its loop. At 1,000 rooms per second a loop reaches it after 8 years. */
    public static final long MAX_NUMBER = (1L << 38) - 1;

    /** Bits of a seat's generation that a message to one seat has. */
    public static final int GENERATION_MASK = 0xFFFF;

    /** Shortest header. */
    public static final int MIN_HEADER_LENGTH = 7;

    /** Longest header. */
    public static final int MAX_HEADER_LENGTH = 15;

    private static final int FLAG = 0x8000;
    private static final int STATE_FLAG = 0x4000;
    private static final int LENGTH_MASK = 0x3FFF;
    private static final int AUDIENCE = Short.BYTES;
    private static final int AUDIENCE_BITS = 2;
    private static final int AUDIENCE_MASK = (1 << AUDIENCE_BITS) - 1;
    private static final int NUMBER = AUDIENCE + Byte.BYTES;
    private static final int LOW_BITS = Byte.SIZE - AUDIENCE_BITS;
    private static final long LOW_MASK = (1 << LOW_BITS) - 1;
    private static final int SELECTOR = MIN_HEADER_LENGTH;
    private static final int UINT16_MASK = 0xFFFF;
    /** By audience. */
    private static final int[] SELECTOR_LENGTHS = {0, Short.BYTES, Long.BYTES, 2 * Short.BYTES};

    private DirectBuffer buffer;
    private int offset;
    private int payloadOffset;
    private int payloadLength;

    /**
     * Length of the header of a message.
     *
     * @param audience of the message.
     */
    public static int headerLength(final int audience)
    {
        return SELECTOR + SELECTOR_LENGTHS[audience];
    }

    /**
     * Put the header of a message. Its payload follows.
     *
     * @param to            buffer for the header.
     * @param at            offset of the header.
     * @param isState       whether it is a State.
     * @param roomId        of the room.
     * @param audience      the receiving seats.
     * @param selector      as the audience needs it.
     * @param payloadLength of the payload.
     * @return length of the header.
     */
    public static int putHeader(
        final MutableDirectBuffer to,
        final int at,
        final boolean isState,
        final long roomId,
        final int audience,
        final long selector,
        final int payloadLength)
    {
        final int headerLength = headerLength(audience);
        final int length = headerLength - Short.BYTES + payloadLength;
        final long number = numberOf(roomId);
        to.putShort(at, (short)(FLAG | (isState ? STATE_FLAG : 0) | length), LITTLE_ENDIAN);
        to.putByte(at + AUDIENCE, (byte)(audience | (number & LOW_MASK) << AUDIENCE_BITS));
        to.putInt(at + NUMBER, (int)(number >>> LOW_BITS), LITTLE_ENDIAN);
        switch (audience)
        {
            case ALL_EXCEPT -> to.putShort(at + SELECTOR, (short)selector, LITTLE_ENDIAN);
            case MASK -> to.putLong(at + SELECTOR, selector, LITTLE_ENDIAN);
            case ONE ->
            {
                to.putShort(at + SELECTOR, (short)selector, LITTLE_ENDIAN);
                to.putShort(at + SELECTOR + Short.BYTES, (short)(selector >>> Integer.SIZE), LITTLE_ENDIAN);
            }
            default ->
            {
                // Every seat needs no selector.
            }
        }
        return headerLength;
    }

    /**
     * Whether the entry at an offset of a batch is a room's message, not a message of the schema.
     *
     * @param buffer with the batch.
     * @param at     offset of the entry.
     * @param end    of the batch.
     */
    public static boolean isAt(final DirectBuffer buffer, final int at, final int end)
    {
        return end - at >= Short.BYTES && 0 != (buffer.getShort(at, LITTLE_ENDIAN) & FLAG);
    }

    /**
     * The room's number of a message that was not validated, or of any other bytes.
     *
     * @param buffer with at least 7 bytes.
     * @param at     offset of the entry.
     */
    public static long numberAt(final DirectBuffer buffer, final int at)
    {
        return ((buffer.getByte(at + AUDIENCE) & 0xFFL) >>> AUDIENCE_BITS) |
            (buffer.getInt(at + NUMBER, LITTLE_ENDIAN) & 0xFFFF_FFFFL) << LOW_BITS;
    }

    /**
     * Length of an entry with its length prefix, from its first two bytes.
     *
     * @param buffer with the entry.
     * @param at     offset of the entry.
     */
    public static int entrySize(final DirectBuffer buffer, final int at)
    {
        final int prefix = buffer.getShort(at, LITTLE_ENDIAN) & UINT16_MASK;
        return Short.BYTES + (0 == (prefix & FLAG) ? prefix : prefix & LENGTH_MASK);
    }

    /**
     * A room's number in its loop: its id without the loop.
     *
     * @param roomId of the room.
     */
    public static long numberOf(final long roomId)
    {
        return roomId & ((1L << ROOM_NUMBER_BITS) - 1);
    }

    /**
     * Validate and wrap the message at an offset where {@link #isAt} is true.
     *
     * @param of  buffer with the batch.
     * @param at  offset of the entry.
     * @param end of the batch.
     * @return length of the entry, or the complement of a refusal code, which is below 0.
     */
    public int wrap(final DirectBuffer of, final int at, final int end)
    {
        final int size = entrySize(of, at);
        if (size > end - at || size < MIN_HEADER_LENGTH)
        {
            return ~RefusalCode.TOO_SHORT.value();
        }
        buffer = of;
        offset = at;
        final int headerLength = headerLength(audience());
        payloadOffset = at + headerLength;
        payloadLength = size - headerLength;
        return payloadLength < 0 ? ~RefusalCode.TOO_SHORT.value() :
            payloadLength > MAX_PAYLOAD_LENGTH ? ~RefusalCode.DATA_TOO_LONG.value() : size;
    }

    /** Whether it is a State. */
    public boolean isState()
    {
        return 0 != (buffer.getShort(offset, LITTLE_ENDIAN) & STATE_FLAG);
    }

    /** The room's number in its loop. */
    public long number()
    {
        return numberAt(buffer, offset);
    }

    /** The receiving seats. */
    public int audience()
    {
        return buffer.getByte(offset + AUDIENCE) & AUDIENCE_MASK;
    }

    /** The selector as the audience needs it. Of ONE it has only the low 16 bits of the generation. */
    public long selector()
    {
        return switch (audience())
        {
            case ALL_EXCEPT -> buffer.getShort(offset + SELECTOR, LITTLE_ENDIAN) & UINT16_MASK;
            case MASK -> buffer.getLong(offset + SELECTOR, LITTLE_ENDIAN);
            case ONE -> (buffer.getShort(offset + SELECTOR, LITTLE_ENDIAN) & UINT16_MASK) |
                (buffer.getShort(offset + SELECTOR + Short.BYTES, LITTLE_ENDIAN) & (long)UINT16_MASK) << Integer.SIZE;
            default -> 0;
        };
    }

    /** Offset of the payload in the batch. */
    public int payloadOffset()
    {
        return payloadOffset;
    }

    /** Length of the payload. */
    public int payloadLength()
    {
        return payloadLength;
    }
}
